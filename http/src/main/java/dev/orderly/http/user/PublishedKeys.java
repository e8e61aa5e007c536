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
 * The keys an issuer publishes, kept for {@link #FRESH}. A token with a key that is not among them has them read again,
 * at most once per {@link #PAUSE}, as the issuer may have a new one. While they cannot be had the last ones count.
 * However many ask, one reads.
 */
final class PublishedKeys implements TokenKeys {
    static final Duration FRESH = Duration.ofMinutes(10);
    static final Duration PAUSE = Duration.ofSeconds(30);
    /** Until there are any keys nobody can be known, so they are asked for more often. */
    static final Duration FIRST_PAUSE = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(PublishedKeys.class);
    private static final Duration PATIENCE = KeyReader.PATIENCE.plusSeconds(1);

    private final String name;
    private final Source source;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable CompletableFuture<Void> underWay;
    private long nextTry;
    private volatile Snapshot last;

    /** Where they are read; blocks, bounded in time. */
    interface Source {
        KeySet read() throws IOException;
    }

    /**
     * @param until when they are old
     * @param sound whether the last try to read them succeeded
     */
    private record Snapshot(KeySet keys, long until, boolean sound) {}

    /** @param name where they come from, for the log */
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
                await(reading); // Nobody asked for long; a key may have been withdrawn meanwhile.
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

    /** Reads them now, once. */
    void read() throws IOException {
        KeySet keys = source.read();
        last = new Snapshot(keys, time.deadline(FRESH), true);
    }

    /** The reading under way, one that begins now, or null if the last try was a moment ago. */
    private @Nullable CompletableFuture<Void> refresh() {
        lock.lock();
        try {
            if (underWay != null && !underWay.isDone()) {
                return underWay;
            }
            if (!time.reached(nextTry)) {
                return null;
            }
            nextTry = time.deadline(areKnown() ? PAUSE : FIRST_PAUSE);
            CompletableFuture<Void> reading = new CompletableFuture<>();
            underWay = reading;
            Thread.ofVirtual().name("orderly-keys").start(() -> readInto(reading));
            return reading;
        } finally {
            lock.unlock();
        }
    }

    private void readInto(CompletableFuture<Void> reading) {
        try {
            read();
        } catch (IOException | RuntimeException e) {
            Snapshot known = last;
            last = new Snapshot(known.keys, known.until, false);
            LOG.warn("The keys that users' tokens are checked with cannot be read from {} ({}): {}", name,
                    e.getMessage(), areKnown() ? "the last ones count" : "nobody is known meanwhile");
        } finally {
            reading.complete(null);
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
            // What is known already has to do.
        }
    }
}
