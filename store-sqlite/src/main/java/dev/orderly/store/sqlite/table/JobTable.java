package dev.orderly.store.sqlite.table;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.Payload;
import dev.orderly.job.search.ErrorShape;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.sql.AttemptColumn;
import dev.orderly.store.sql.ClassNumber;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.ParamsColumn;
import dev.orderly.store.sqlite.table.DeferredWrites.DeferredWrite;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import dev.orderly.store.sqlite.table.StoredJob.Tally;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Statements on table {@code job}. Writes are collected in {@link DeferredWrites}. */
public final class JobTable {
    static final String COLUMNS = "SELECT job.seq, job.lane, state, ready_at, attempt, failures, crashes, user,"
            + " params, content_type, payload, trace, batch";
    private static final String ROW = COLUMNS + " FROM job WHERE ";
    // Numbers of the columns: each claim reads them, and the driver looks for a name in all columns of a row.
    private static final int SEQ = 1;
    private static final int LANE = 2;
    private static final int STATE = 3;
    private static final int READY_AT = 4;
    private static final int ATTEMPT = 5;
    private static final int FAILURES = 6;
    private static final int CRASHES = 7;
    private static final int USER = 8;
    private static final int PARAMS = 9;
    private static final int CONTENT_TYPE = 10;
    private static final int PAYLOAD = 11;
    private static final int TRACE = 12;
    private static final int BATCH = 13;
    private static final int QUEUE = 14;

    private final DeferredWrite insert;
    private final DeferredWrite move;
    private final DeferredWrite origin;
    /** What jobs say in place of their queues. */
    public final JobTermsTable terms;
    /** The jobs with keys. */
    public final KeyRows keys;
    private final DeferredWrite redrive;
    private final DeferredWrite clear;
    private final DeferredWrite alone;
    private final DeferredWrite delete;
    private final PreparedStatement waiting;
    private final PreparedStatement recent;
    private final PreparedStatement scan;
    private final PreparedStatement delayed;
    private final PreparedStatement bySeq;
    private final PreparedStatement history;
    private final PreparedStatement loneCrashes;
    private final PreparedStatement dead;
    private final PreparedStatement expiredDead;
    private final LaneIndex lanes;
    private final BatchRows batches;
    private final ParamsColumn params = new ParamsColumn();

    JobTable(Connection connection, DeferredWrites writes, LaneIndex lanes, BatchRows batches) throws SQLException {
        this.lanes = lanes;
        this.batches = batches;
        insert = writes.prepare("""
                INSERT INTO job(seq, queue, lane, state, ready_at, user, dedupe, params, content_type, payload,
                  trace, batch, flow_key)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""");
        move = writes.prepare("""
                UPDATE job SET state = ?, ready_at = ?, attempt = ?, failures = ?, crashes = ?,
                  progress = coalesce(?, progress), failure = coalesce(?, failure),
                  failure_detail = coalesce(?, failure_detail), error = ?, history = coalesce(?, history)
                WHERE seq = ?""");
        origin = writes.prepare("UPDATE job SET origin = ? WHERE seq = ?");
        terms = new JobTermsTable(connection, writes);
        keys = new KeyRows(connection, params, lanes.keyed);
        history = connection.prepareStatement("SELECT history FROM job WHERE seq = ?");
        loneCrashes = connection.prepareStatement("SELECT lone_crashes FROM job WHERE seq = ?");
        alone = writes.prepare("UPDATE job SET lone_crashes = ? WHERE seq = ?");
        clear = writes.prepare("UPDATE job SET crashes = max(0, crashes - 1),"
                + " lone_crashes = max(0, lone_crashes - ?) WHERE seq = ?");
        redrive = writes.prepare("""
                UPDATE job SET state = WAITING, ready_at = NULL, failures = 0, crashes = 0, lone_crashes = 0,
                  failure = NULL, failure_detail = NULL, error = NULL
                WHERE seq = ?""");
        delete = writes.prepare("DELETE FROM job WHERE seq = ?");
        waiting = StoredJob.prepare(connection,
                COLUMNS + " FROM lane_index AS entry CROSS JOIN job ON job.seq = entry.seq"
                        + " WHERE entry.queue = ? AND entry.lane = ? AND entry.seq > ? AND state = WAITING"
                        + " ORDER BY entry.seq");
        scan = StoredJob.prepare(connection,
                COLUMNS + ", queue FROM job NOT INDEXED WHERE seq > ? AND state = WAITING ORDER BY seq LIMIT ?");
        recent = StoredJob.prepare(connection, ROW + "seq = ? AND state = WAITING");
        delayed = StoredJob.prepare(connection, ROW
                + "state = DELAYED AND queue = ? AND lane = ? AND (ready_at, seq) > (?, ?) ORDER BY ready_at, seq");
        bySeq = StoredJob.prepare(connection,
                "SELECT seq, lane, state, ready_at, attempt, failures, crashes, queue, batch FROM job WHERE seq = ?");
        dead = StoredJob.prepare(connection,
                "SELECT seq, lane, state, batch FROM job WHERE state >= DEAD AND queue = ? ORDER BY seq LIMIT ?");
        expiredDead = StoredJob.prepare(connection, "SELECT seq, lane, state, batch FROM job WHERE state >= DEAD"
                + " AND queue = ? AND seq < ? AND state = DEAD AND ready_at < ? ORDER BY seq LIMIT ?");
    }

