package dev.orderly.boxoffice.shop;

import java.io.IOException;

/** Where confirmations go. */
@FunctionalInterface
public interface MailServer {
    /**
     * @throws Undeliverable if trying again cannot help
     * @throws IOException if it may work later
     */
    void send(String address, String subject, String text) throws IOException, InterruptedException;

    /** There is no such address. */
    final class Undeliverable extends IOException {
        public Undeliverable(String message) {
            super(message);
        }
    }
}
