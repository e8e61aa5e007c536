package dev.orderly.store.sqlite;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The way to the writer: any thread puts requests in, the writer takes them out many at a time. Bounded. */
final class Mailbox {
    /** How long a caller waits for its answer. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int ROOM = 16_384;
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(1);

    private final Time time;
    private final Queue<Request<?>> requests = new ConcurrentLinkedQueue<>();
    private final Semaphore room = new Semaphore(ROOM);
    private volatile @Nullable Thread sleeper;
    private volatile @Nullable StoreException closed;

    Mailbox(Time time) {
        this.time = time;
    }

    /** Puts a request in and waits for its answer. */
    <T> T ask(Request<T> request, Duration patience) {
        long deadline = time.deadline(patience);
        enter(deadline);
        requests.add(request);
        Thread asleep = sleeper;
        if (asleep != null) {
            LockSupport.unpark(asleep);
        }
        // Closed after the check in enter: the writer may have looked for the last time already.
        StoreException reason = closed;
        if (reason != null && request.take()) {
            request.fail(reason);
        }
        return request.await(time, deadline);
    }

    private void enter(long deadline) {
        if (closed != null) {
            throw closed;
        }
        if (room.tryAcquire()) {
            return;
        }
        try {
            if (!room.tryAcquire(Math.max(0, deadline - time.nanos()), TimeUnit.NANOSECONDS)) {
                throw new StoreException.Unavailable(ROOM + " requests wait for the store: push less or wait", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException.Unavailable("The calling thread was interrupted before the store began", e);
        }
    }

    /** Takes requests of up to about {@code weight} jobs; waits for the first for a while. For the writer. */
    void take(List<Request<?>> into, int weight) {
        int taken = 0;
        while (taken < weight) {
            Request<?> request = requests.poll();
            if (request == null) {
                if (taken > 0 || closed != null) {
                    return;
                }
                sleep();
                request = requests.poll();
                if (request == null) {
                    return;
                }
            }
            room.release();
            if (request.take()) {
                into.add(request);
                taken += request.weight();
            }
        }
    }

    private void sleep() {
        sleeper = Thread.currentThread();
        if (requests.isEmpty() && closed == null) {
            time.park(time.deadline(LONGEST_IDLE));
        }
        sleeper = null;
    }

    /** From now on requests fail for this reason; those inside stay. */
    void close(StoreException reason) {
        if (closed == null) {
            closed = reason;
        }
        Thread asleep = sleeper;
        if (asleep != null) {
            LockSupport.unpark(asleep);
        }
    }

    Time time() {
        return time;
    }

    boolean isClosed() {
        return closed != null;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }
}
