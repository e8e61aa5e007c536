package dev.orderly.store.sqlite.state;

import dev.orderly.job.JobTerms;
import dev.orderly.job.QueueName;
import dev.orderly.job.limit.LimitTable;
import dev.orderly.job.limit.StartAllowance;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.SqliteLeaseTable;
import dev.orderly.store.sqlite.table.Statements;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import dev.orderly.time.StoredTime;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The state of the writer. Only the writer's thread changes it, so there are no locks. */
public final class WriterState implements AutoCloseable {
    public final DatabaseJobIds ids;
    public final SqliteLockedJobs running;
    public final RoomRegistry rooms;
    public Statements tables;
    /** Also read by views. */
    public volatile QueueIndexes queues;
    public final NodeRegistry nodes;
    /** Views read it too. What it has taken stays when the file is reopened: it is never less than what is stored. */
    public final LimitTable limits = new LimitTable();
    public DedupeKeys keys;
    public JobSequence sequence;
    public final StoredTime time;
    /** The last job whose events upkeep has swept. */
    public long eventsSwept;

    private final MemoryBounds bounds;
    private final Path keyFile;
    private final Time leaseClock;

    private WriterState(Connection connection, long salt, LockedJobsFile file, Time clock, MemoryBounds bounds,
            Path keyFile) throws SQLException {
        this.bounds = bounds;
        this.keyFile = keyFile;
        this.leaseClock = Time.steady(clock, Instant.MIN);
        nodes = new NodeRegistry(clock);
        ids = new DatabaseJobIds(salt);
        tables = new Statements(connection, bounds.mergeAt());
        running = new SqliteLockedJobs(file);
        queues = new QueueIndexes(tables, running, limits, this::leaseNow);
        rooms = new RoomRegistry(connection, tables.rooms);
        long last = tables.queues.lastSequence();
        sequence = new JobSequence(last);
        keys = new DedupeKeys(tables.queues, last, window());
        Instant lastPush = JobSequence.timeOf(last);
        time = new StoredTime(lastPush.isAfter(file.jobsLatest()) ? lastPush : file.jobsLatest());
        rooms.observe(file.roomsLatest());
    }

    /**
     * Reads the state that is needed from the start: rooms, queues, groups, and the jobs that ran when the last process
     * died.
     *
     * @param clock its monotonic clock decides which nodes are dead
     * @param keyFile scratch files for dedupe keys that do not fit into memory have this name with a number
     */
    public static WriterState restore(Connection connection, long salt, LockedJobsFile file, Time clock,
            MemoryBounds bounds, Path keyFile) throws SQLException {
        WriterState state = new WriterState(connection, salt, file, clock, bounds, keyFile);
        state.queues.restore();
        state.tables.limits.restore(state.limits);
        state.tables.rests.restore(state.limits);
        state.restoreLeases();
        state.restoreRunning(file);
        state.restoreCancellations();
        state.restoreQueues();
        connection.commit();
        return state;
    }

    private DedupeWindow window() {
        return new DedupeWindow(JobStore.DEDUPE_WINDOW, bounds.keyBytes(), keyFile);
    }

    private void restoreQueues() throws SQLException {
        for (JobTable.Found dead : tables.queues.halting()) {
            index(dead.queue()).halted(dead.place());
        }
        for (QueueIndex index : queues.all()) {
            index.restore();
            if (index instanceof StandardQueueIndex standard) {
                standard.keyed.restore(tables.rests);
            }
        }
    }

    /** Runs the collected writes of the transaction under way. */
    public void flush() throws SQLException {
        rooms.write();
        tables.flush();
    }

    /** Applies the committed transaction. */
    public void committed() {
        tables.committed();
        queues.committed();
        rooms.committed();
        keys.committed();
        running.transactionEnded();
    }

    /** Discards the transaction under way. */
    public void rolledBack() throws SQLException {
        running.transactionEnded();
        keys.rolledBack();
        queues.rolledBack();
        rooms.rolledBack();
        tables.rolledBack();
    }

    /**
     * Rebuilds memory from the file, on a new connection. State that is not in the file stays: claims, heartbeats,
     * presence in rooms.
     */
    public void reopen(Connection connection) throws SQLException {
        running.transactionEnded();
        tables = new Statements(connection, bounds.mergeAt());
        rooms.reopen(connection, tables.rooms);
        queues = new QueueIndexes(tables, running, limits, this::leaseNow);
        queues.restore();
        long last = Math.max(sequence.next(Instant.EPOCH), tables.queues.lastSequence());
        sequence = new JobSequence(last);
        keys.close();
        keys = new DedupeKeys(tables.queues, last, window());
        for (LockedJob before : running.all().stream().sorted(Comparator.comparingLong(LockedJob::seq)).toList()) {
            JobTable.Found found = tables.jobs.find(before.seq());
            if (found == null || settled(found, before.attempt())) {
                running.leave(before);
            } else {
                restoreLocked(found, before);
            }
        }
        restoreLeases();
        restoreCancellations();
        restoreQueues();
        connection.commit();
    }

