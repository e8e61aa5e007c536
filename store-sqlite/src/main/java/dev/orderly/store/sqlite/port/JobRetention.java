package dev.orderly.store.sqlite.port;

import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Forgets what was kept long enough, a bounded number at a time. An ended job whose dedupe key still counts stays: a
 * restart reads the keys from there.
 */
final class JobRetention {
    private final WriterState desk;
    private final UpkeepRequest asked;
    private final Instant now;
    private final List<Forgotten> ended = new ArrayList<>();
    private final List<Buried> buried = new ArrayList<>();
    private int count;

    private record Forgotten(QueueIndex line, int count) {}

    private record Buried(QueueIndex line, Place place) {}

    JobRetention(WriterState desk, UpkeepRequest asked, Instant now) {
        this.desk = desk;
        this.asked = asked;
        this.now = now;
    }

    void write() throws SQLException {
        count += forget(left(), now.minus(asked.keep().done()).toEpochMilli());
        long over = desk.endedRows() - count - asked.keep().doneMax();
        if (over > 0 && left() > 0) {
            count += forget((int) Math.min(over, left()), Long.MAX_VALUE);
        }
        for (QueueIndex line : desk.lines.all()) {
            bury(line);
        }
        count += desk.tables.idempotency
                .prune(JobSequence.startOf(now.minus(JobStore.IDEMPOTENCY_WINDOW).plusMillis(1)), left());
    }

    private int forget(int rows, long endedBefore) throws SQLException {
        return desk.tables.ended.prune(rows, endedBefore, desk.keys.floor(now),
                (queue, gone) -> ended.add(new Forgotten(desk.line(queue), gone)));
    }

    private void bury(QueueIndex line) throws SQLException {
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

    void committed() {
        ended.forEach(some -> some.line.counts().ended.addAndGet(-some.count));
        for (Buried each : buried) {
            each.line.counts().dead.decrementAndGet();
            each.line.buried(each.place);
        }
    }

    int count() {
        return count;
    }
}
