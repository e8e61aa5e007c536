package dev.orderly.store.sqlite.port;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.NodeId;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.PushResult;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.sql.BatchColumns;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.IdempotencyTable;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.KeptKeyTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#push} in one transaction. */
public final class SqlitePushes {
    private final WriterState state;
    private final Instant now;
    private final List<Accepted> accepted = new ArrayList<>(1);
    private final List<Replaced> replaced = new ArrayList<>(0);
    /** The member of a batch that was checked last. */
    private @Nullable NewJob member;

    private record Accepted(QueueIndex index, StoredJob row, @Nullable NodeId claimer) {}

    private record Replaced(QueueIndex index, Place from, Place to) {}

    SqlitePushes(WriterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    public static WriteRequest<List<PushResult>> request(List<NewJob> jobs, Instant now) {
        return WriteRequest.shared(jobs.size(), state -> new SqlitePushes(state, now).write(jobs));
    }

    private Supplier<List<PushResult>> write(List<NewJob> jobs) throws SQLException {
        List<PushResult> results = new ArrayList<>(jobs.size());
        for (NewJob job : jobs) {
            results.add(write(job));
        }
        return () -> {
            Set<Long> handedOff = committed();
            return handedOff.isEmpty() ? results : results.stream().map(result -> answer(result, handedOff)).toList();
        };
    }

    private static PushResult answer(PushResult result, Set<Long> handedOff) {
        return result instanceof PushResult.Accepted(JobId id, boolean _)
                ? new PushResult.Accepted(id, handedOff.contains(id.sequence()))
                : result;
    }

    PushResult write(NewJob job) throws SQLException {
        PushResult earlier = earlier(job);
        return earlier != null ? earlier : accept(job);
    }

    /**
     * Adds the stored jobs to the indexes of their queues, so that they can be claimed, or claims them for their
     * claimers; returns the sequence numbers of the latter.
     */
    Set<Long> committed() {
        Set<Long> handedOff = Set.of();
        for (Accepted each : accepted) {
            each.index.counts().of(each.row.place().state()).incrementAndGet();
            if (handOff(each)) {
                handedOff = handedOff.isEmpty() ? new HashSet<>() : handedOff;
                handedOff.add(each.row.seq());
            } else {
                each.index.pushed(each.row);
            }
        }
        for (Replaced each : replaced) {
            each.index.counts().moved(each.from.state(), each.to.state());
            each.index.removed(each.from);
            each.index.reread(each.to);
        }
        return handedOff;
    }

    private boolean handOff(Accepted each) {
        NodeId node = each.claimer;
        if (node == null || each.index.identity().paused || !state.nodes.isAlive(node)
                || state.limits.of(each.index.name()).isPresent()
                || !each.index.mayHandOff(each.row, now.toEpochMilli())) {
            return false;
        }
        LockedJob locked = state.running.enterIfRoom(each.index, each.row, node, now.toEpochMilli());
        if (locked != null) {
            each.index.counts().running.incrementAndGet();
            each.index.handedOff(locked);
        }
        return locked != null;
    }

    private @Nullable PushResult earlier(NewJob job) throws SQLException {
        IdempotencyKey key = job.idempotency();
        IdempotencyTable.First byKey = key == null ? null : firstUse(key);
        if (key != null && byKey != null) {
            return byKey.fingerprint().equals(key.fingerprint())
                    ? new PushResult.Duplicate(state.ids.of(byKey.seq()))
                    : new PushResult.KeyReused(state.ids.of(byKey.seq()));
        }
        long newest = job.unique() == null ? 0 : newest(job.unique());
        if (newest != 0) {
            return same(job, newest);
        }
        DedupeKey dedupe = job.dedupe();
        if (dedupe != null && job.terms().dedupeFor() != null) {
            return kept(job, dedupe);
        }
        long first = dedupe == null ? 0 : state.keys.find(dedupe, now);
        if (dedupe == null || first == 0) {
            return null;
        }
        if (job.fingerprint() != null && !job.repeats(state.keys.fingerprint(dedupe, first))) {
            return new PushResult.DedupeReused(state.ids.of(first));
        }
        remember(key, first);
        return new PushResult.Duplicate(state.ids.of(first));
    }

    /** The newest job of a unique key that does not run; zero for none. Pushes of this transaction count. */
    private long newest(DedupeKey unique) throws SQLException {
        state.tables.flush();
        List<Long> newest = state.tables.jobs.terms.ofKey(unique, now.toEpochMilli(), seq -> !state.running.has(seq));
        return newest.isEmpty() ? 0 : newest.getFirst();
    }

    /** The answer to a push whose key has a job that does not run. */
    private PushResult same(NewJob job, long seq) throws SQLException {
        JobId id = state.ids.of(seq);
        JobTerms.Debounce debounce = job.terms().debounce();
        if (debounce == null) {
            remember(job.idempotency(), seq);
            return new PushResult.Duplicate(id);
        }
        if (!state.tables.jobs.terms.hasUserOf(seq, job)) {
            return new PushResult.DebounceReused(id);
        }
        JobTable.Found found = Objects.requireNonNull(state.tables.jobs.find(seq));
        Place from = found.place();
        Instant until = debounce.until(job.runAt(), id.pushedAt());
        long at = until == null ? 0 : ColumnCodecs.millis(until);
        Place to = at > now.toEpochMilli() && at > from.readyAt() ? from.stateAt(StoredJob.DELAYED, at) : from;
        state.tables.jobs.replace(found.queue(), from, to, job);
        replaced.add(new Replaced(state.index(found.queue()), from, to));
        remember(job.idempotency(), seq);
        return new PushResult.Replaced(id);
    }

    private @Nullable PushResult kept(NewJob job, DedupeKey dedupe) throws SQLException {
        KeptKeyTable.First first = state.tables.kept.find(dedupe, now.toEpochMilli());
        if (first == null) {
            return null;
        }
        if (!job.repeats(first.fingerprint())) {
            return new PushResult.DedupeReused(state.ids.of(first.seq()));
        }
        remember(job.idempotency(), first.seq());
        return new PushResult.Duplicate(state.ids.of(first.seq()));
    }

    private IdempotencyTable.@Nullable First firstUse(IdempotencyKey key) throws SQLException {
        long floor = JobSequence.startOf(now.minus(JobStore.IDEMPOTENCY_WINDOW).plusMillis(1));
        return state.tables.idempotency.find(key.key(), floor);
    }

    private PushResult accept(NewJob job) throws SQLException {
        checkBatch(job);
        QueueIndex index = state.queues.of(job.queue());
        Instant runAt = job.runAt();
        long readyAt = runAt != null && runAt.isAfter(now) ? ColumnCodecs.millis(runAt) : 0;
        String key = job.terms().key();
        Object lane = job.group() == null ? (Object) ClassNumber.of(job.priority(), key) : job.group();
        Place place = new Place(state.sequence.next(now), lane, readyAt == 0 ? StoredJob.WAITING : StoredJob.DELAYED,
                readyAt, key, Objects.requireNonNullElse(BatchColumns.number(job.terms()), 0L));
        StoredJob row = new StoredJob(place, Tally.NONE, job.payload(), job.params(), job.user(),
                job.trace(), job.terms());
        state.tables.jobs.insert(index.identity().id, row, job);
        if (job.dedupe() != null && job.terms().dedupeFor() != null) {
            state.tables.kept.insert(job.dedupe(), new KeptKeyTable.First(place.seq(), job.fingerprint(),
                    now.plus(job.dedupeFor()).toEpochMilli()));
        } else if (job.dedupe() != null) {
            state.keys.add(job.dedupe(), job.fingerprint(), place.seq());
        }
        remember(job.idempotency(), place.seq());
        accepted.add(new Accepted(index, row, job.claimer()));
        return new PushResult.Accepted(state.ids.of(place.seq()));
    }

    /** Asks once for members that are pushed together. */
    private void checkBatch(NewJob job) throws SQLException {
        if (job.terms().isMember() && (member == null || !Objects.equals(job.terms().batch(), member.terms().batch())
                || !Objects.equals(job.parent(), member.parent()))) {
            SqliteBatches.check(state, job);
            member = job;
        }
    }

    private void remember(@Nullable IdempotencyKey key, long seq) throws SQLException {
        if (key != null) {
            state.tables.idempotency.insert(state.sequence.next(now), key, seq);
        }
    }
}
