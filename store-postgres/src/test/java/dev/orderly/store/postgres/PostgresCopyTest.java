package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.job.NodeId;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.testkit.contract.copy.CopyColumns;
import dev.orderly.testkit.contract.copy.CopyContract;
import dev.orderly.testkit.contract.copy.CopyTrial;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PostgresCopyTest extends CopyContract {
    /** Tables and columns that a copy changes or leaves out, each with the reason. All others have to be equal. */
    private static final Map<String, String> NOT_EQUAL = Map.ofEntries(
            Map.entry("meta", "version and salt; the salt is compared by the ids of jobs"),
            Map.entry("lane", "made anew from the jobs of groups; compared by claims"),
            Map.entry("tally", "made anew; compared by the counts of queues"),
            Map.entry("batch_tally", "folded into batch by the copy; compared by the counts of batches"),
            Map.entry("lease", "a leased job waits again, its attempt number is in job"),
            Map.entry("node", "the nodes have stopped"),
            Map.entry("crash", "crashes of nodes that have stopped; their number is in job"),
            Map.entry("judgement", "silence of nodes"),
            Map.entry("online_node", "the nodes have stopped"),
            Map.entry("online", "users of nodes that have stopped"),
            Map.entry("room_now", "what the gates of stopped nodes knew"),
            Map.entry("gate", "the gates have stopped"),
            Map.entry("present", "as gates report it again"),
            Map.entry("pace", "of the last minute, for pages"),
            Map.entry("old_line", "earlier epochs, to be deleted"),
            Map.entry("tier", "random runs over copies compare the lines of tiers"),
            Map.entry("queue.declarer", "the nodes have stopped"),
            Map.entry("flow_limit", "limits are declared again, and their rates begin anew"),
            Map.entry("queue.flow_limit", "limits are declared again"),
            Map.entry("queue.limit_declarer", "the nodes have stopped"),
            Map.entry("queue.key_limit", "limits are declared again"),
            Map.entry("queue.key_declarer", "the nodes have stopped"),
            Map.entry("flow_rest", "throttled jobs say it again"),
            Map.entry("flow_key", "keys begin anew with the waiting jobs"),
            Map.entry("flow_wake", "made anew; compared by the claims of waiting jobs"),
            Map.entry("queue.keyed", "made anew with the first waiting job that has a key; compared by claims"),
            Map.entry("schedule.declarer", "the nodes have stopped"),
            Map.entry("queue.id", "each store draws its own numbers"),
            Map.entry("job.node", "the nodes have stopped"),
            Map.entry("job.state", "a running job waits again; compared by views"),
            Map.entry("job.ready_at", "of a running job it is the claim; compared by views"),
            Map.entry("job.cancelling", "a job that is to be cancelled is cancelled in the copy; compared by views"),
            Map.entry("ended.node", "the nodes have stopped"),
            Map.entry("ended.queue", "each store draws its own numbers, with gaps; views compare the names"),
            Map.entry("job.queue", "each store draws its own numbers, with gaps; views compare the names"),
            Map.entry("key_setting.queue", "each store draws its own numbers, with gaps; views compare the names"),
            Map.entry("key_value.version", "each store draws its own"),
            Map.entry("recent.until", "the window of a dedupe key begins with the push of its job"),
            Map.entry("room.line", "each store draws its own numbers"),
            Map.entry("room.voids", "counts what is left"),
            Map.entry("room.tiers", "the number of lines; random runs over copies compare them"),
            Map.entry("pass.line", "each store draws its own numbers"),
            Map.entry("used_up.line", "each store draws its own numbers"),
            Map.entry("used_up.latest", "the moment of the copy"),
            Map.entry("lobby.line", "each store draws its own numbers"),
            Map.entry("user_place.line", "each store draws its own numbers"),
            Map.entry("voided.line", "each store draws its own numbers"),
            Map.entry("voided.number", "counts what is left"));

    @Override
    protected Place place() {
        return new SchemaPlace();
    }

    @Test
    void aStoreWithALiveNodeIsRefused() {
        try (Store source = Server.openEmpty(); Store target = Server.openEmpty()) {
            source.jobs().beat(new NodeId("node-1"));
            target.jobs().beat(new NodeId("node-2"));
            assertThat(CopyTrial.run(source.copying(), target.copying(), Time.system().now()))
                    .isEqualTo(new CopyResult.Refused("A store is in use, the source by node node-1, the target by"
                            + " node node-2: stop every node, and try again 30 s after the last one"));
        }
    }

    private static Map<String, List<String>> columns(Server.Opened store, Instant now) throws SQLException {
        String schema = store.options().schema();
        Map<String, List<String>> found = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(store.options().url());
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = statement
                    .executeQuery("SELECT tablename FROM pg_tables WHERE schemaname = '" + schema + "'")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            statement.execute("SET search_path TO " + schema);
            for (String table : tables) {
                String from = switch (table) {
                    case "pass", "voided", "used_up", "user_place" -> table + " WHERE line IN (SELECT line FROM room)";
                    case "recent" -> "recent WHERE until > " + now.toEpochMilli();
                    case "key_value" -> "key_value WHERE key <> 'gone'";
                    default -> table;
                };
                found.putAll(CopyColumns.of(statement, table, "SELECT * FROM " + from));
            }
        }
        found.keySet().removeIf(CopyColumns.named(NOT_EQUAL));
        return found;
    }

    /** A schema of the tests' server. */
    private static final class SchemaPlace implements Place {
        private Server.@Nullable Opened opened;

        @Override
        public Store open() {
            Server.Opened store = opened == null ? Server.openEmpty() : Server.reopened(opened);
            opened = store;
            return store;
        }

        @Override
        public void age() {
            Server.run("UPDATE " + schema() + ".job SET crashes = 2, lone_crashes = 1 WHERE state < 2");
        }

        private String schema() {
            return Objects.requireNonNull(Objects.requireNonNull(opened).options().schema());
        }

        @Override
        public Map<String, List<String>> content(Instant now) {
            try {
                return columns(Objects.requireNonNull(opened), now);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            if (opened != null) {
                opened.close();
            }
        }
    }
}
