package dev.orderly.store.postgres.job;

import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Finds lanes that contradict their jobs, and groups with jobs and without a lane, some in each round. A statement sees
 * lanes and jobs of one moment, so it finds none unless a fault happened. A claim may delay a lane for a minute by the
 * rate of its group, which has a declarer then. Thread-safe.
 */
final class LaneCheck {
    /** Number of lanes, and of groups, checked in a round. */
    private static final int STEP = 1_000;
    private static final Lane BEGINNING = new Lane(Integer.MIN_VALUE, "");
    private static final String LANES = """
            SELECT looked.queue, looked.name,
              CASE WHEN (SELECT true FROM job WHERE job.queue = looked.queue AND job.grp = looked.name
                  AND job.state - RUNNING = 0 LIMIT 1) THEN looked.state <> LANE_HELD
                WHEN (SELECT true FROM job WHERE job.queue = looked.queue AND job.grp = looked.name
                  AND job.state - HALTING = 0 LIMIT 1) THEN looked.state <> LANE_HALTED
                WHEN head.state IS NULL THEN true
                WHEN looked.state = LANE_PAUSED THEN (SELECT paused FROM key_setting
                  WHERE key_setting.queue = looked.queue AND key_setting.name = looked.name) IS NOT TRUE
                WHEN head.state = DELAYED AND head.ready_at > ? THEN looked.state NOT IN (LANE_READY, LANE_DELAYED)
                  OR (looked.state = LANE_DELAYED AND looked.ready_at <> head.ready_at)
                ELSE looked.state NOT IN (LANE_READY, LANE_DELAYED)
                  OR (looked.state = LANE_DELAYED AND looked.ready_at > ? + CASE WHEN EXISTS(SELECT FROM queue
                    WHERE queue.id = looked.queue AND queue.key_declarer IS NOT NULL) THEN 60000 ELSE 0 END) END
            FROM (SELECT queue, name, state, ready_at FROM lane WHERE (lane.queue, lane.name) > (?, ?)
                ORDER BY lane.queue, lane.name LIMIT %d) AS looked
              LEFT JOIN LATERAL (
                SELECT state, ready_at FROM job WHERE job.queue = looked.queue AND job.grp = looked.name
                  AND job.state <= RUNNING ORDER BY job.seq + 0 LIMIT 1) AS head ON true
            ORDER BY looked.queue, looked.name""".formatted(STEP);
    private static final String GROUPS = """
            WITH RECURSIVE step(queue, grp, number) AS (
              (SELECT queue, grp, 1 FROM job WHERE (job.queue, job.grp) > (?, ?) AND job.state <= RUNNING
                AND job.grp IS NOT NULL ORDER BY job.queue, job.grp, job.seq + 0 LIMIT 1)
              UNION ALL
              SELECT next.queue, next.grp, step.number + 1 FROM step CROSS JOIN LATERAL (
                SELECT job.queue, job.grp FROM job WHERE (job.queue, job.grp) > (step.queue, step.grp)
                  AND job.state <= RUNNING AND job.grp IS NOT NULL ORDER BY job.queue, job.grp, job.seq + 0 LIMIT 1) AS next
              WHERE step.number < %d)
            SELECT step.queue, step.grp, (SELECT true FROM lane WHERE lane.queue = step.queue AND lane.name = step.grp
              LIMIT 1) IS NULL FROM step ORDER BY step.number"""
            .formatted(STEP);

    private final AtomicReference<Lane> lanesBehind = new AtomicReference<>(BEGINNING);
    private final AtomicReference<Lane> groupsBehind = new AtomicReference<>(BEGINNING);

    private record CheckedLane(Lane lane, boolean wrong) {}

    /** The wrong ones of the next lanes and groups; none while another node checks. */
    List<Lane> next(Connection connection, Instant now) throws SQLException {
        if (!UpkeepRound.isAlone(connection, "lane")) {
            return List.of();
        }
        List<Lane> wrong = new ArrayList<>();
        Lane behind = lanesBehind.get();
        long millis = now.toEpochMilli();
        collect(new Sql(connection, LANES).with(millis).with(millis).with(behind.queue()).with(behind.name()),
                lanesBehind, wrong);
        behind = groupsBehind.get();
        collect(new Sql(connection, GROUPS).with(behind.queue()).with(behind.name()), groupsBehind, wrong);
        return wrong;
    }

    /** Adds wrong lanes, and moves the cursor; after the last lane it starts over. */
    private static void collect(Sql query, AtomicReference<Lane> behind, List<Lane> wrong) throws SQLException {
        List<CheckedLane> found = query
                .list(row -> new CheckedLane(new Lane(row.getInt(1), row.getString(2)), row.getBoolean(3)));
        behind.set(found.size() < STEP ? BEGINNING : found.getLast().lane);
        found.stream().filter(CheckedLane::wrong).map(CheckedLane::lane).forEach(wrong::add);
    }

    /** Recomputes lanes; returns their number. */
    static int mend(Connection connection, List<Lane> wrong, Instant now) throws SQLException {
        Lanes.open(connection, wrong, LockPatience.BRIEF);
        Lanes.recompute(connection, wrong, now);
        return wrong.size();
    }
}