    public void insert(int queue, StoredJob row, NewJob job) throws SQLException {
        Place place = row.place();
        PreparedStatement into = insert.next();
        into.setLong(1, place.seq());
        into.setInt(2, queue);
        into.setObject(3, place.lane());
        into.setInt(4, place.state());
        moment(into, 5, place.readyAt());
        into.setString(6, UserId.column(row.user()));
        into.setBytes(7, job.terms().dedupeFor() == null ? ColumnCodecs.keys(job.dedupe(), job.fingerprint()) : null);
        into.setString(8, params.write(row.params(), row.terms()));
        into.setString(9, contentType(row.payload()));
        into.setBytes(10, row.payload().bytes());
        into.setString(11, TraceContext.column(row.trace()));
        into.setObject(12, place.batch() == 0 ? null : place.batch());
        into.setString(13, place.key());
        into.addBatch();
        batches.pushed(place);
        if (job.origin() != null) {
            PreparedStatement from = origin.next();
            from.setLong(1, job.origin().sequence());
            from.setLong(2, place.seq());
            from.addBatch();
        }
        terms.insert(place.seq(), job);
        lanes.add(queue, place);
    }

    /** Stores the new state of a job. */
    public void move(int queue, Move job, Report report) throws SQLException {
        JobFailure failure = report.failure;
        JobAttempt ended = report.ended;
        String kept = ended == null ? null : AttemptColumn.appended(history(job.to.seq()), ended);
        PreparedStatement into = move.next();
        into.setInt(1, job.to.state());
        moment(into, 2, job.to.readyAt());
        into.setInt(3, job.tally.attempt());
        into.setInt(4, job.tally.failures());
        into.setInt(5, job.tally.crashes());
        into.setString(6, report.progress);
        into.setString(7, failure == null ? null : failure.summary());
        into.setString(8, failure == null ? null : failure.detail());
        error(into, 9, job.to.state() >= StoredJob.DEAD, failure);
        into.setString(10, kept);
        into.setLong(11, job.to.seq());
        into.addBatch();
        batches.moved(job.from, job.to);
        moveLane(queue, job.from, job.to);
    }

    /** Stores what a later push of its debounce key says of a job, and its new place. */
    public void replace(int queue, Place from, Place to, NewJob later) throws SQLException {
        terms.replace(to, later);
        moveLane(queue, from, to);
    }

    private void moveLane(int queue, Place from, Place to) throws SQLException {
        if (from.state() != to.state()) {
            lanes.remove(queue, from);
            lanes.add(queue, to);
        }
    }

    private @Nullable String history(long seq) throws SQLException {
        history.setLong(1, seq);
        try (ResultSet row = history.executeQuery()) {
            return row.next() ? row.getString(1) : null;
        }
    }

    /**
     * What is stored with a change of state; what is null stays as it is.
     *
     * @param ended the attempt that ended with this change
     */
    public record Report(@Nullable String progress, @Nullable JobFailure failure, @Nullable JobAttempt ended) {
        public static final Report NONE = new Report(null, null, null);
    }

