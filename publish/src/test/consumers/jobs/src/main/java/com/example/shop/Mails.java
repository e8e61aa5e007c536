package com.example.shop;

import dev.orderly.Orderly;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.sqlite.SqliteStore;
import java.nio.file.Path;

/** The jobs of an application, as its developer would write them. */
public final class Mails {
    private final StandardQueue<Mail> queue;

    public record Mail(String to) {}

    /** What sends mails. */
    public interface MailServer {
        void send(Mail mail) throws Exception;
    }

    public Mails(Orderly orderly, MailServer server) {
        queue = orderly.queue("mails", Mail.class);
        orderly.handle(queue, (mail, job) -> server.send(mail));
    }

    public static Orderly open(Path file) {
        return Orderly.open(SqliteStore.at(file));
    }

    public void welcome(String to) {
        queue.push(new Mail(to));
    }
}
