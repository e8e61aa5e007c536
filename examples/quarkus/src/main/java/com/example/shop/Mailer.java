package com.example.shop;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.ActivateRequestContext;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What does the jobs of the queue "mails". */
@ApplicationScoped
public class Mailer {
    private final BlockingQueue<Mail> sent = new LinkedBlockingQueue<>();

    @ActivateRequestContext
    public void send(Mail mail) {
        sent.add(mail);
    }

    BlockingQueue<Mail> sent() {
        return sent;
    }
}
