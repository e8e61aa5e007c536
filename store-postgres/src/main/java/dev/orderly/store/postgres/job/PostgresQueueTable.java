package dev.orderly.store.postgres.job;

import dev.orderly.job.QueueName;
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

/** The numbers of queues. Rows of queues are never deleted, so a committed number stays right. Thread-safe. */
public final class PostgresQueueTable {
    private final Map<String, Integer> known = new ConcurrentHashMap<>();
    /** Names of queues that are marked as having jobs with keys, which they stay. */
    private final Set<String> keyed = ConcurrentHashMap.newKeySet();

    /** The numbers of queues that exist. */
    Map<QueueName, Integer> existing(Connection connection, Collection<QueueName> names) throws SQLException {
        List<String> missing = missing(names);
        if (!missing.isEmpty()) {
            new Sql(connection, "SELECT name, id FROM queue WHERE name = ANY(?)").texts(missing)
                    .list(row -> known.put(row.getString(1), row.getInt(2)));
        }
        Map<QueueName, Integer> found = new HashMap<>();
        for (QueueName name : names) {
            @Nullable
            Integer id = known.get(name.value());
            if (id != null) {
                found.put(name, id);
            }
        }
        return found;
    }

    /** The numbers of queues; unknown ones are added first, which commits. */
    Map<QueueName, Integer> all(Connection connection, Collection<QueueName> names) throws SQLException {
        List<String> missing = missing(names);
        if (!missing.isEmpty()) {
            new Sql(connection,
                    "INSERT INTO queue(name) SELECT name FROM unnest(?) AS t(name) ORDER BY name ON CONFLICT DO "
                            + "NOTHING")
                    .texts(missing).update();
            connection.commit();
        }
        return existing(connection, names);
    }

    /**
     * Marks queues as having jobs with keys, which commits: a transaction that did it with its own push would keep
     * other pushes of such jobs waiting until its end.
     */
    void markKeyed(Connection connection, Collection<QueueName> names) throws SQLException {
        List<String> fresh = names.stream().map(QueueName::value).distinct().filter(name -> !keyed.contains(name))
                .toList();
        if (!fresh.isEmpty()) {
            new Sql(connection, "UPDATE queue SET keyed = true WHERE name = ANY(?) AND NOT keyed").texts(fresh)
                    .update();
            connection.commit();
            keyed.addAll(fresh);
        }
    }

    /** Whether this node has marked a queue as having jobs with keys. */
    boolean isKeyed(QueueName name) {
        return keyed.contains(name.value());
    }

    /** The number of a queue that this node has used; else null. */
    @Nullable
    Integer used(QueueName name) {
        return known.get(name.value());
    }

    int one(Connection connection, QueueName name) throws SQLException {
        return Objects.requireNonNull(all(connection, List.of(name)).get(name));
    }

    private List<String> missing(Collection<QueueName> names) {
        return names.stream().map(QueueName::value).distinct().filter(name -> !known.containsKey(name)).toList();
    }
}
