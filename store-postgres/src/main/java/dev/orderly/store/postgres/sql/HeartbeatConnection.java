package dev.orderly.store.postgres.sql;

import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.NodeLiveness;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.time.Time;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Heartbeats over a connection of their own, so that a burst of other calls cannot delay them; and the decision which
 * nodes are dead.
 */
public final class HeartbeatConnection {
    /** Value of the parameter for the moment that means the server's clock. */
    public static final long SERVER_CLOCK = -1;

    private final HikariDataSource reserved;
    private final SqlErrors errors;
    private final DatabaseJobIds ids;
    private final @Nullable Time clock;
    private final SeenBeats seen;

    /** @param clock replaces the server's clock, in tests */
    public HeartbeatConnection(HikariDataSource reserved, SqlErrors errors, DatabaseJobIds ids, @Nullable Time clock) {
        this.reserved = reserved;
        this.errors = errors;
        this.ids = ids;
        this.clock = clock;
        this.seen = new SeenBeats(clock == null ? Time.system() : clock);
    }

    public Heartbeat beat(NodeId node, Set<QueueName> works) {
        try (Connection connection = reserved.getConnection()) {
            return timed(new Sql(connection, "SELECT alive, cancelled, names, beats, ARRAY(SELECT name FROM queue"
                    + " WHERE paused) FROM job_heartbeat(?, nullif(?, -1), ?, ?, ?)")
                    .with(node.value())).texts(works.stream().map(QueueName::value).sorted().toList())
                    .list(row -> {
                        seen.see(beats((String[]) row.getArray(3).getArray(), (Long[]) row.getArray(4).getArray()));
                        return new Heartbeat(row.getBoolean(1), jobs(row.getArray(2)), queues(row.getArray(5)));
                    }).getFirst();
        } catch (SQLException error) {
            throw errors.undone(error);
        }
    }

    private Set<JobId> jobs(Array seqs) throws SQLException {
        Set<JobId> jobs = new HashSet<>();
        Arrays.stream((Long[]) seqs.getArray()).map(ids::of).forEach(jobs::add);
        return jobs;
    }

    private static Set<QueueName> queues(Array names) throws SQLException {
        return Arrays.stream((String[]) names.getArray()).map(QueueName::new).collect(Collectors.toSet());
    }

    private static List<SeenBeats.Beat> beats(String[] names, Long[] beats) {
        return IntStream.range(0, names.length).mapToObj(n -> new SeenBeats.Beat(new NodeId(names[n]), beats[n]))
                .toList();
    }

    /**
     * Declares silent nodes dead. Runs in a transaction of its own, before the jobs of dead nodes are given back, so
     * that the locks of the nodes' rows are held for a short time only.
     */
    public int declareDead(Connection connection, Duration deadAfter) throws SQLException {
        new Sql(connection, "SELECT clear_suspects()").list(_ -> true);
        long moment = new Sql(connection, "SELECT moment_now(nullif(?, -1))").with(given()).number();
        List<SeenBeats.Beat> live = new Sql(connection, "SELECT name, last_beat FROM node WHERE NOT dead")
                .list(row -> new SeenBeats.Beat(new NodeId(row.getString(1)), row.getLong(2)));
        seen.see(live);
        List<SeenBeats.Beat> dead = seen.dead(live, deadAfter, moment);
        return dead.isEmpty()
                ? 0
                : (int) new Sql(connection, "SELECT job_declare_dead(?, ?)")
                        .texts(dead.stream().map(beat -> beat.node().value()).toList())
                        .longs(dead.stream().map(SeenBeats.Beat::at).toList()).number();
    }

    /** Adds the moment, and the durations of {@link NodeLiveness}, as parameters. */
    public Sql timed(Sql sql) {
        return sql.with(given()).with(NodeTimes.GAP.toMillis())
                .with(NodeTimes.GRACE.toMillis());
    }

    /** The value of the parameter for the moment. */
    public long given() {
        return clock == null ? SERVER_CLOCK : clock.now().toEpochMilli();
    }

    /** Leases by the same clock. */
    public PostgresLeaseTable leases() {
        return new PostgresLeaseTable(clock);
    }

    public void close() {
        reserved.close();
    }
}
