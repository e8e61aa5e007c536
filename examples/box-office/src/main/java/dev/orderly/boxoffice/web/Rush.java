package dev.orderly.boxoffice.web;

import dev.orderly.boxoffice.shop.Card;
import dev.orderly.boxoffice.shop.Checkout;
import dev.orderly.boxoffice.shop.Counter;
import dev.orderly.boxoffice.shop.Shop;
import dev.orderly.boxoffice.shop.Show;
import dev.orderly.job.PushRefusedException;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A crowd that arrives all at once: 100 customers with 10 orders each. */
final class Rush implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Rush.class);
    static final int CUSTOMERS = 100;
    static final int ORDERS = 10;

    /** Every 97th order has an address that bounces. */
    private static final int TYPO = 97;

    private static final Duration STOP = Duration.ofSeconds(5);

    private final Shop shop;
    private final Counter counter;
    private final AtomicReference<List<Lane>> latest = new AtomicReference<>(List.of());
    private final AtomicInteger rushes = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean closed;

    /** One customer of the rush, and the orders in the order of their placement. */
    record Lane(String customer, List<Checkout> checkouts) {}

    Rush(Shop shop, Counter counter) {
        this.shop = shop;
        this.counter = counter;
    }

    /** The customers of the latest rush; empty before the first. */
    List<Lane> lanes() {
        return latest.get();
    }

    /** Each customer places their orders one after the other, all customers at the same time. Returns at once. */
    void start() {
        if (closed || shop.isFull()) {
            return;
        }
        int number = rushes.incrementAndGet();
        List<Lane> lanes = IntStream.rangeClosed(1, CUSTOMERS).mapToObj(customer -> lane(number, customer)).toList();
        latest.set(lanes);
        for (Lane lane : lanes) {
            threads.execute(() -> place(lane));
        }
    }

    /** Ends the pushes in progress and starts no more, so that Orderly can be closed afterwards. */
    @Override
    public void close() {
        closed = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("The crowd still pushes after {}", STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void place(Lane lane) {
        try {
            for (Checkout checkout : lane.checkouts()) {
                if (closed) {
                    return;
                }
                counter.take(checkout, lane.customer());
            }
        } catch (StoreException | PushRefusedException e) {
            LOG.warn("{} goes home early: {}", lane.customer(), e.getMessage());
        }
    }

    private static Lane lane(int rush, int customer) {
        String name = "crowd-" + rush + "-" + customer;
        return new Lane(name, IntStream.rangeClosed(1, ORDERS).mapToObj(order -> {
            String host = (customer * ORDERS + order) % TYPO == 0 ? "@mail.invalid" : "@example.com";
            return new Checkout(name + "-" + order, Show.RUSH, 1 + (customer + order) % 3, "Customer " + customer,
                    name + host, Card.ANY);
        }).toList());
    }
}
