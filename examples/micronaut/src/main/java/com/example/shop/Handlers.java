package com.example.shop;

import dev.orderly.Orderly;
import dev.orderly.job.StandardQueue;
import io.micronaut.context.event.StartupEvent;
import io.micronaut.runtime.event.annotation.EventListener;
import jakarta.inject.Singleton;

/** Attaches the handlers once all beans are there. */
@Singleton
class Handlers {
    private final Orderly orderly;
    private final StandardQueue<Mail> mails;
    private final Mailer mailer;

    Handlers(Orderly orderly, StandardQueue<Mail> mails, Mailer mailer) {
        this.orderly = orderly;
        this.mails = mails;
        this.mailer = mailer;
    }

    @EventListener
    void start(StartupEvent started) {
        orderly.handle(mails, (mail, job) -> mailer.send(mail));
        orderly.start();
    }
}
