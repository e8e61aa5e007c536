package com.example.shop;

import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import jakarta.enterprise.context.ApplicationScoped;

/** Pushes a job. */
@ApplicationScoped
public class Signup {
    private final StandardQueue<Mail> mails;

    Signup(StandardQueue<Mail> mails) {
        this.mails = mails;
    }

    public JobId signUp(String address) {
        return mails.dedupe("welcome-" + address).push(new Mail(address, "Welcome"));
    }
}
