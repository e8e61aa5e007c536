package dev.orderly.store.sqlite.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The prepared statements of the writer's connection. */
public final class Statements {
    public final SqliteQueueTable queues;
    public final JobTable jobs;
    public final EndedJobTable ended;
    public final SqliteLeaseTable leases;
    public final CancellationTable cancellations;
    public final IdempotencyTable idempotency;
    public final KeptKeyTable kept;
    public final RoomTable rooms;
    public final ScheduleTable schedules;
    public final CredentialTable credentials;
    public final AuditTable audit;
    public final KeyValueTable values;
    public final HistoryTable history;
    public final LimitRows limits;
    public final RestRows rests;
    public final KeySettingRows keySettings;
    public final StepRows steps;
    public final BatchRows batches;
    private final Connection connection;
    private final LaneIndex lanes;
    private final DeferredWrites writes;
    private final PreparedStatement mark;

    /** @param mergeAt number of changes at which the {@link LaneIndex} merges */
    public Statements(Connection connection, int mergeAt) throws SQLException {
        this.connection = connection;
        writes = new DeferredWrites(connection);
        queues = new SqliteQueueTable(connection);
        // Prepared before the statements of jobs, since ended rows are copied before their job rows are deleted.
        ended = new EndedJobTable(connection, writes);
        idempotency = new IdempotencyTable(connection, writes);
        kept = new KeptKeyTable(connection, writes);
        leases = new SqliteLeaseTable(connection, writes);
        cancellations = new CancellationTable(connection, writes);
        lanes = new LaneIndex(connection, writes, mergeAt);
        batches = new BatchRows(connection);
        jobs = new JobTable(connection, writes, lanes, batches);
        rooms = new RoomTable(connection, writes);
        schedules = new ScheduleTable(connection);
        credentials = new CredentialTable(connection);
        audit = new AuditTable(connection);
        values = new KeyValueTable(connection);
        history = new HistoryTable(connection);
        limits = new LimitRows(connection);
        rests = new RestRows(connection);
        keySettings = new KeySettingRows(connection);
        steps = new StepRows(connection);
        mark = connection.prepareStatement("INSERT INTO meta(name, value) VALUES('mark', 1)"
                + " ON CONFLICT(name) DO UPDATE SET value = value + 1");
    }

    /** The connection of the writer, for statements that are used once. */
    public Connection connection() {
        return connection;
    }

    /** Writes a meaningless value that changes each time, to test that the file can be written. */
    public void mark() throws SQLException {
        mark.executeUpdate();
    }

    /** Runs the collected writes. */
    public void flush() throws SQLException {
        writes.flush();
        batches.flush();
    }

    public boolean isMergeDue() {
        return lanes.isMergeDue();
    }

    /** Merges the {@link LaneIndex}, in a transaction of its own. */
    public void merge() throws SQLException {
        lanes.merge();
    }

    public void committed() {
        lanes.committed();
        idempotency.transactionEnded();
        kept.transactionEnded();
    }

    /** Drops the collected writes. */
    public void rolledBack() throws SQLException {
        idempotency.transactionEnded();
        kept.transactionEnded();
        lanes.rolledBack();
        writes.clear();
        batches.clear();
    }
}
