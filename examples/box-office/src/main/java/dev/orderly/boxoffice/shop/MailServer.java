package dev.orderly.boxoffice.shop;

import java.io.IOException;

/** The mail server for confirmations. */
@FunctionalInterface
public interface MailServer {
    /**
     * @throws Undeliverable if a retry cannot help
     * @throws IOException if a retry may help
     */
    void send(String address, String subject, String text) throws IOException, InterruptedException;

    /** There is no such address. */
    final class Undeliverable extends IOException {
        public Undeliverable(String message) {
            super(message);
        }
    }
}
