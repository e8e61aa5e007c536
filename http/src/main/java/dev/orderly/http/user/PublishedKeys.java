package dev.orderly.http.user;

import dev.orderly.time.Time;
import java.io.IOException;
import java.security.Key;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The published keys of an issuer, cached for {@link #FRESH}. A token with an unknown key makes the cache read them
 * again, at most once per {@link #PAUSE}, as the issuer may have a new key. While the source is out of reach the last
 * keys count. Concurrent callers share one read.
 */
final class PublishedKeys implements VerificationKeys {
    static final Duration FRESH = Duration.ofMinutes(10);
    static final Duration PAUSE = Duration.ofSeconds(30);
    /** Without any keys no user can be authenticated, so the first read is retried sooner. */
    static final Duration FIRST_PAUSE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);
    private static final Duration PATIENCE = KeyReader.PATIENCE.plusSeconds(1);

    private final String name;
    private final Source source;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Void> reading;
    private long nextTry;
    private volatile Snapshot last;

    /** The source of the keys; blocks, bounded in time. */
    interface Source {
        KeySet read() throws IOException;
    }

    /**
     * The last keys.
     *
     * @param until the time at which the keys are to be read again
     * @param sound whether the last read succeeded
     */
    private record Snapshot(KeySet keys, long until, boolean sound) {}

    /** @param name the source's name for the log */
    PublishedKeys(String name, Source source, Time time) {
        this.name = name;
        this.source = source;
        this.time = time;
        this.nextTry = time.nanos();
        this.last = new Snapshot(KeySet.NONE, time.nanos(), false);
    }

    @Override
    public List<Key> fitting(String algorithm, @Nullable String kid) {
        Snapshot known = last;
        if (time.reached(known.until)) {
            CompletableFuture<Void> reading = refresh();
            if (known.sound) {
                await(reading); // after a long pause a key may have been withdrawn
            }
        }
        List<Key> found = last.keys.fitting(algorithm, kid);
        if (!found.isEmpty()) {
            return found;
        }
        await(refresh());
        return last.keys.fitting(algorithm, kid);
    }

    @Override
    public boolean areKnown() {
        return last.keys != KeySet.NONE;
    }

    /** Reads the keys now, once. */
    void read() throws IOException {
        KeySet keys = source.read();
        last = new Snapshot(keys, time.deadline(FRESH), true);
    }

    /** The current read, a read that begins now, or null if the last attempt was too recent. */
    private @Nullable CompletableFuture<Void> refresh() {
        lock.lock();
        try {
            if (reading != null && !reading.isDone()) {
                return reading;
            }
            if (!time.reached(nextTry)) {
                return null;
            }
            nextTry = time.deadline(areKnown() ? PAUSE : FIRST_PAUSE);
            CompletableFuture<Void> started = new CompletableFuture<>();
            reading = started;
            Thread.ofVirtual().name("orderly-keys").start(() -> readInto(started));
            return started;
        } finally {
            lock.unlock();
        }
    }

    private void readInto(CompletableFuture<Void> read) {
        try {
            read();
        } catch (IOException | RuntimeException e) {
            Snapshot known = last;
            last = new Snapshot(known.keys, known.until, false);
            LOG.warn("The keys that verify users' tokens cannot be read from {} ({}): {}", name,
                    e.getMessage(), areKnown() ? "the last keys count" : "users cannot be authenticated meanwhile");
        } finally {
            read.complete(null);
        }
    }

    private static void await(@Nullable CompletableFuture<Void> reading) {
        if (reading == null) {
            return;
        }
        try {
            reading.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException _) {
            // the keys that are known have to do
        }
    }
}