    /** A change of state of a job. */
    public record Move(Place from, Place to, Tally tally) {}

    public void redrive(int queue, Place dead) throws SQLException {
        redrive.next().setLong(1, dead.seq());
        redrive.next().addBatch();
        terms.unexpire(dead.seq());
        Place waits = dead.stateAt(StoredJob.WAITING, 0);
        batches.moved(dead, waits);
        lanes.add(queue, waits);
    }

    /** Counts a crash at which no other job may have run; returns their number. */
    public int crashedAlone(long seq) throws SQLException {
        loneCrashes.setLong(1, seq);
        try (ResultSet row = loneCrashes.executeQuery()) {
            int count = row.next() ? row.getInt(1) + 1 : 1;
            alone.next().setInt(1, count);
            alone.next().setLong(2, seq);
            alone.next().addBatch();
            return count;
        }
    }

    /** Undoes a crash that was counted for a node that came back. */
    public void clear(long seq, boolean wasAlone) throws SQLException {
        clear.next().setInt(1, wasAlone ? 1 : 0);
        clear.next().setLong(2, seq);
        clear.next().addBatch();
    }

    /**
     * Deletes a job that has ended, whose row was copied.
     *
     * @param ending as in {@link EndedJobTable.End}
     */
    public void end(int queue, Place place, int ending) throws SQLException {
        batches.ended(place, ending);
        delete(queue, place);
    }

    /** Deletes a dead letter that is kept no more: its batch goes on to count it as dead. */
    public void delete(int queue, Place place) throws SQLException {
        delete.next().setLong(1, place.seq());
        delete.next().addBatch();
        lanes.remove(queue, place);
    }

    /** Reads the wanted waiting jobs of a lane after {@code after}, until the sink returns false. */
    public void waiting(Lane lane, long after, LongPredicate wanted, Predicate<StoredJob> sink) throws SQLException {
        waiting.setInt(1, lane.queue());
        waiting.setObject(2, lane.lane());
        waiting.setLong(3, after);
        SequenceList rest = walk(waiting, params, wanted, sink) ? lanes.recent(lane) : null;
        for (int i = rest == null ? 0 : rest.after(after); rest != null && i < rest.size(); i++) {
            if (wanted.test(rest.get(i))) {
                recent.setLong(1, rest.get(i));
                if (!walk(recent, params, wanted, sink)) {
                    return;
                }
            }
        }
    }

    /**
     * Reads the wanted waiting jobs of all queues in push order, until the sink returns false.
     *
     * @param limit number of jobs to look at
     * @return the last sequence number that was looked at
     */
    public long scan(long after, int limit, Wanted wanted, Predicate<StoredJob> sink) throws SQLException {
        scan.setLong(1, after);
        scan.setInt(2, limit);
        long last = after;
        try (ResultSet rows = scan.executeQuery()) {
            boolean more = true;
            while (more && rows.next()) {
                last = rows.getLong(SEQ);
                if (wanted.test(rows.getInt(QUEUE), rows.getObject(LANE), last)) {
                    more = sink.test(job(rows, params));
                }
            }
        }
        return last;
    }

    /** Decides by queue, lane and sequence number whether a job is read. */
    @FunctionalInterface
    public interface Wanted {
        boolean test(int queue, Object lane, long seq);
    }

    /**
     * Reads the wanted delayed jobs of a lane in the order in which they become due, after a given position, until the
     * sink returns false.
     */
    public void delayed(Lane lane, Due after, LongPredicate wanted, Predicate<StoredJob> sink) throws SQLException {
        delayed.setInt(1, lane.queue());
        delayed.setObject(2, lane.lane());
        delayed.setLong(3, after.at());
        delayed.setLong(4, after.seq());
        walk(delayed, params, wanted, sink);
    }

    /** A group, or a priority class of a standard queue: the unit of the SQL indexes. */
    public record Lane(int queue, Object lane) {}

    /** A position in the order of delayed jobs. */
    public record Due(long at, long seq) implements Comparable<Due> {
        public static final Due NEVER_READ = new Due(Long.MIN_VALUE, 0);

