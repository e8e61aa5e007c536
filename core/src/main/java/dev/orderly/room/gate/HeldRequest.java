package dev.orderly.room.gate;

import dev.orderly.Internal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A visitor's request that a room may hold, see {@link RoomVisits#hold}. Thread-safe. */
@Internal(to = "dev.orderly")
public final class HeldRequest {
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Void> over;
    private boolean dropped;

    /** Ends the hold, since nobody waits for the answer any more; it is not given. Idempotent. */
    public void drop() {
        CompletableFuture<Void> held;
        lock.lock();
        try {
            dropped = true;
            held = over;
        } finally {
            lock.unlock();
        }
        if (held != null) {
            held.cancel(false);
        }
    }

    /** Begins to hold the request; false if it was dropped before. */
    boolean begin(CompletableFuture<Void> until) {
        lock.lock();
        try {
            over = until;
            return !dropped;
        } finally {
            lock.unlock();
        }
    }
}
