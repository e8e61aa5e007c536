package dev.orderly.boxoffice.shop;

import java.io.IOException;

/** The bank. */
@FunctionalInterface
public interface Payments {
    /**
     * Charges once for each order: a repeated call with the same number returns the first charge. Every serious payment
     * provider offers such a key, and a handler that may run twice needs it.
     *
     * @throws IOException if there was no answer; the charge may have succeeded, so repeat the call
     */
    Receipt charge(String order, long cents, Card card) throws IOException, InterruptedException;

    /**
     * A charge.
     *
     * @param repeated whether the money had been taken by an earlier call
     */
    record Receipt(String number, boolean repeated) {}
}
