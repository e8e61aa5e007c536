package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.copy.CopyColumns;
import dev.orderly.testkit.contract.copy.CopyContract;
import dev.orderly.testkit.contract.copy.CopyTrial;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteCopyTest extends CopyContract {
    /** Tables and columns that a copy changes or leaves out, each with the reason. All others have to be equal. */
    private static final Map<String, String> NOT_EQUAL = Map.ofEntries(
            Map.entry("batch_tally", "added up by the copy; compared by the counts of batches"),
            Map.entry("meta", "counters of this file; the salt is compared by the ids of jobs"),
            Map.entry("lane_index", "made anew from the waiting jobs"),
            Map.entry("tombstone", "part of the index of waiting jobs"),
            Map.entry("job.key_indexed", "part of the index of waiting jobs"),
            Map.entry("lease", "a leased job waits again, its attempt number is in job"),
            Map.entry("cancellation", "a job that is to be cancelled is cancelled in the copy; compared by views"),
            Map.entry("sqlite_sequence", "of SQLite; the audit log continues behind its last entry"),
            Map.entry("copied_key", "made from the dedupe keys within their window"),
            Map.entry("job.dedupe", "within its window it is in copied_key"),
            Map.entry("ended.dedupe", "within its window it is in copied_key"),
            Map.entry("job.attempt", "also that of a claim, which is not in the table; compared by views"),
            Map.entry("flow_limit", "limits are declared again, and their rates begin anew"),
            Map.entry("queue.flow_limit", "limits are declared again"),
            Map.entry("room.tiers", "random runs over copies compare the lines of tiers"),
            Map.entry("queue.key_limit", "limits are declared again"),
            Map.entry("flow_rest", "throttled jobs say it again"),
            Map.entry("key_window", "the rates of keys begin anew"),
            Map.entry("key_value.version", "each store draws its own"),
            Map.entry("idempotency.at", "numbered anew within the millisecond in which the window begins"),
            Map.entry("place.until", "of an ended pass it is the moment of the copy; compared by views"),
            Map.entry("place.visitor", "of an ended pass it is not kept by every store; compared by views"),
            Map.entry("room.at", "the moment of the copy"));

    @TempDir
    private Path folder;

    private final AtomicInteger files = new AtomicInteger();

    private Store open(String name) {
        return SqliteStore.at(folder.resolve(name), new SqliteOptions(Durability.NORMAL, 4));
    }

    @Override
    protected Place place() {
        return new FilePlace("store" + files.incrementAndGet());
    }

    @Test
    void aStoreInMemoryIsRefusedWithTheReason() {
        Instant now = Time.system().now();
        try (Store memory = new MemoryStore(); Store sqlite = open("sqlite")) {
            assertThat(CopyTrial.run(memory.copying(), sqlite.copying(), now)).isEqualTo(new CopyResult.Refused(
                    "A store in memory ends with its process, and is not copied: name SQLite, PostgreSQL or Redis as"
                            + " the source"));
            assertThat(CopyTrial.run(sqlite.copying(), memory.copying(), now)).isEqualTo(new CopyResult.Refused(
                    "A store in memory ends with its process, and is not copied: name SQLite, PostgreSQL or Redis as"
                            + " the target"));
        }
    }

    private Map<String, List<String>> columns(String name) throws SQLException {
        Map<String, List<String>> found = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(name));
                Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery("SELECT name FROM sqlite_schema WHERE type = 'table'")) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            for (String table : tables) {
                String from = switch (table) {
                    case "user_place" -> "user_place WHERE epoch = (SELECT epoch FROM room WHERE id = room)";
                    case "place" -> "place WHERE epoch = (SELECT epoch FROM room WHERE id = room)"
                            + " AND (used_up OR until > (SELECT at FROM room WHERE id = room))";
                    case "batch" -> "batch_view";
                    case "key_value" -> "key_value WHERE key <> 'gone'";
                    default -> table;
                };
                found.putAll(CopyColumns.of(statement, table, "SELECT * FROM " + from));
            }
        }
        found.keySet().removeIf(CopyColumns.named(NOT_EQUAL));
        return found;
    }

    /** A file of the test's folder. */
    private final class FilePlace implements Place {
        private final String name;
        private Optional<Store> opened = Optional.empty();

        FilePlace(String name) {
            this.name = name;
        }

        @Override
        public Store open() {
            close();
            Store store = SqliteCopyTest.this.open(name);
            opened = Optional.of(store);
            return store;
        }

        @Override
        public void age() {
            close();
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(name));
                    Statement statement = connection.createStatement()) {
                statement.execute("UPDATE job SET crashes = 2, lone_crashes = 1 WHERE state < 2");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Map<String, List<String>> content(Instant now) {
            close();
            try {
                return columns(name);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            opened.ifPresent(Store::close);
            opened = Optional.empty();
        }
    }
}
