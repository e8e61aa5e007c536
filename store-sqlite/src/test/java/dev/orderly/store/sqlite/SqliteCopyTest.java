package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Store;
import dev.orderly.job.QueueName;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.copy.CopyColumns;
import dev.orderly.testkit.contract.copy.CopyState;
import dev.orderly.testkit.contract.copy.CopyTrial;
import dev.orderly.testkit.contract.copy.CopyViews;
import dev.orderly.testkit.contract.copy.StoppedStore;
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
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteCopyTest {
    /** Tables and columns that a copy changes or leaves out, each with the reason. All others have to be equal. */
    private static final Map<String, String> NOT_EQUAL = Map.ofEntries(
            Map.entry("meta", "counters of this file; the salt is compared by the ids of jobs"),
            Map.entry("lane_index", "made anew from the waiting jobs"),
            Map.entry("tombstone", "part of the index of waiting jobs"),
            Map.entry("lease", "a leased job waits again, its attempt number is in job"),
            Map.entry("cancellation", "a job that is to be cancelled is cancelled in the copy; compared by views"),
            Map.entry("sqlite_sequence", "of SQLite; the audit log continues behind its last entry"),
            Map.entry("copied_key", "made from the dedupe keys within their window"),
            Map.entry("job.dedupe", "within its window it is in copied_key"),
            Map.entry("ended.dedupe", "within its window it is in copied_key"),
            Map.entry("job.attempt", "also that of a claim, which is not in the table; compared by views"),
            Map.entry("flow_limit", "limits are declared again, and their rates begin anew"),
            Map.entry("queue.flow_limit", "limits are declared again"),
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

    private Store open(String name) {
        return SqliteStore.at(folder.resolve(name), new SqliteOptions(Durability.NORMAL, 4));
    }

    @Test
    void aCopyAnswersAsItsSourceDoes() {
        for (long seed = 1; seed <= 2; seed++) {
            Instant now = Time.system().now();
            CopyState state = new CopyState(seed, now);
            try (Store source = open("source" + seed); Store target = open("target" + seed)) {
                state.fill(source);
                state.cancelSome(source);
                CopyTrial.copied(source.copying(), target.copying(), now);
            }
            try (Store source = open("source" + seed); Store target = open("target" + seed)) {
                new CopyViews(state).compare(source, target);
            }
        }
    }

    @Test
    void everyColumnIsCopiedOrNamedAsLeftOut() throws SQLException {
        Instant now = Time.system().now();
        try (Store source = open("source")) {
            new CopyState(3, now).fill(source);
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("source"));
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE job SET crashes = 2, lone_crashes = 1 WHERE state < 2");
        }
        try (Store source = open("source"); Store target = open("target")) {
            CopyTrial.copied(source.copying(), target.copying(), now);
        }
        Map<String, List<String>> before = columns("source");
        Map<String, List<String>> after = columns("target");
        before.keySet().removeIf(CopyColumns.named(NOT_EQUAL));
        after.keySet().removeIf(CopyColumns.named(NOT_EQUAL));
        CopyColumns.compare(before, after);
    }

    @Test
    void aCopyThatWasKilledGoesOnWhereItWas() {
        Instant now = Time.system().now();
        CopyState state = new CopyState(9, now);
        try (Store source = open("source")) {
            state.fill(source);
            for (int kill = 1;; kill += 31) {
                try (Store target = open("target")) {
                    CopyTrial.run(new CopyTrial.SmallPages(source.copying()),
                            new CopyTrial.Dying(target.copying(), kill, kill % 2 == 0), now);
                    break;
                } catch (CopyTrial.Killed _) {
                    assertThat(kill).isLessThan(10_000);
                }
            }
        }
        try (Store source = open("source"); Store target = open("target")) {
            assertThat(target.copying().mark()).isEmpty();
            new CopyViews(state).compare(source, target);
        }
    }

    @Test
    void aTargetThatLosesARecordDiffers() {
        Instant now = Time.system().now();
        try (Store source = open("source")) {
            new CopyState(5, now).fill(source);
            for (CopyKind kind : CopyKind.values()) {
                if (kind == CopyKind.QUEUES || kind == CopyKind.ROOMS) {
                    continue; // without them nothing else can be written
                }
                try (Store target = open("lost-" + kind)) {
                    CopyResult result = CopyTrial.run(new StoppedStore(source.copying()),
                            new CopyTrial.Forgetful(target.copying(), kind), now);
                    assertThat(((CopyResult.Compared) result).kinds().stream().filter(each -> !each.equal())
                            .map(CopyResult.Comparison::kind)).as("%s", kind).contains(kind);
                    assertThat(target.copying().mark()).isPresent();
                }
            }
        }
    }

    @Test
    void aTargetThatIsInUseOrNotEmptyIsRefused() {
        Instant now = Time.system().now();
        try (Store source = open("source"); Store target = open("target")) {
            new CopyState(1, now).fill(source);
            target.jobs().pause(new QueueName("mail"), true);
            assertThat(CopyTrial.run(source.copying(), target.copying(), now))
                    .isEqualTo(new CopyResult.Refused("The target is not empty, it has queues: name a new database,"
                            + " schema or file, which no server has used"));
            assertThatThrownBy(() -> open("source")).hasMessageContaining("Another Orderly process");
        }
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
                    case "place" -> "place WHERE epoch = (SELECT epoch FROM room WHERE id = room)"
                            + " AND (used_up OR until > (SELECT at FROM room WHERE id = room))";
                    case "key_value" -> "key_value WHERE key <> 'gone'";
                    default -> table;
                };
                found.putAll(CopyColumns.of(statement, table, "SELECT * FROM " + from));
            }
        }
        return found;
    }
}
