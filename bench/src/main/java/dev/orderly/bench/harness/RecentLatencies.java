package dev.orderly.bench.harness;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The last latencies of half a minute, at most 32,768, in milliseconds. Thread-safe. */
final class RecentLatencies {
    static final Duration WINDOW = Duration.ofSeconds(30);
    private static final int MOST = 32_768;

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Latency> all = new ArrayDeque<>();

    private record Latency(long at, long millis) {}

    RecentLatencies(Time time) {
        this.time = time;
    }

    void add(long millis) {
        Latency latency = new Latency(time.nanos(), millis);
        lock.lock();
        try {
            if (all.size() == MOST) {
                all.removeFirst();
            }
            all.addLast(latency);
        } finally {
            lock.unlock();
        }
    }

    List<Long> sorted() {
        long from = time.nanos() - WINDOW.toNanos();
        lock.lock();
        try {
            all.removeIf(each -> each.at < from);
            return all.stream().map(Latency::millis).sorted().toList();
        } finally {
            lock.unlock();
        }
    }
}
