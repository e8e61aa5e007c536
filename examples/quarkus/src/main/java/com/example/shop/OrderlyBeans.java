package com.example.shop;

import dev.orderly.Orderly;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.sqlite.SqliteStore;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Orderly, its queues and its handlers. */
@ApplicationScoped
public class OrderlyBeans {
    @Produces
    @Singleton
    Orderly orderly(@ConfigProperty(name = "orderly.file", defaultValue = "data/orderly.db") Path file) {
        return Orderly.open(SqliteStore.at(file));
    }

    void close(@Disposes Orderly orderly) {
        orderly.close();
    }

    @Produces
    @Singleton
    StandardQueue<Mail> mails(Orderly orderly) {
        return orderly.queue("mails", Mail.class);
    }

    void start(@Observes StartupEvent started, Orderly orderly, StandardQueue<Mail> mails, Mailer mailer) {
        orderly.handle(mails, (mail, job) -> mailer.send(mail));
        orderly.start();
    }
}
