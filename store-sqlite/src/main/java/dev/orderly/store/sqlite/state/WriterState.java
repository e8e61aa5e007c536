package dev.orderly.store.sqlite.state;

import dev.orderly.job.store.JobSequence;
import dev.orderly.store.sql.JobIds;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.Statements;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import dev.orderly.time.StoredTime;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All that the writer works with. Its thread is the only one that changes any of it, so nothing is locked. */
public final class WriterState {
    public final JobIds ids;
    public final LockedJobs running;
    public final RoomRegistry rooms;
    public Statements tables;
    /** Views read it too. */
    public volatile QueueIndexes lines;
    public final NodeRegistry nodes;
    public DedupeKeys keys;
    public JobSequence sequence;
    public final StoredTime time;

    private WriterState(Connection connection, long salt, LockedJobsFile file, Time clock) throws SQLException {
        nodes = new NodeRegistry(clock);
        ids = new JobIds(salt);
        tables = new Statements(connection);
        running = new LockedJobs(file);
        lines = new QueueIndexes(tables, running);
        rooms = new RoomRegistry(connection, tables.rooms);
        long last = tables.queues.lastSequence();
        sequence = new JobSequence(last);
        keys = new DedupeKeys(tables.queues, last);
        Instant lastPush = JobSequence.timeOf(last);
        time = new StoredTime(lastPush.isAfter(file.jobsLatest()) ? lastPush : file.jobsLatest());
        rooms.sees(file.roomsLatest());
    }

    /**
     * Reads what cannot wait: rooms, queues, groups, and what ran when the last process died.
     *
     * @param clock by whose monotonic clock nodes are judged
     */
    public static WriterState restore(Connection connection, long salt, LockedJobsFile file, Time clock)
            throws SQLException {
        WriterState desk = new WriterState(connection, salt, file, clock);
        desk.lines.restore();
        desk.restoreRunning(file);
        desk.restoreLines();
        connection.commit();
        return desk;
    }

    private void restoreLines() throws SQLException {
        for (JobTable.Found dead : tables.queues.halting()) {
            line(dead.queue()).halted(dead.place());
        }
        for (QueueIndex line : lines.all()) {
            line.restore();
        }
    }

    /** Runs the writes that the requests of the transaction under way have collected. */
    public void flush() throws SQLException {
        rooms.write();
        tables.flush();
    }

    /** What the transaction has written counts from now on. */
    public void committed() {
        tables.committed();
        lines.committed();
        rooms.committed();
        keys.committed();
        running.transactionEnded();
    }

    /** Drops what the transaction under way has written. The next statements are begun afresh. */
    public void rolledBack() throws SQLException {
        running.transactionEnded();
        keys.rolledBack();
        lines.rolledBack();
        rooms.rolledBack();
        tables.rolledBack();
    }

    /**
     * Makes memory anew from the file, on a new connection. What the file does not know stays: who runs what, beats, who is
     * present in rooms.
     */
    public void reopen(Connection connection) throws SQLException {
        running.transactionEnded();
        tables = new Statements(connection);
        rooms.reopen(connection, tables.rooms);
        lines = new QueueIndexes(tables, running);
        lines.restore();
        long last = Math.max(sequence.next(Instant.EPOCH), tables.queues.lastSequence());
        sequence = new JobSequence(last);
        keys = new DedupeKeys(tables.queues, last);
        for (LockedJob before : running.all().stream().sorted(Comparator.comparingLong(LockedJob::seq)).toList()) {
            JobTable.Found found = tables.jobs.find(before.seq());
            if (found == null || settled(found, before.attempt())) {
                running.leave(before);
            } else {
                hold(found, before);
            }
        }
        restoreLines();
        connection.commit();
    }

    private void hold(JobTable.Found found, LockedJob before) {
        QueueIndex line = line(found.queue());
        Tally tally = new Tally(before.attempt(), found.tally().failures(), found.tally().crashes());
        LockedJob claim = running.again(line, found.place(), tally, before);
        line.counts().running.incrementAndGet();
        line.held(claim);
        claim.mayHaveRun = before.mayHaveRun;
    }

    /** Settled, or settled and its slot not yet cleared: then the stored attempt is as high. */
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
            QueueIndex line = line(found.queue());
            Tally tally = new Tally(entry.attempt(), found.tally().failures(), found.tally().crashes());
            LockedJob claim = new LockedJob(line, found.place(), tally, entry.slot());
            running.restore(claim);
            line.counts().running.incrementAndGet();
            line.held(claim);
            byNode.computeIfAbsent(entry.node(), _ -> new ArrayList<>()).add(claim);
        }
        byNode.values().forEach(LockedJobs::diedTogether);
    }

    public QueueIndex line(int id) {
        return lines.get(id);
    }

    /** How many ended jobs are kept; too few until the first count is in. */
    public long endedRows() {
        return lines.all().stream().mapToLong(line -> line.counts().ended.get()).sum();
    }

    /** Keeps the moments up to which jobs and rooms have come for the next process: before a caller has its answer. */
    public void noteLatest() {
        running.note(latest(), rooms.latest());
    }

    /** The latest moment any caller named, as it is stored: what views take for now. */
    public Instant latest() {
        return time.latest();
    }
}
