package com.example.shop;

import dev.orderly.Orderly;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.sqlite.SqliteStore;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.nio.file.Path;

/** Orderly and its queues. */
@Factory
class OrderlyFactory {
    @Singleton
    @Bean(preDestroy = "close")
    Orderly orderly(@Value("${orderly.file:data/orderly.db}") String file) {
        return Orderly.open(SqliteStore.at(Path.of(file)));
    }

    @Singleton
    StandardQueue<Mail> mails(Orderly orderly) {
        return orderly.queue("mails", Mail.class);
    }
}
