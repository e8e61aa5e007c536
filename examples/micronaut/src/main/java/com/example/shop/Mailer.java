package com.example.shop;

import jakarta.inject.Singleton;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** What does the jobs of the queue "mails". */
@Singleton
class Mailer {
    private final BlockingQueue<Mail> sent = new LinkedBlockingQueue<>();

    void send(Mail mail) {
        sent.add(mail);
    }

    BlockingQueue<Mail> sent() {
        return sent;
    }
}
