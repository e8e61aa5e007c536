package dev.orderly.store.sqlite;

import dev.orderly.job.JobSequence;
import dev.orderly.store.sql.JobIds;
import dev.orderly.store.sqlite.JobRow.Tally;
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
final class Desk {
    final JobIds ids;
    final Running running;
    final Rooms rooms;
    Tables tables;
    /** Views read it too. */
    volatile Lines lines;
    final Nodes nodes;
    DedupeKeys keys;
    JobSequence sequence;
    final StoredTime time;

    private Desk(Connection connection, long salt, RunningFile file, Time clock) throws SQLException {
        nodes = new Nodes(clock);
        ids = new JobIds(salt);
        tables = new Tables(connection);
        running = new Running(file);
        lines = new Lines(tables, running);
        rooms = new Rooms(connection, tables.rooms);
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
    static Desk restore(Connection connection, long salt, RunningFile file, Time clock) throws SQLException {
        Desk desk = new Desk(connection, salt, file, clock);
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
        for (Line line : lines.all()) {
            line.restore();
        }
    }

    /** Runs the writes that the requests of the transaction under way have collected. */
    void flush() throws SQLException {
        rooms.write();
        tables.flush();
    }

    /** What the transaction has written counts from now on. */
    void committed() {
        tables.committed();
        lines.committed();
        rooms.committed();
        keys.committed();
        running.transactionEnded();
    }

    /** Drops what the transaction under way has written. The next statements are begun afresh. */
    void rolledBack() throws SQLException {
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
    void reopen(Connection connection) throws SQLException {
        running.transactionEnded();
        tables = new Tables(connection);
        rooms.reopen(connection, tables.rooms);
        lines = new Lines(tables, running);
        lines.restore();
        long last = Math.max(sequence.next(Instant.EPOCH), tables.queues.lastSequence());
        sequence = new JobSequence(last);
        keys = new DedupeKeys(tables.queues, last);
        for (Claim before : running.all().stream().sorted(Comparator.comparingLong(Claim::seq)).toList()) {
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

    private void hold(JobTable.Found found, Claim before) {
        Line line = line(found.queue());
        Tally tally = new Tally(before.attempt(), found.tally().failures(), found.tally().crashes());
        Claim claim = running.again(line, found.place(), tally, before);
        line.counts().running.incrementAndGet();
        line.held(claim);
        claim.mayHaveRun = before.mayHaveRun;
    }

    /** Settled, or settled and its slot not yet cleared: then the stored attempt is as high. */
    private static boolean settled(JobTable.Found found, int attempt) {
        return found.place().state() >= JobRow.DEAD || found.tally().attempt() >= attempt;
    }

    private void restoreRunning(RunningFile file) throws SQLException {
        List<RunningFile.Entry> entries = file.entries();
        Map<Integer, List<Claim>> byNode = new HashMap<>();
        for (RunningFile.Entry entry : entries) {
            JobTable.Found found = tables.jobs.find(entry.sequence());
            if (found == null || settled(found, entry.attempt()) || running.has(entry.sequence())) {
                file.clear(entry.slot());
                continue;
            }
            Line line = line(found.queue());
            Tally tally = new Tally(entry.attempt(), found.tally().failures(), found.tally().crashes());
            Claim claim = new Claim(line, found.place(), tally, entry.slot());
            running.restore(claim);
            line.counts().running.incrementAndGet();
            line.held(claim);
            byNode.computeIfAbsent(entry.node(), _ -> new ArrayList<>()).add(claim);
        }
        byNode.values().forEach(Running::diedTogether);
    }

    Line line(int id) {
        return lines.get(id);
    }

    /** How many ended jobs are kept; too few until the first count is in. */
    long endedRows() {
        return lines.all().stream().mapToLong(line -> line.counts().ended.get()).sum();
    }

    /** Keeps the moments up to which jobs and rooms have come for the next process: before a caller has its answer. */
    void noteLatest() {
        running.note(latest(), rooms.latest());
    }

    /** The latest moment any caller named, as it is stored: what views take for now. */
    Instant latest() {
        return time.latest();
    }
}
