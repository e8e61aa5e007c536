package dev.orderly.store.sqlite.resilience;

import static dev.orderly.store.sqlite.resilience.Jobs.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.FaultyConnectionFactory;
import dev.orderly.store.sqlite.Places;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.store.sqlite.file.WriteAheadLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another program reads and writes the database while it is in use, or copies something over it. */
class OtherProgramTest {
    private static final String LOCK = "DELETE FROM meta WHERE 0";

    @TempDir
    private Path folder = Path.of("");
    private Path file = Path.of("");

    @BeforeEach
    void place() {
        file = Places.fresh(folder);
    }

    @Test
    void anotherProgramThatWritesFindsTheDatabaseLockedAndDisturbsNothing() throws SQLException {
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            assertThatThrownBy(() -> execute("ANALYZE")).hasMessageContaining("locked");
            jobs.push(MAIL);
            List<ClaimedJob> claimed = jobs.claim(MAIL, 10);
            assertThatThrownBy(() -> execute("ANALYZE")).hasMessageContaining("locked");
            assertThat(jobs.done(claimed)).hasSize(1);
            assertThatThrownBy(() -> execute("CREATE TABLE _litestream_seq(id INTEGER)"))
                    .hasMessageContaining("locked");
            jobs.push(MAIL);
            assertThat(Places.integrity(file)).isEqualTo("ok");
        }
    }

    @Test
    void nothingIsAcknowledgedOnTopOfACommitOfAnotherProgram() throws SQLException {
        FaultyConnectionFactory connections = FaultyConnectionFactory.of(file);
        Jobs jobs;
        try (SqliteStore store = connections.open(file)) {
            jobs = new Jobs(store);
            jobs.push(MAIL);
            connections.before(LOCK, _ -> execute("ANALYZE", "PRAGMA wal_checkpoint"));
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.OutcomeUnknown.class);
            for (Runnable call : List.<Runnable>of(() -> jobs.push(MAIL), () -> jobs.claim(MAIL, 1),
                    () -> store.jobViews().queues(), store::checkWritable)) {
                assertThat(Jobs.failure(call)).isInstanceOf(StoreException.Unusable.class)
                        .hasMessageContaining("Another program has written into the database " + file)
                        .hasMessageContaining("start this process again");
            }
        }
        assertThat(Places.integrity(file)).isEqualTo("ok");
        try (SqliteStore next = SqliteStore.at(file)) {
            assertThat(new Jobs(next).claim(MAIL, 10)).extracting(ClaimedJob::id).containsAll(jobs.acknowledged);
        }
    }

    @Test
    void theLogIsNotEnlargedWhileAnotherProgramWrites() throws SQLException, IOException {
        FaultyConnectionFactory connections = FaultyConnectionFactory.of(file);
        try (SqliteStore store = connections.open(file);
                Connection other = connection();
                Statement statement = other.createStatement()) {
            Jobs jobs = new Jobs(store);
            connections.before(LOCK, own -> {
                try (Statement impatient = own.createStatement()) {
                    impatient.execute("PRAGMA busy_timeout = 1");
                }
                statement.execute("BEGIN IMMEDIATE");
                statement.execute("CREATE TABLE seq AS SELECT randomblob(20000)");
            });
            jobs.push(MAIL);
            assertThat(Files.size(beside("-wal"))).isLessThan(64 << 10);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.Unavailable.class);
            statement.execute("COMMIT");
            assertThat(Places.integrity(file)).isEqualTo("ok");
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.class);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.Unusable.class);
        }
    }

    @Test
    void nothingIsAcknowledgedAfterABackupWasCopiedOverTheFile() throws IOException {
        byte[] backup = backup();
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            jobs.push(MAIL);
            Files.write(file, backup);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.class)
                    .hasMessageContaining("was written by another program");
            for (Runnable call : List.<Runnable>of(() -> jobs.push(MAIL), () -> jobs.claim(MAIL, 1),
                    () -> store.jobViews().queues())) {
                assertThat(Jobs.failure(call)).isInstanceOf(StoreException.Unusable.class)
                        .hasMessageContaining("was written by another program").hasMessageContaining("remove");
            }
        }
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("its log may not belong to it");
        // The next process, after the remedy.
        Path restored = Places.asKilled(file, folder);
        Files.delete(restored.resolveSibling("orderly.db-wal"));
        Files.delete(restored.resolveSibling("orderly.db-shm"));
        Files.write(restored, backup);
        try (SqliteStore next = SqliteStore.at(restored)) {
            assertThat(new Jobs(next).claim(MAIL, 100)).hasSize(10);
            SqliteStore.at(Places.asKilled(restored, folder)).close();
        }
    }

    @Test
    void aCloseDoesNotWriteTheLogIntoABackupThatWasCopiedOverTheFile() throws IOException {
        byte[] backup = backup();
        try (SqliteStore store = SqliteStore.at(file)) {
            new Jobs(store).push(MAIL);
            Files.write(file, backup);
        }
        assertThat(file).hasBinaryContent(backup);
    }

    @Test
    void aChangeRightAfterACheckpointIsFoundHoweverCoarseTheClockOfTheFileSystemIs() throws IOException {
        backup();
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            fillLog(store);
            long checkpoint = Files.getLastModifiedTime(file).toMillis();
            try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
                opened.write(opened.read());
            }
            // The clock of the file system has not moved on by two seconds since the checkpoint.
            long coarse = Files.getLastModifiedTime(file).toMillis() / 2_000 * 2_000;
            assertThat(file.toFile().setLastModified(coarse)).isTrue();
            assertThat(coarse).isGreaterThan(checkpoint);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.class)
                    .hasMessageContaining("was written by another program");
        }
    }

    @Test
    void ownCheckpointsAndBackupsThatOnlyReadAreNotTakenForWritesAndTheLogStaysBounded()
            throws SQLException, IOException {
        try (SqliteStore store = SqliteStore.at(file)) {
            for (int round = 0; round < 4; round++) {
                long before = Files.size(file);
                fillLog(store);
                assertThat(Files.size(file)).isGreaterThan(before);
                execute("VACUUM INTO '" + folder.resolve("copy" + round) + "'");
                assertThat(Files.size(beside("-wal"))).isLessThan(WriteAheadLog.SIZE + (4 << 20));
            }
            new Jobs(store).push(MAIL);
        }
        assertThat(Places.integrity(file)).isEqualTo("ok");
    }

    @Test
    void aReaderThatHoldsTheLogBackOnlyPutsTheCheckpointOff() throws SQLException, IOException {
        try (SqliteStore store = SqliteStore.at(file); Connection other = connection()) {
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT * FROM meta")) {
                assertThat(rows.next()).isTrue();
                fillLog(store);
                fillLog(store);
                assertThat(Files.size(beside("-wal"))).isGreaterThan(3 * WriteAheadLog.SIZE / 2);
            }
            other.rollback();
            new Jobs(store).push(MAIL);
            new Jobs(store).push(MAIL);
            assertThat(Files.size(beside("-wal"))).isEqualTo(WriteAheadLog.SIZE);
        }
    }

    /** Ten jobs, and the database with them. */
    private byte[] backup() throws IOException {
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            for (int n = 0; n < 10; n++) {
                jobs.push(MAIL);
            }
        }
        return Files.readAllBytes(file);
    }

    /** Pushes as much as makes a checkpoint due. */
    private static void fillLog(SqliteStore store) {
        NewJob job = new NewJob(MAIL, null, Priority.NORMAL, null, Payload.text("x".repeat(3_000)), Map.of(), null,
                null,
                null);
        for (int n = 0; n < 12; n++) {
            store.jobs().push(Collections.nCopies(500, job), Jobs.NOW);
        }
    }

    private Connection connection() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    private void execute(String... sql) throws SQLException {
        try (Connection other = connection(); Statement statement = other.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 1");
            for (String each : sql) {
                statement.execute(each);
            }
        }
    }

    private Path beside(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }
}
