package dev.orderly.store.sqlite;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobSequence;
import dev.orderly.job.JobStore;
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
    final long salt;
    final Running running;
    final Rooms rooms;
    Tables tables;
    /** Views read it too. */
    volatile Lines lines;
    final Nodes nodes;
    final Pending pending = new Pending();
    JobSequence sequence;
    final StoredTime time;
    private RecentKeys keys = new RecentKeys(JobStore.DEDUPE_WINDOW);
    private long lastBefore;
    private boolean keysRead;

    private Desk(Connection connection, long salt, RunningFile file, Time clock) throws SQLException {
        nodes = new Nodes(clock);
        this.salt = salt;
        tables = new Tables(connection);
        running = new Running(file);
        lines = new Lines(tables, running);
        rooms = new Rooms(connection, tables.rooms);
        lastBefore = tables.queues.lastSequence();
        sequence = new JobSequence(lastBefore);
        Instant lastPush = JobSequence.timeOf(lastBefore);
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

    /** Drops what the transaction under way has written. The next statements are begun afresh. */
    void rolledBack() throws SQLException {
        pending.clear();
        lines.rolledBack();
        rooms.rolledBack();
        tables.forget();
    }

    /**
     * Makes memory anew from the file, on a new connection. What the file does not know stays: who runs what, beats, who is
     * present in rooms.
     */
    void reopen(Connection connection) throws SQLException {
        pending.clear();
        tables = new Tables(connection);
        rooms.reopen(connection, tables.rooms);
        lines = new Lines(tables, running);
        lines.restore();
        lastBefore = Math.max(sequence.next(Instant.EPOCH), tables.queues.lastSequence());
        sequence = new JobSequence(lastBefore);
        keys = new RecentKeys(JobStore.DEDUPE_WINDOW);
        keysRead = false;
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

    JobId id(long seq) {
        return JobId.of(seq, salt);
    }

    /** Whether this store could have made the id. */
    boolean isOurs(JobId id) {
        return id(id.sequence()).equals(id);
    }

    Line line(int id) {
        Line line = lines.find(id);
        if (line == null) {
            throw new IllegalStateException("A job is of queue number " + id + ", which is not in table queue");
        }
        return line;
    }

    /** How many ended jobs are kept; too few until the first count is in. */
    long endedRows() {
        return lines.all().stream().mapToLong(line -> line.counts().ended.get()).sum();
    }

    /** The latest moment any caller named, as it is stored: what views take for now. */
    Instant latest() {
        return time.latest();
    }

    /** The number of the push that a dedupe key stands for, zero if it is new. */
    long remembered(DedupeKey key, Instant now) throws SQLException {
        if (!keysRead) {
            readKeys(now);
        }
        Long written = pending.keys.get(key);
        return written != null ? written : keys.find(key, now);
    }

    /** After the commit: from here on the keys count for all. */
    void remember(DedupeKey key, long seq) {
        keys.add(key, seq);
    }

    void expireKeys(Instant now) {
        keys.expire(now);
    }

    /** The first number whose dedupe key still counts. */
    long keyFloor(Instant now) {
        return keys.floor(now);
    }

    /** Reads the window once, when the first key is asked for: an idle start need not wait for it. */
    private void readKeys(Instant now) throws SQLException {
        long window = JobSequence.startOf(Instant.EPOCH.plus(JobStore.DEDUPE_WINDOW));
        long from = Math.max(keys.floor(now), lastBefore - window);
        tables.queues.keysSince(from, (seq, key) -> {
            if (seq <= lastBefore) {
                keys.add(key, seq);
            }
        });
        keysRead = true;
    }
}
