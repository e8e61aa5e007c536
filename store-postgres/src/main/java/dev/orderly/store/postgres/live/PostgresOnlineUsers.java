package dev.orderly.store.postgres.live;

import dev.orderly.job.NodeId;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.store.postgres.sql.HeartbeatConnection;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The port of online users. An advisory lock serialises the changes of all nodes; reads take no lock. */
public final class PostgresOnlineUsers implements OnlineUserStore {
    /** Of the users in {@code moved}, those without a connection to any other node than the given one. */
    private static final String NOWHERE_ELSE = " SELECT owner FROM moved WHERE"
            + " (SELECT 1 FROM online WHERE online.owner = moved.owner AND online.node <> ? LIMIT 1) IS NULL";

    private final Transactions transactions;
    private final HeartbeatConnection beats;

    public PostgresOnlineUsers(Transactions transactions, HeartbeatConnection beats) {
        this.transactions = transactions;
        this.beats = beats;
    }

    @Override
    public Noted note(NodeId node, Set<UserId> came, Set<UserId> left) {
        return transactions.run(connection -> {
            Integer id = lock(connection, node);
            if (id == null) {
                return new Noted(false, Set.of());
            }
            Set<UserId> changed = new HashSet<>();
            if (!came.isEmpty()) {
                changed.addAll(users(new Sql(connection, "WITH moved AS (INSERT INTO online(owner, node)"
                        + " SELECT owner, ? FROM unnest(?) AS owner ON CONFLICT DO NOTHING RETURNING owner)"
                        + NOWHERE_ELSE).with(id).texts(columns(came)).with(id)));
            }
            if (!left.isEmpty()) {
                changed.addAll(users(new Sql(connection, "WITH moved AS (DELETE FROM online WHERE owner = ANY(?)"
                        + " AND node = ? RETURNING owner)" + NOWHERE_ELSE).texts(columns(left)).with(id).with(id)));
            }
            return new Noted(true, changed);
        });
    }

    @Override
    public Beat beat(NodeId node, Duration deadAfter) {
        return transactions.run(connection -> {
            new Sql(connection, "SELECT online_lock()").list(_ -> true);
            BeatResult result = beats.timed(new Sql(connection,
                    "SELECT known, silent FROM online_beat(?, ?, nullif(?, -1), ?, ?)").with(node.value())
                    .with(deadAfter.toMillis()))
                    .list(row -> new BeatResult(row.getBoolean(1), List.of((Integer[]) row.getArray(2).getArray())))
                    .getFirst();
            Set<UserId> offline = new HashSet<>();
            for (int dead : result.silent) {
                offline.addAll(forget(connection, dead));
            }
            return new Beat(result.known, offline);
        });
    }

    private record BeatResult(boolean known, List<Integer> silent) {}

    @Override
    public Set<UserId> leave(NodeId node) {
        return transactions.run(connection -> {
            Integer id = lock(connection, node);
            return id == null ? Set.of() : forget(connection, id);
        });
    }

    @Override
    public Set<UserId> elsewhere(NodeId node, Set<UserId> users) {
        return transactions.run(connection -> users(new Sql(connection, """
                SELECT owner FROM unnest(?) AS owner WHERE (SELECT 1 FROM online WHERE online.owner = owner.owner
                  AND online.node <> coalesce((SELECT id FROM online_node WHERE name = ?), 0) LIMIT 1) IS NOT NULL""")
                .texts(columns(users)).with(node.value())));
    }

    /** Takes the lock of all changes, and reads the node's number; null if the node is not known. */
    private static @Nullable Integer lock(Connection connection, NodeId node) throws SQLException {
        new Sql(connection, "SELECT online_lock()").list(_ -> true);
        return new Sql(connection, "SELECT id FROM online_node WHERE name = ?").with(node.value())
                .first(row -> row.getInt(1));
    }

    private static Set<UserId> forget(Connection connection, int id) throws SQLException {
        new Sql(connection, "DELETE FROM online_node WHERE id = ?").with(id).update();
        return users(new Sql(connection, "WITH moved AS (DELETE FROM online WHERE node = ? RETURNING owner)"
                + NOWHERE_ELSE).with(id).with(id));
    }

    private static Set<UserId> users(Sql query) throws SQLException {
        return new HashSet<>(query.list(row -> new UserId(row.getString(1))));
    }

    private static List<String> columns(Collection<UserId> users) {
        return users.stream().map(UserId::value).toList();
    }
}
