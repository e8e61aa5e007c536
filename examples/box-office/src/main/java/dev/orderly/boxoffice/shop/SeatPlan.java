package dev.orderly.boxoffice.shop;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The seats of one show with their orders. Thread-safe. */
final class SeatPlan {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Seats> taken = new HashMap<>();
    private final int size;
    private int next;

    SeatPlan(int size) {
        this.size = size;
    }

    /**
     * The next free seats; empty if there are too few. A repeated call for the same order returns the same seats: a job
     * may run twice, and its second run must not take more seats.
     */
    Optional<Seats> reserve(String order, int count) {
        lock.lock();
        try {
            Seats before = taken.get(order);
            if (before == null && count <= size - next) {
                before = new Seats(next, count);
                taken.put(order, before);
                next += count;
            }
            return Optional.ofNullable(before);
        } finally {
            lock.unlock();
        }
    }

    int left() {
        lock.lock();
        try {
            return size - next;
        } finally {
            lock.unlock();
        }
    }
}
