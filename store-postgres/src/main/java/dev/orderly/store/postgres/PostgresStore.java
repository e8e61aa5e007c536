package dev.orderly.store.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.Store;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.history.HistoryStore;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.TransactionalJobs;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.BackupPort;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreLoad;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.postgres.CallersTransactions.Place;
import dev.orderly.store.postgres.copy.PostgresCopy;
import dev.orderly.store.postgres.job.BlockedJobs;
import dev.orderly.store.postgres.job.PostgresJobs;
import dev.orderly.store.postgres.job.PostgresPushes;
import dev.orderly.store.postgres.job.PostgresQueueTable;
import dev.orderly.store.postgres.job.PostgresSettlements;
import dev.orderly.store.postgres.job.PostgresViews;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.job.search.PostgresJobFinder;
import dev.orderly.store.postgres.live.PostgresBus;
import dev.orderly.store.postgres.live.PostgresOnlineUsers;
import dev.orderly.store.postgres.room.PostgresRooms;
import dev.orderly.store.postgres.sql.CallersSessions;
import dev.orderly.store.postgres.sql.HeartbeatConnection;
import dev.orderly.store.postgres.sql.OwnSessions;
import dev.orderly.store.postgres.sql.PostgresMigrations;
import dev.orderly.store.postgres.sql.SchemaChoice;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.SessionCheck;
import dev.orderly.store.postgres.sql.Sessions;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.SqlErrors;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.time.Time;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The store of many nodes: one schema of a PostgreSQL database (14 to 18). Nodes communicate through it and nothing
 * else, and use the server's clock.
 *
 * <p>An acknowledged change is durable as far as the server's {@code synchronous_commit} says. Presence in rooms, the
 * lease of the governor and online users are in unlogged tables: a crash of the server loses them, the death of a node
 * does not. A call waits up to 5 seconds for a connection of the store's pool, and up to 10 for each statement. While
 * the database is unreachable calls throw {@link StoreException.Unavailable}; the store reconnects by itself.
 * Thread-safe.
 *
 * <p>While the schema is copied by {@code orderly store copy} no store opens and none connects again: calls throw
 * {@link StoreException.Unavailable}, and a copy does not begin while a store is open.
 *
 * <p>The caller that opened the store closes it; later calls throw {@link StoreException.Unavailable}.
 */
public final class PostgresStore implements Store {
    private final Sessions sessions;
    private final HeartbeatConnection beats;
    private final Transactions transactions;
    private final EndedTransactions ended;
    private final StepTransactions steps;
    private final CallersTransactions callers;
    private final PostgresBus bus;
    private final PostgresJobs jobs;
    private final PostgresViews views;
    private final JobFinder finder;
    private final PostgresSchedules schedules;
    private final PostgresCredentials credentials;
    private final PostgresAudit audit;
    private final PostgresKeyValues values;
    private final PostgresHistory history;
    private final PostgresRooms rooms;
    private final PostgresOnlineUsers presence;
    private final PostgresCopy copying;
    private final String name;

    private PostgresStore(PostgresOptions options, @Nullable DataSource callersSource, Sessions sessions, Place place,
            RandomGenerator random, @Nullable Time clock) {
        this.sessions = sessions;
        steps = new StepTransactions(options, callersSource);
        bus = new PostgresBus(options::connect, place.schema(), random.nextLong(), Time.system());
        name = options.toString();
        transactions = new Transactions(sessions, new SqlErrors(name));
        DatabaseJobIds ids = new DatabaseJobIds(place.salt());
        ServerRuns runs = new ServerRuns();
        PostgresQueueTable queues = new PostgresQueueTable(runs);
        ended = new EndedTransactions(transactions, runs, Time.system());
        callers = new CallersTransactions(options, place, transactions,
                new CallersTransactions.Calls(PostgresPushes.forCallers(ids, queues), new PostgresSettlements(ids),
                        steps),
                ended);
        beats = new HeartbeatConnection(new HikariDataSource(PostgresPools.ofBeats(options, place.schema())),
                new SqlErrors(name),
                ids, clock);
        jobs = new PostgresJobs(transactions, ids, queues,
                new PostgresJobs.Outside(new BlockedJobs(options.callerHold()), beats, bus, callers, runs));
        views = new PostgresViews(transactions, ids, jobs);
        finder = new PostgresJobFinder(transactions, ids);
        schedules = new PostgresSchedules(transactions, ids, PostgresPushes.own(ids, queues, new ScanCursors()));
        credentials = new PostgresCredentials(transactions);
        audit = new PostgresAudit(transactions);
        values = new PostgresKeyValues(transactions);
        history = new PostgresHistory(transactions);
        rooms = new PostgresRooms(transactions, runs);
        presence = new PostgresOnlineUsers(transactions, beats);
        copying = new PostgresCopy(transactions, List::of);
    }

    /**
     * Opens the database of an address. As {@link #open(PostgresOptions)}.
     *
     * @param url in the form of {@link PostgresOptions#at}
     * @throws IllegalArgumentException if the address is malformed
     */
    public static PostgresStore at(String url) {
        return open(PostgresOptions.at(url));
    }

    /**
     * Opens the database and creates or migrates its tables. Blocks, for minutes if many jobs are migrated.
     *
     * @throws StoreException.Unavailable if the database is not reached: try again later, or correct the address
     * @throws StoreException.Unusable if the schema belongs to a newer version or to another program
     */
    public static PostgresStore open(PostgresOptions options) {
        return open(options, new SecureRandom());
    }

