package dev.orderly.store.postgres.job.scan;

import dev.orderly.flow.DutyCycle;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lower bound of reads of {@code tally}, by the transactions that have written its rows: below it are folded rows only,
 * which an old transaction can keep for long. Exact, as it knows which transactions had not ended when it was found.
 * It holds for one run of the server. From time to time all is read. Thread-safe.
 */
public final class TallyBound {
    private static final Duration WHOLE = Duration.ofMinutes(1);
    private static final Bound BEGINNING = new Bound(0, List.of());

    private final Time time;
    private final DutyCycle duty;
    private final AtomicReference<Bound> bound = new AtomicReference<>(BEGINNING);
    private volatile long wholeAt;

    /**
     * @param from the lowest transaction of which rows may exist
     * @param running lower transactions that had not ended
     */
    private record Bound(long from, List<Long> running) {}

    public TallyBound(Time time) {
        this.time = time;
        duty = new DutyCycle(time);
        wholeAt = time.nanos();
    }

    /** The condition on rows within the bound; {@link #addTo} adds its parameters. */
    public static final String WITHIN = "(tally.xact >= (?::text)::xid8 OR tally.xact = ANY((?::text[])::xid8[]))";

    public Sql addTo(Sql sql) {
        Bound now = bound.get();
        return sql.with(String.valueOf(now.from)).texts(now.running.stream().map(String::valueOf).toList());
    }

    /**
     * Moves the bound to the lowest row that exists. In a transaction that has written nothing, since the server does
     * not name its own among those that have not ended.
     *
     * @return the number of ended jobs
     */
    public long look(Connection connection) throws SQLException {
        boolean whole = time.reached(wholeAt);
        if (whole) {
            bound.set(BEGINNING);
        }
        long began = time.nanos();
        Seen seen = addTo(new Sql(connection, """
                SELECT coalesce(sum(jobs) FILTER (WHERE state = ENDED), 0), min(xact)::text, pg_current_snapshot()::text
                FROM tally WHERE\s""" + WITHIN))
                .list(row -> new Seen(row.getLong(1), row.getLong(2) == 0 ? Long.MAX_VALUE : row.getLong(2),
                        row.getString(3)))
                .getFirst();
        if (whole) {
            wholeAt = time.deadline(duty.done(WHOLE, began));
        }
        // xmin:xmax:xip,xip
        String[] snapshot = seen.snapshot.split(":", -1);
        long from = Math.min(seen.lowest, Long.parseLong(snapshot[1]));
        bound.set(new Bound(from, Arrays.stream(snapshot[2].split(",")).filter(each -> !each.isEmpty())
                .map(Long::valueOf).filter(running -> running < from).toList()));
        return seen.ended;
    }

    private record Seen(long ended, long lowest, String snapshot) {}
}
