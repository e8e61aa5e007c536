package dev.orderly.store.postgres.job.scan;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.DutyCycle;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Search for jobs and lanes below the {@link ScanCursors}, apart from pushes and claims: it walks over all dead index
 * entries there, which an old transaction keeps. Once a second, or more rarely if it takes long. Its thread
 * starts with the first claim. Thread-safe.
 */
public final class CursorSweep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CursorSweep.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** Wait while nothing is claimed. */
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** Bound on the jobs found in a priority of a queue; of more the lowest becomes the cursor. */
    private static final int MOST = 1_000;
    private static final String FIND = """
            SELECT wanted.queue, wanted.number, found.place FROM unnest(?, ?, ?) AS wanted(queue, number, cursor)
              CROSS JOIN LATERAL (
                (SELECT job.seq AS place FROM job
                  WHERE job.queue = wanted.queue AND job.priority = wanted.number AND job.state = WAITING
                    AND job.grp IS NULL AND job.seq + 0 < wanted.cursor AND wanted.number > 0
                  ORDER BY job.seq + 0 LIMIT %d)
                UNION ALL
                (SELECT lane.turn FROM lane WHERE lane.queue = wanted.queue AND lane.state = LANE_READY
                    AND lane.turn < wanted.cursor AND wanted.number = 0 ORDER BY lane.turn LIMIT 1)
                UNION ALL
                (SELECT lane.ready_at FROM lane WHERE lane.queue = wanted.queue AND lane.state = LANE_DELAYED
                    AND lane.ready_at < wanted.cursor AND wanted.number = -1 ORDER BY lane.ready_at LIMIT 1)
                UNION ALL
                (SELECT job.ready_at FROM job WHERE job.queue = wanted.queue AND job.state = DELAYED AND job.grp IS NULL
                    AND job.ready_at < wanted.cursor AND wanted.number = -1 ORDER BY job.ready_at LIMIT 1)) AS found"""
            .formatted(MOST);

    private final Transactions transactions;
    private final ScanCursors cursors;
    private final Time time;
    private final DutyCycle duty;
    private final BackgroundLoop loop;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean used;
    private volatile boolean idle;

    public CursorSweep(Transactions transactions, ScanCursors cursors, Time time) {
        this.transactions = transactions;
        this.cursors = cursors;
        this.time = time;
        duty = new DutyCycle(time);
        loop = new BackgroundLoop("cursors", time, this::round);
    }

    /** Goes on while there are claims. Never blocks. */
    public void claimed() {
        used = true;
        if (!started.getAndSet(true)) {
            loop.start();
        } else if (idle) {
            idle = false;
            loop.ring();
        }
    }

    /** Sweeps now, after a change made jobs ready at any place. A failure is left to the next round. */
    public void now() {
        swept();
    }

    private boolean swept() {
        try {
            sweep();
            return true;
        } catch (StoreException e) {
            LOG.debug("The sweep failed: {}", e.getMessage());
            return false;
        }
    }

    private Duration round() {
        if (!used) {
            idle = true;
            return IDLE;
        }
        used = false;
        long began = time.nanos();
        return swept() ? duty.done(PAUSE, began) : duty.failed(PAUSE);
    }

    private void sweep() {
        Map<ScanCursors.Key, Long> all = cursors.all();
        if (all.isEmpty()) {
            return;
        }
        List<ScanCursors.Key> keys = List.copyOf(all.keySet());
        Map<ScanCursors.Key, List<Long>> found = new HashMap<>();
        transactions.runAlone(connection -> new Sql(connection, FIND)
                .ints(keys.stream().map(ScanCursors.Key::queue).toList())
                .ints(keys.stream().map(ScanCursors.Key::number).toList())
                .longs(keys.stream().map(all::get).toList())
                .list(row -> found.computeIfAbsent(new ScanCursors.Key(row.getInt(1), row.getInt(2)),
                        _ -> new ArrayList<>()).add(row.getLong(3))));
        found.forEach(this::take);
    }

    private void take(ScanCursors.Key key, List<Long> places) {
        if (key.number() <= 0 || places.size() == MOST) {
            places.forEach(place -> cursors.lower(key.queue(), key.number(), place));
        } else {
            places.forEach(seq -> cursors.ready(key.queue(), seq));
        }
    }

    @Override
    public void close() {
        loop.stop(PATIENCE);
    }
}
