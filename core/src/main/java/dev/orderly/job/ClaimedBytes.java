package dev.orderly.job;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The payload that this node holds in memory for the sake of claimed jobs, against its bound. Thread-safe. */
final class ClaimedBytes {
    private final long most;
    private final AtomicLong held = new AtomicLong();

    ClaimedBytes(long most) {
        this.most = most;
    }

    /** How much more may be claimed; zero or less for nothing. */
    long free() {
        return most - held.get();
    }

    void lineStarted(List<ClaimedJob> line) {
        held.addAndGet(sizeOf(line));
    }

    /** A line keeps all its payloads until its last job has ended. */
    void lineEnded(List<ClaimedJob> line) {
        held.addAndGet(-sizeOf(line));
    }

    private static long sizeOf(List<ClaimedJob> line) {
        return line.stream().mapToLong(job -> job.payload().size()).sum();
    }
}
