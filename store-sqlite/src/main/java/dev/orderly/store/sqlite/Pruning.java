package dev.orderly.store.sqlite;

import dev.orderly.job.JobSequence;
import dev.orderly.job.JobStore;
import dev.orderly.job.UpkeepRequest;
import dev.orderly.store.sqlite.JobRow.Place;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Forgets what was kept long enough, a bounded number at a time. An ended job whose dedupe key still counts stays: a
 * restart reads the keys from there.
 */
final class Pruning {
    private final UpkeepRequest asked;
    private final Instant now;
    private final List<Line> ended = new ArrayList<>();
    private final List<Buried> buried = new ArrayList<>();
    private int count;

    private record Buried(Line line, Place place) {}

    Pruning(UpkeepRequest asked, Instant now) {
        this.asked = asked;
        this.now = now;
    }

    void write(Desk desk) throws SQLException {
        ended.clear();
        buried.clear();
        count = 0;
        Instant doneBefore = now.minus(asked.keep().done());
        count += desk.tables.ended.deleteOld(JobSequence.startOf(doneBefore), doneBefore.toEpochMilli(),
                desk.keyFloor(now), left(), queue -> ended.add(desk.line((int) queue)));
        long over = desk.endedRows() - ended.size() - asked.keep().doneMax();
        if (over > 0 && left() > 0) {
            count += desk.tables.ended.deleteOldest(desk.keyFloor(now), (int) Math.min(over, left()),
                    queue -> ended.add(desk.line((int) queue)));
        }
        for (Line line : desk.lines.all()) {
            bury(desk, line);
        }
        count += desk.tables.idempotency
                .prune(JobSequence.startOf(now.minus(JobStore.IDEMPOTENCY_WINDOW).plusMillis(1)), left());
    }

    private void bury(Desk desk, Line line) throws SQLException {
        Instant diedBefore = now.minus(asked.keep().dead());
        int before = buried.size();
        desk.tables.jobs.longDead(line.identity().id, JobSequence.startOf(diedBefore), diedBefore.toEpochMilli(),
                left(), place -> buried.add(new Buried(line, place)));
        for (Buried each : buried.subList(before, buried.size())) {
            desk.tables.jobs.delete(each.place.seq());
            count++;
        }
    }

    private int left() {
        return asked.limit() - count;
    }

    void committed(Desk desk) {
        ended.forEach(line -> line.counts().ended.decrementAndGet());
        for (Buried each : buried) {
            each.line.counts().dead.decrementAndGet();
            each.line.buried(each.place);
        }
    }

    int count() {
        return count;
    }
}
