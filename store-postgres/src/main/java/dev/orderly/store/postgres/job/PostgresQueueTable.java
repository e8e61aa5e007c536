package dev.orderly.store.postgres.job;

import dev.orderly.job.QueueName;
import dev.orderly.store.postgres.sql.ServerMemory;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of queues. Rows of queues are never deleted, so a committed number stays right on its server; the next
 * one may give it to another queue. Thread-safe.
 */
public final class PostgresQueueTable {
    private final ServerMemory<Known> memory;

    /**
     * @param ids numbers by name
     * @param keyed names of queues that are marked as having jobs with keys, which they stay
     */
    private record Known(Map<String, Integer> ids, Set<String> keyed) {
        Known() {
            this(new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
        }

        List<String> missing(Collection<QueueName> names) {
            return names.stream().map(QueueName::value).distinct().filter(name -> !ids.containsKey(name)).toList();
        }
    }

    public PostgresQueueTable(ServerRuns runs) {
        memory = new ServerMemory<>(runs, Known::new);
    }

    /** The numbers of queues that exist. */
    Map<QueueName, Integer> existing(Connection connection, Collection<QueueName> names) throws SQLException {
        Known known = memory.of(connection);
        List<String> missing = known.missing(names);
        if (!missing.isEmpty()) {
            new Sql(connection, "SELECT name, id FROM queue WHERE name = ANY(?)").texts(missing)
                    .list(row -> known.ids.put(row.getString(1), row.getInt(2)));
        }
        Map<QueueName, Integer> found = new HashMap<>();
        for (QueueName name : names) {
            @Nullable
            Integer id = known.ids.get(name.value());
            if (id != null) {
                found.put(name, id);
            }
        }
        return found;
    }

    /** The numbers of queues; unknown ones are added first, which commits. */
    Map<QueueName, Integer> all(Connection connection, Collection<QueueName> names) throws SQLException {
        List<String> missing = memory.of(connection).missing(names);
        if (!missing.isEmpty()) {
            new Sql(connection,
                    "INSERT INTO queue(name) SELECT name FROM unnest(?) AS t(name) ORDER BY name ON CONFLICT DO "
                            + "NOTHING")
                    .texts(missing).update();
            commit(connection);
        }
        return existing(connection, names);
    }

    /**
     * Marks queues as having jobs with keys, which commits: a transaction that did it with its own push would keep
     * other pushes of such jobs waiting until its end.
     */
    void markKeyed(Connection connection, Collection<QueueName> names) throws SQLException {
        Set<String> keyed = memory.of(connection).keyed;
        List<String> fresh = names.stream().map(QueueName::value).distinct().filter(name -> !keyed.contains(name))
                .toList();
        if (!fresh.isEmpty()) {
            new Sql(connection, "UPDATE queue SET keyed = true WHERE name = ANY(?) AND NOT keyed").texts(fresh)
                    .update();
            commit(connection);
            keyed.addAll(fresh);
        }
    }

    private static void commit(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }

    /** Whether this node has marked a queue as having jobs with keys, on the server that was asked last. */
    boolean isKeyed(QueueName name) {
        return memory.latest().keyed.contains(name.value());
    }

    /** The number of a queue that this node has used, on the server that was asked last; else null. */
    @Nullable
    Integer used(QueueName name) {
        return memory.latest().ids.get(name.value());
    }

    int one(Connection connection, QueueName name) throws SQLException {
        return Objects.requireNonNull(all(connection, List.of(name)).get(name));
    }
}