    /** Reads the leases; a lease of an attempt that memory knows replaces what memory knows about it. */
    private void restoreLeases() throws SQLException {
        for (SqliteLeaseTable.Row row : tables.leases.all()) {
            LockedJob known = running.find(row.seq());
            if (known != null && known.attempt() == row.attempt()) {
                running.lease(known, row.lease());
            } else if (known == null) {
                JobTable.Found found = tables.jobs.find(row.seq());
                if (found != null) {
                    Tally tally = new Tally(row.attempt(), found.tally().failures(), found.tally().crashes());
                    restore(new LockedJob(index(found.queue()), found.place(), tally, SqliteLockedJobs.NO_SLOT),
                            row.lease());
                }
            }
        }
    }

    private void restore(LockedJob locked, SqliteLeaseTable.Lease lease) {
        restore(locked);
        running.lease(locked, lease);
    }

    private void restore(LockedJob locked) {
        running.restore(locked);
        locked.index.counts().running.incrementAndGet();
        locked.index.restored(locked);
    }

    /**
     * Reads the requests to cancel. A job that is not known to run, since the file of running jobs was lost, is locked
     * as one of a dead node, so that the next upkeep ends it.
     */
    private void restoreCancellations() throws SQLException {
        for (long seq : tables.cancellations.all()) {
            LockedJob known = running.find(seq);
            JobTable.Found found = known == null ? tables.jobs.find(seq) : null;
            if (found != null && found.place().state() < StoredJob.DEAD) {
                known = new LockedJob(index(found.queue()), found.place(), found.tally(), SqliteLockedJobs.NO_SLOT);
                restore(known);
            }
            if (known != null) {
                known.cancelAsked = true;
            }
        }
    }

    private void restoreLocked(JobTable.Found found, LockedJob before) {
        QueueIndex index = index(found.queue());
        Tally tally = new Tally(before.attempt(), found.tally().failures(), found.tally().crashes());
        LockedJob locked = running.rebuilt(index, found.place(), tally, before);
        index.counts().running.incrementAndGet();
        index.restored(locked);
        locked.mayHaveRun = before.mayHaveRun;
    }

    /**
     * Whether the attempt was settled, perhaps before its slot was cleared: then the stored attempt number is as high.
     */
    private static boolean settled(JobTable.Found found, int attempt) {
        return found.place().state() >= StoredJob.DEAD || found.tally().attempt() >= attempt;
    }

    private void restoreRunning(LockedJobsFile file) throws SQLException {
        List<LockedJobsFile.Entry> entries = file.entries();
        Map<Integer, List<LockedJob>> byNode = new HashMap<>();
        for (LockedJobsFile.Entry entry : entries) {
            JobTable.Found found = tables.jobs.find(entry.sequence());
            if (found == null || settled(found, entry.attempt()) || running.has(entry.sequence())) {
                file.clear(entry.slot());
                continue;
            }
            QueueIndex index = index(found.queue());
            Tally tally = new Tally(entry.attempt(), found.tally().failures(), found.tally().crashes());
            LockedJob locked = new LockedJob(index, found.place(), tally, entry.slot());
            restore(locked);
            byNode.computeIfAbsent(entry.node(), _ -> new ArrayList<>()).add(locked);
        }
        byNode.values().forEach(SqliteLockedJobs::diedTogether);
    }

    @Override
    public void close() {
        keys.close();
    }

    public QueueIndex index(int id) {
        return queues.get(id);
    }

    /** Number of ended jobs in the file; too low until the first count is complete. */
    public long endedRows() {
        return queues.all().stream().mapToLong(index -> index.counts().ended.get()).sum();
    }

    /** Records the latest moments of jobs and rooms for the next process. Called before a caller gets its answer. */
    public void noteLatest() {
        running.note(latest(), rooms.latest());
    }

    /** What the limit of a queue lets start now. */
    public StartAllowance room(QueueName queue) {
        return limits.room(queue, this::running, leaseNow());
    }

    /** Number of jobs of a queue that run, leased jobs and those of dead nodes among them. */
    public int running(QueueName queue) {
        QueueIndex index = queues.find(queue);
        return index == null ? 0 : Math.toIntExact(index.counts().running.get());
    }

    /** The present, by the store's clock, for leases: Unix milliseconds. */
    public long leaseNow() {
        return leaseClock.now().toEpochMilli();
    }

    /** Terms as stored, with their moment by the clock of callers. */
    public JobTerms clock(JobTerms stored) {
        return stored.expiresAt() == null ? stored : stored.withExpiresAt(time.clockTime(stored.expiresAt()));
    }

    /** The latest moment of any call, in stored time: the present of views. */
    public Instant latest() {
        return time.latest();
    }
}
