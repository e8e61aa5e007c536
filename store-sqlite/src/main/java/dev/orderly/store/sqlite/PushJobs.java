package dev.orderly.store.sqlite;

import dev.orderly.job.IdempotencyKey;
import dev.orderly.job.JobSequence;
import dev.orderly.job.JobStore;
import dev.orderly.job.NewJob;
import dev.orderly.job.PushResult;
import dev.orderly.store.sqlite.JobRow.Place;
import dev.orderly.store.sqlite.JobRow.Tally;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#push}. */
final class PushJobs extends Request<List<PushResult>> {
    private final List<NewJob> jobs;
    private final Instant now;
    private final List<PushResult> results;
    private final List<Accepted> accepted;

    private record Accepted(Line line, JobRow row, NewJob job) {}

    PushJobs(List<NewJob> jobs, Instant now) {
        this.jobs = jobs;
        this.now = now;
        results = new ArrayList<>(jobs.size());
        accepted = new ArrayList<>(jobs.size());
    }

    @Override
    Kind kind() {
        return Kind.SHARED;
    }

    @Override
    int weight() {
        return jobs.size();
    }

    @Override
    void write(Desk desk) throws SQLException {
        results.clear();
        accepted.clear();
        for (NewJob job : jobs) {
            PushResult earlier = earlier(desk, job);
            results.add(earlier != null ? earlier : accept(desk, job));
        }
    }

    private @Nullable PushResult earlier(Desk desk, NewJob job) throws SQLException {
        IdempotencyKey key = job.idempotency();
        IdempotencyTable.First first = key == null ? null : firstUse(desk, key);
        if (key != null && first != null) {
            return first.fingerprint().equals(key.fingerprint())
                    ? new PushResult.Duplicate(desk.id(first.seq()))
                    : new PushResult.KeyReused(desk.id(first.seq()));
        }
        long same = job.dedupe() == null ? 0 : desk.remembered(job.dedupe(), now);
        if (same == 0) {
            return null;
        }
        remember(desk, key, same);
        return new PushResult.Duplicate(desk.id(same));
    }

    private IdempotencyTable.@Nullable First firstUse(Desk desk, IdempotencyKey key) throws SQLException {
        IdempotencyTable.First written = desk.pending.idempotency.get(key.key());
        long floor = JobSequence.startOf(now.minus(JobStore.IDEMPOTENCY_WINDOW).plusMillis(1));
        return written != null ? written : desk.tables.idempotency.find(key.key(), floor);
    }

    private PushResult accept(Desk desk, NewJob job) throws SQLException {
        Line line = desk.lines.of(job.queue());
        Instant runAt = job.runAt();
        long readyAt = runAt != null && runAt.isAfter(now) ? Columns.millis(runAt) : 0;
        Object lane = job.group() == null ? (Object) job.priority().number() : job.group();
        Place place = new Place(desk.sequence.next(now), lane, readyAt == 0 ? JobRow.WAITING : JobRow.DELAYED, readyAt);
        JobRow row = new JobRow(place, Tally.NONE, job.payload(), job.params(), job.user());
        desk.tables.jobs.insert(line.identity().id, row, job);
        if (job.dedupe() != null) {
            desk.pending.keys.put(job.dedupe(), place.seq());
        }
        remember(desk, job.idempotency(), place.seq());
        accepted.add(new Accepted(line, row, job));
        return new PushResult.Accepted(desk.id(place.seq()));
    }

    private void remember(Desk desk, @Nullable IdempotencyKey key, long seq) throws SQLException {
        if (key != null) {
            desk.tables.idempotency.insert(desk.sequence.next(now), key, seq);
            desk.pending.idempotency.put(key.key(), new IdempotencyTable.First(key.fingerprint(), seq));
        }
    }

    /** The answers as they will be if what was written is committed. */
    List<PushResult> results() {
        return results;
    }

    @Override
    List<PushResult> answer(Desk desk) {
        for (Accepted each : accepted) {
            each.line.counts().of(each.row.place().state()).incrementAndGet();
            each.line.pushed(each.row);
            if (each.job.dedupe() != null) {
                desk.remember(each.job.dedupe(), each.row.seq());
            }
        }
        return results;
    }
}
