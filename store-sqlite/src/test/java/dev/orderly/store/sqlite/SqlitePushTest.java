package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pushes of an application, which go directly from the caller to the group commit. */
class SqlitePushTest {
    @TempDir
    private Path folder;

    @Test
    void anInterruptedCallerCanPush() {
        try (Orderly orderly = Orderly.open(SqliteStore.at(folder.resolve("orderly.db")))) {
            Thread.currentThread().interrupt();
            JobId id = orderly.queue("mail", String.class).push("hello");
            assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
            assertThat(orderly.jobs().find(id)).isPresent();
        }
    }

    @Test
    void aPushInATransactionOfTheCallerIsRefusedAndNamesTheRemedy() throws SQLException {
        try (Orderly orderly = Orderly.open(SqliteStore.at(folder.resolve("orderly.db")));
                Connection own = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            own.setAutoCommit(false);
            assertThatThrownBy(() -> orderly.queue("mail", String.class).in(own).push("hello"))
                    .isInstanceOf(UnsupportedOperationException.class).hasMessageContaining("orderly.db")
                    .hasMessageContaining("Push after the commit, or use PostgreSQL");
        }
    }

    @Test
    void aPushAfterCloseIsRefusedAndStoresNothing() {
        Path file = folder.resolve("orderly.db");
        Orderly orderly = Orderly.open(SqliteStore.at(file));
        var mail = orderly.queue("mail", String.class);
        orderly.close();
        assertThatThrownBy(() -> mail.push("hello")).isInstanceOf(IllegalStateException.class);
        try (SqliteStore store = SqliteStore.at(file)) {
            assertThat(store.jobViews().queues()).isEmpty();
        }
    }

    @Test
    void aCommitFindsItsSpaceInTheLogAndARestartPassesOverTheRest() throws IOException {
        Path file = Places.fresh(folder);
        Path log = file.resolveSibling("orderly.db-wal");
        try (Orderly orderly = Orderly.open(SqliteStore.at(file))) {
            var mail = orderly.queue("mail", String.class);
            List<JobId> pushed = new ArrayList<>(List.of(mail.push("hello")));
            long size = Files.size(log);
            for (int i = 0; i < 5; i++) {
                pushed.add(mail.push("hello"));
            }
            assertThat(Files.size(log)).isEqualTo(size);
            try (SqliteStore next = SqliteStore.at(Places.asKilled(file, folder))) {
                assertThat(pushed).allSatisfy(id -> assertThat(next.jobViews().find(id)).isPresent());
            }
        }
    }

    @Test
    void aFailureHasTheStackOfItsCaller() {
        SqliteStore store = SqliteStore.at(folder.resolve("orderly.db"));
        try (Orderly orderly = Orderly.open(store)) {
            var mail = orderly.queue("mail", String.class);
            mail.push("hello");
            store.close();
            assertThatThrownBy(() -> mail.push("hello")).isInstanceOf(StoreException.Unavailable.class)
                    .satisfies(e -> assertThat(List.of(e.getStackTrace())).extracting(StackTraceElement::getClassName)
                            .contains(SqlitePushTest.class.getName()));
        }
    }
}