        @Override
        public int compareTo(Due other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(seq, other.seq);
        }
    }

    /** A job found by its sequence number. */
    public record Found(Place place, Tally tally, int queue) {}

    @Nullable
    public Found find(long seq) throws SQLException {
        bySeq.setLong(1, seq);
        try (ResultSet rows = bySeq.executeQuery()) {
            return rows.next()
                    ? new Found(place(rows, key(rows), rows.getLong("batch")), tally(rows), rows.getInt("queue"))
                    : null;
        }
    }

    /** Dead letters, oldest first. */
    public void dead(int queue, int limit, Predicate<Place> sink) throws SQLException {
        dead.setInt(1, queue);
        dead.setInt(2, limit);
        places(dead, sink);
    }

    /** Dead letters that do not halt their group, pushed before a sequence number and dead before a moment. */
    public void expiredDead(int queue, long before, long diedBefore, int limit, Predicate<Place> sink)
            throws SQLException {
        expiredDead.setInt(1, queue);
        expiredDead.setLong(2, before);
        expiredDead.setLong(3, diedBefore);
        expiredDead.setInt(4, limit);
        places(expiredDead, sink);
    }

    /** Reads the wanted jobs; false if the sink has returned false. */
    static boolean walk(PreparedStatement query, ParamsColumn params, LongPredicate wanted, Predicate<StoredJob> sink)
            throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            boolean more = true;
            while (more && rows.next()) {
                if (wanted.test(rows.getLong(SEQ))) {
                    more = sink.test(job(rows, params));
                }
            }
            return more;
        }
    }

    private static StoredJob job(ResultSet rows, ParamsColumn params) throws SQLException {
        ParamsColumn.Value said = params.read(rows.getString(PARAMS));
        return new StoredJob(place(rows, said.terms().key(), rows.getLong(BATCH)), tally(rows),
                payload(rows.getString(CONTENT_TYPE), rows.getBytes(PAYLOAD)), said.params(),
                UserId.ofStored(rows.getString(USER)), TraceContext.ofStored(rows.getString(TRACE)), said.terms());
    }

    private void places(PreparedStatement query, Predicate<Place> sink) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            boolean more = true;
            while (more && rows.next()) {
                more = sink.test(new Place(rows.getLong(SEQ), rows.getObject(LANE), rows.getInt(STATE), 0, key(rows),
                        rows.getLong("batch")));
            }
        }
    }

    static @Nullable String contentType(Payload payload) {
        return payload.contentType().equals(Payload.JSON) ? null : payload.contentType();
    }

    public static Payload payload(@Nullable String contentType, byte[] bytes) {
        return new Payload(contentType == null ? Payload.JSON : contentType, bytes);
    }

    private static Place place(ResultSet rows, @Nullable String key, long batch) throws SQLException {
        return new Place(rows.getLong(SEQ), rows.getObject(LANE), rows.getInt(STATE), rows.getLong(READY_AT), key,
                batch);
    }

    /** The key of a job, of which the row does not have the terms. */
    private @Nullable String key(ResultSet rows) throws SQLException {
        return rows.getObject(LANE) instanceof Integer number && ClassNumber.hasKey(number)
                ? terms.of(rows.getLong(SEQ)).key()
                : null;
    }

    private static Tally tally(ResultSet rows) throws SQLException {
        int attempt = rows.getInt(ATTEMPT);
        return attempt == 0 ? Tally.NONE : new Tally(attempt, rows.getInt(FAILURES), rows.getInt(CRASHES));
    }

    /** Binds the error of a dead letter; jobs in other states have none. */
    private static void error(PreparedStatement into, int column, boolean dead, @Nullable JobFailure failure)
            throws SQLException {
        if (dead) {
            into.setLong(column, failure == null ? 0 : ErrorShape.fingerprint(failure).value());
        } else {
            into.setNull(column, Types.INTEGER);
        }
    }

    static void moment(PreparedStatement into, int column, long millis) throws SQLException {
        if (millis == 0) {
            into.setNull(column, Types.INTEGER);
        } else {
            into.setLong(column, millis);
        }
    }
}
