package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.store.sqlite.SqliteStore;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command {@code orderly store migrate}. */
class StoreMigrateTest {
    private static final Path FIRST = Path.of(System.getProperty("basedir", "."))
            .resolve("src/test/resources/dev/orderly/compatibility/0.1.0/orderly.db");

    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void theTablesOfAnEarlierVersionAreUpdated() throws Exception {
        Path file = folder.resolve("orderly.db");
        Files.copy(FIRST, file);
        long before = version(file);
        assertThat(migrate("sqlite:" + file)).as("%s", err).isZero();
        assertThat(out.toString()).contains(file.toString(), "has the tables of this version");
        assertThat(version(file)).isGreaterThan(before);
        assertThat(migrate("sqlite:" + file)).as("of this version already: %s", err).isZero();
    }

    @Test
    void aStoreThatCannotBeUpdatedIsRefusedWithTheRemedy() {
        Path file = folder.resolve("orderly.db");
        assertThat(migrate("sqlite:" + file)).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("There is no file");
        assertThat(migrate("nowhere")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("STORE is nowhere: use sqlite:");
        try (Store open = SqliteStore.at(file)) {
            assertThat(migrate("sqlite:" + file)).as(open.name()).isEqualTo(Main.FAILED);
            assertThat(err.toString()).contains("Another Orderly process");
        }
    }

    private static long version(Path file) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT value FROM meta WHERE name = 'schema'")) {
            return row.getLong(1);
        }
    }

    private int migrate(String store) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.run(TestTerminal.of(out, err, Map.of()), "store", "migrate", store);
    }
}
