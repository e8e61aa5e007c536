package com.example.shop;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** A warehouse, a bank and a courier, all pretended: they only take time, and the bank refuses some cards. */
@Component
class Suppliers {
    private final Duration pace;
    private final Time time = Time.system();
    private final ConcurrentMap<String, Integer> charges = new ConcurrentHashMap<>();

    Suppliers(@Value("${shop.pace}") Duration pace) {
        this.pace = pace;
    }

    /** Hears how far a supplier is. */
    @FunctionalInterface
    interface Progress {
        void at(int percent, String note);
    }

    /** The bank does not take the card. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        Refused() {
            super("The bank refused the card.");
        }
    }

    /** @param key the same in each attempt, by which a warehouse knows a repeated request */
    String reserve(String key, Product product, Progress progress) throws InterruptedException {
        String search = "Looking for your " + product.title().toLowerCase(Locale.ROOT);
        for (int percent = 0; percent < 100; percent += 20) {
            progress.at(percent, percent < 50 ? search : "Wrapping it in paper");
            pause();
        }
        return "Packed, on shelf " + (1 + Math.floorMod(key.hashCode(), 9));
    }

    /** @param key the same in each attempt, by which a bank charges once */
    String charge(String key, Order order, Progress progress) throws InterruptedException, Refused {
        progress.at(30, "Asking the bank");
        pause();
        int attempt = charges.merge(key, 1, Integer::sum);
        if (attempt <= order.card().refusals()) {
            throw new Refused();
        }
        progress.at(80, "Waiting for the receipt");
        pause();
        return "Paid " + order.product().euros() + " €" + (attempt > 1 ? ", at attempt " + attempt : "");
    }

    /** @param key the same in each attempt, by which a courier comes once */
    String ship(String key, Progress progress) throws InterruptedException {
        for (int percent = 0; percent < 100; percent += 25) {
            progress.at(percent, percent < 50 ? "Waiting for the courier" : "Loading the parcel");
            pause();
        }
        return "On its way, parcel " + (100_000 + Math.floorMod(key.hashCode(), 900_000));
    }

    private void pause() throws InterruptedException {
        long end = time.deadline(pace);
        while (!time.reached(end) && !Thread.currentThread().isInterrupted()) {
            time.park(end);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
