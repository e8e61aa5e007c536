package com.example.shop;

import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import jakarta.inject.Singleton;

/** Pushes a job. */
@Singleton
class Signup {
    private final StandardQueue<Mail> mails;

    Signup(StandardQueue<Mail> mails) {
        this.mails = mails;
    }

    JobId signUp(String address) {
        return mails.dedupe("welcome-" + address).push(new Mail(address, "Welcome"));
    }
}