    /**
     * As {@link #open(PostgresOptions)}, with transactions on connections of the application in place of a pool of the
     * store. Each takes one connection, and gives it back with the settings that it had, or ends it; that takes two
     * round trips more. Three connections, of the bus and the heartbeat, are the store's own nevertheless, by the
     * address of the options, and some more while it opens; {@link PostgresOptions#connections} has no effect.
     *
     * <p>Handlers that hold the whole pool keep their jobs from being settled: give it a few more than they hold.
     *
     * @param transactions a pool over PostgreSQL's driver, with two connections or more, to the same database; not
     *     closed with the store. Autocommit, read-only, isolation, search path and time limits are of any value. Not
     *     one that is bound to the transaction of a thread
     * @throws StoreException.Unusable if the data source leads elsewhere, or gives one connection only
     * @throws IllegalStateException if its connections are no fresh ones of PostgreSQL's driver
     */
    public static PostgresStore open(PostgresOptions options, DataSource transactions) {
        Objects.requireNonNull(transactions, "transactions");
        return open(options, transactions, new SecureRandom(), null);
    }

    static PostgresStore open(PostgresOptions options, RandomGenerator random) {
        return open(options, null, random, null);
    }

    static PostgresStore open(PostgresOptions options, RandomGenerator random, @Nullable Time clock) {
        return open(options, null, random, clock);
    }

    /** @param clock replaces the server's clock for the liveness of nodes, in tests */
    static PostgresStore open(PostgresOptions given, @Nullable DataSource callers, RandomGenerator random,
            @Nullable Time clock) {
        Objects.requireNonNull(given, "options");
        try (Connection first = given.connect(NodeTimes.BEAT_ANSWER)) {
            String schema = given.schema() == null ? SchemaChoice.standard(first) : given.schema();
            return open(first, callers == null
                    ? given.withSchema(schema)
                    : given.withSchema(schema).withConnections(1), schema, callers, random, clock);
        } catch (SQLException error) {
            throw new SqlErrors(given.toString()).opening(error);
        }
    }

    private static PostgresStore open(Connection first, PostgresOptions options, String schema,
            @Nullable DataSource callers, RandomGenerator random, @Nullable Time clock) throws SQLException {
        HikariDataSource pool = new HikariDataSource(PostgresPools.ofTables(options, schema));
        boolean keepsPool = false;
        try {
            try (Connection second = pool.getConnection()) {
                SessionCheck.check(first, second, options.toString());
            }
            long salt = PostgresMigrations.prepare(pool, options::connect, schema, random, Time.system());
            Sessions sessions = callers == null
                    ? new OwnSessions(pool)
                    : CallersSessions.checked(callers, options.toString(), schema, salt);
            PostgresStore opened = new PostgresStore(options, callers, sessions, new Place(schema, salt), random,
                    clock);
            opened.bus.start();
            keepsPool = callers == null;
            return opened;
        } finally {
            if (!keepsPool) {
                pool.close();
            }
        }
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }

    @Override
    public JobViews jobViews() {
        return views;
    }

    @Override
    public JobFinder jobFinder() {
        return finder;
    }

    @Override
    public ScheduleStore schedules() {
        return schedules;
    }

    @Override
    public CredentialStore credentials() {
        return credentials;
    }

    @Override
    public AuditStore audit() {
        return audit;
    }

    @Override
    public HistoryStore history() {
        return history;
    }

    @Override
    public RoomStore rooms() {
        return rooms;
    }

    @Override
    public OnlineUserStore presence() {
        return presence;
    }

    @Override
    public Bus bus() {
        return bus;
    }

    @Override
    public KeyValueStore keyValues() {
        return values;
    }

    @Override
    public CopyPort copying() {
        return copying;
    }

    @Override
    public Time clock(Time own) {
        return Time.aligned(own, () -> now(transactions));
    }

    static Instant now(Transactions transactions) {
        return Instant.ofEpochMilli(transactions.run(connection -> new Sql(connection,
                "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint").number()));
    }

    @Override
    public BackupPort backup() {
        return BackupPort.unsupported("A PostgreSQL store is backed up with its database: pg_dump -n SCHEMA, or the"
                + " backups of your provider");
    }

    @Override
    public TransactionalJobs transactionalJobs() {
        return callers;
    }

    /**
     * Writes a record into the write-ahead log and into no table. The server allows it in read-only transactions too.
     */
    @Override
    public void checkWritable() {
        transactions.run(connection -> {
            Sql mark = new Sql(connection, "SELECT pg_logical_emit_message(true, 'orderly', '')::text,"
                    + " current_setting('transaction_read_only')");
            if (mark.list(row -> row.getString(2)).contains("on")) {
                throw new StoreException.Unavailable(SqlErrors.readOnly(name), null);
            }
            return true;
        });
    }

    @Override
    public StoreLoad load() {
        return sessions.load().or(new StoreLoad(null, null, jobs.deadRows()));
    }

    @Override
    public Map<String, String> facts() {
        return transactions.run(connection -> {
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("kind", "PostgreSQL");
            facts.put("server version", new Sql(connection, "SHOW server_version")
                    .list(row -> row.getString(1)).getFirst());
            facts.put("database size", new Sql(connection, "SELECT pg_database_size(current_database())").number()
                    + " bytes");
            return facts;
        });
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void close() {
        jobs.close();
        ended.close();
        steps.close();
        bus.close();
        beats.close();
        sessions.close();
    }
}
