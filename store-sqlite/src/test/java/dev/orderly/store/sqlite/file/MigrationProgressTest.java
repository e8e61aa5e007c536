package dev.orderly.store.sqlite.file;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class MigrationProgressTest {
    private static final String LONG = "SELECT count(*) FROM (\n"
            + "WITH RECURSIVE number(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM number WHERE n < 100000)"
            + " SELECT n FROM number)";

    /** A clock on which each reading takes seconds. */
    private static final class SlowTime implements Time {
        private long nanos;

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            nanos += Duration.ofSeconds(4).toNanos();
            return nanos;
        }

        @Override
        public void park(long deadline) {
            throw new IllegalStateException("nothing waits here");
        }
    }

    @Test
    void aStatementThatLastsIsInTheLogWithItsNumber() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
                Statement statement = connection.createStatement();
                LogLines log = LogLines.of(MigrationProgress.class.getName(), Level.INFO)) {
            MigrationProgress progress = MigrationProgress.of(connection, new SlowTime(), 7);
            progress.begin("SELECT 1");
            statement.execute("SELECT 1");
            assertThat(log.events()).isEmpty();
            progress.begin(LONG);
            statement.execute(LONG);
            assertThat(log.events()).isNotEmpty();
            assertThat(log.with("statement 2 of 7, SELECT count(*) FROM (")).hasSameSizeAs(log.events());
            progress.end(connection);
            int before = log.events().size();
            statement.execute(LONG);
            assertThat(log.events()).hasSize(before);
        }
    }
}
