package dev.orderly.store.postgres;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Watch over transactions of callers, which end without notice: asks the server for their states, all in one query. A
 * notification inside the caller's transaction would need no query, but makes commits of the application wait for each
 * other, and forbids PREPARE TRANSACTION. Without an open transaction the watch asks nothing. Its thread starts with
 * the first transaction. Thread-safe.
 */
final class EndedTransactions implements AutoCloseable {
    /** Bound on watched transactions; the jobs of further ones wait for a poll. */
    private static final int WATCHED_MAX = 10_000;
    private static final Duration OFTEN = Duration.ofMillis(10);
    private static final Duration SELDOM = Duration.ofMillis(100);
    /** Age from which a transaction is asked for seldom, and from which it is no longer watched. */
    private static final Duration LONG = Duration.ofSeconds(2);
    private static final Duration TOO_LONG = Duration.ofMinutes(10);
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final String ENDED = """
            SELECT number FROM unnest(?) AS watched(number)
            WHERE coalesce(pg_xact_status(number::xid8), '') <> 'in progress'""";

    private final Transactions transactions;
    private final ServerRuns runs;
    private final Time time;
    private final BackgroundLoop loop;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicInteger count = new AtomicInteger();
    private final ConcurrentLinkedQueue<Watched> added = new ConcurrentLinkedQueue<>();
    /** The run of the server that was asked last; used by the loop only. */
    private @Nullable String asked;
    /** Used by the loop only. */
    private final Map<String, List<Watched>> watched = new HashMap<>();

    private record Watched(String transaction, Runnable action, long since) {}

    EndedTransactions(Transactions transactions, ServerRuns runs, Time time) {
        this.transactions = transactions;
        this.runs = runs;
        this.time = time;
        this.loop = new BackgroundLoop("transactions", time, this::round);
    }

    /** Runs an action soon after a transaction has ended, by a commit or not. Never blocks. */
    void watch(String transaction, Runnable action) {
        if (count.incrementAndGet() > WATCHED_MAX) {
            count.decrementAndGet();
            return;
        }
        added.add(new Watched(transaction, action, time.nanos()));
        if (!started.getAndSet(true)) {
            loop.start();
        }
        loop.ring();
    }

    private Duration round() {
        for (Watched each = added.poll(); each != null; each = added.poll()) {
            watched.computeIfAbsent(each.transaction, _ -> new ArrayList<>()).add(each);
        }
        if (watched.isEmpty()) {
            return IDLE;
        }
        try {
            ended().forEach(this::end);
        } catch (StoreException _) { // the next round asks again
            return AFTER_FAILURE;
        }
        return untilNext(time.nanos());
    }

    /** The transactions of another run of the server have ended, and their numbers may be those of others there. */
    private Set<String> ended() {
        return transactions.run(connection -> {
            String run = runs.of(connection);
            boolean same = asked == null || asked.equals(run);
            asked = run;
            return same
                    ? new HashSet<>(new Sql(connection, ENDED).texts(watched.keySet()).list(row -> row.getString(1)))
                    : Set.copyOf(watched.keySet());
        });
    }

    private void end(String transaction) {
        List<Watched> all = watched.remove(transaction);
        if (all != null) {
            count.addAndGet(-all.size());
            all.forEach(each -> each.action.run());
        }
    }

    /** The wait until the next round. Ends the watch over transactions that are open for too long. */
    private Duration untilNext(long now) {
        boolean isYoung = false;
        for (List<Watched> all : List.copyOf(watched.values())) {
            Watched latest = all.getLast();
            isYoung |= now - latest.since < LONG.toNanos();
            if (now - latest.since > TOO_LONG.toNanos()) {
                end(latest.transaction);
            }
        }
        return watched.isEmpty() ? IDLE : isYoung ? OFTEN : SELDOM;
    }

    @Override
    public void close() {
        loop.stop(PATIENCE);
    }
}
