package dev.orderly.access.control;

import dev.orderly.access.TokenName;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.access.store.Credentials;
import dev.orderly.access.store.LoginSession;
import dev.orderly.access.store.StoredToken;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All credentials as this node read them last. One call of the store is under way at a time, and at most ten begin in a
 * second, whatever is presented. Thread-safe.
 */
final class CredentialCache {
    private static final Duration SPACING = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(35);

    private final CredentialStore store;
    private final Time time;
    private final AtomicReference<@Nullable CompletableFuture<Snapshot>> reading = new AtomicReference<>();
    private volatile @Nullable Snapshot latest;

    /**
     * The credentials of one moment.
     *
     * @param begun monotonic time before the store was asked
     */
    record Snapshot(Map<String, StoredToken> tokens, Map<TokenName, StoredToken> byName,
            Map<String, LoginSession> sessions, long begun) {
        static Snapshot of(Credentials read, long begun) {
            return new Snapshot(index(read, StoredToken::hash), index(read, known -> known.token().name()),
                    read.sessions().stream().collect(Collectors.toMap(LoginSession::hash, Function.identity())), begun);
        }

        private static <K> Map<K, StoredToken> index(Credentials read, Function<StoredToken, K> key) {
            return read.tokens().stream().collect(Collectors.toMap(key, Function.identity()));
        }
    }

    CredentialCache(CredentialStore store, Time time) {
        this.store = store;
        this.time = time;
    }

    /** The last snapshot, if it is at most this old; null otherwise. Never blocks. */
    @Nullable
    Snapshot within(Duration age) {
        Snapshot known = latest;
        return known != null && time.nanos() - known.begun() <= age.toNanos() ? known : null;
    }

    /**
     * A snapshot that was begun at this moment or later. Blocks.
     *
     * @throws StoreException if the store was not read
     */
    Snapshot since(long moment) {
        while (true) {
            Snapshot known = latest;
            if (known != null && known.begun() - moment >= 0) {
                return known;
            }
            CompletableFuture<Snapshot> mine = new CompletableFuture<>();
            CompletableFuture<Snapshot> other = reading.compareAndExchange(null, mine);
            if (other == null) {
                read(mine);
            } else {
                await(other);
            }
        }
    }

    private void read(CompletableFuture<Snapshot> mine) {
        try {
            Snapshot before = latest;
            for (long due = before == null ? time.nanos() : before.begun() + SPACING.toNanos(); !time.reached(due);) {
                time.park(due);
            }
            long begun = time.nanos();
            Snapshot read = Snapshot.of(store.read(), begun);
            latest = read;
            reading.set(null);
            mine.complete(read);
        } catch (RuntimeException | Error e) {
            reading.set(null);
            mine.completeExceptionally(e);
            throw e;
        }
    }

    private static void await(CompletableFuture<Snapshot> other) {
        try {
            other.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new StoreException.Unavailable("The credentials were not read", e);
        } catch (TimeoutException e) {
            throw new StoreException.Unavailable("The credentials were not read within " + PATIENCE, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException.Unavailable("The calling thread was interrupted while it waited for credentials",
                    e);
        }
    }
}
