package dev.orderly.store.sqlite.resilience;

import static dev.orderly.store.sqlite.resilience.Jobs.MAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.store.ClaimedJob;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.FaultyConnectionFactory;
import dev.orderly.store.sqlite.Places;
import dev.orderly.store.sqlite.SqliteStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of the store are deleted, moved, replaced, cut or linked by another program. On a POSIX file system. */
class FileResilienceTest {
    @TempDir
    private Path folder = Path.of("");
    private Path file = Path.of("");

    @BeforeEach
    void place() {
        file = Places.fresh(folder);
    }

    @Test
    void nothingIsAcknowledgedWhileTheFileIsMovedAndWorkResumesWhenItIsBack() throws IOException {
        Path away = folder.resolve("away.db");
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            jobs.push(MAIL);
            Files.move(file, away);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.class)
                    .hasMessageContaining(file.toString()).hasMessageContaining("was deleted or moved");
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.Unavailable.class);
            assertThat(Jobs.failure(() -> jobs.claim(MAIL, 1))).isInstanceOf(StoreException.Unavailable.class);
            Files.move(away, file);
            Jobs.eventually(() -> jobs.push(MAIL));
            assertThat(jobs.claim(MAIL, 10)).extracting(ClaimedJob::id).containsAll(jobs.acknowledged);
        }
    }

    @Test
    void nothingIsAcknowledgedAfterTheFileIsDeletedWhileTheLogIsMovedIntoIt() {
        FaultyConnectionFactory disk = FaultyConnectionFactory.of(file);
        AtomicBoolean deleted = new AtomicBoolean();
        try (SqliteStore store = disk.open(file)) {
            Jobs jobs = new Jobs(store);
            disk.before("wal_checkpoint(PASSIVE)", _ -> deleted.set(file.toFile().delete()));
            StoreException refused = null;
            for (int n = 0; n < 60 && refused == null; n++) {
                boolean gone = deleted.get();
                refused = Jobs.failure(() -> jobs.push(MAIL, 1_000_000));
                assertThat(gone && refused == null).as("push %s after the deletion is acknowledged", n).isFalse();
            }
            assertThat(deleted).as("a checkpoint ran").isTrue();
            assertThat(refused).isNotNull().hasMessageContaining("was deleted or moved");
        }
    }

    @Test
    void noneOfManyCallersGetsAnIdForAPushThatBeganAfterTheDeletion() throws Exception {
        AtomicBoolean deleted = new AtomicBoolean();
        AtomicInteger before = new AtomicInteger();
        AtomicInteger after = new AtomicInteger();
        try (SqliteStore store = SqliteStore.at(file); var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> calls = new ArrayList<>();
            for (int n = 0; n < 16; n++) {
                calls.add(callers.submit(() -> {
                    Jobs jobs = new Jobs(store);
                    boolean gone;
                    do {
                        gone = deleted.get();
                        if (Jobs.failure(() -> jobs.push(MAIL, 50_000)) == null) {
                            (gone ? after : before).incrementAndGet();
                        }
                    } while (!gone);
                }));
            }
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> before.get() > 600);
            Files.delete(file);
            deleted.set(true);
            for (Future<?> call : calls) {
                call.get();
            }
        }
        assertThat(after).hasValue(0);
    }

    @Test
    void theLogStaysWhenTheProcessEndsAfterItsFileWasDeletedSoThatACopyOfTheFileLosesNothing() throws IOException {
        Path copy = folder.resolve("copy.db");
        Jobs jobs;
        try (SqliteStore store = SqliteStore.at(file)) {
            jobs = new Jobs(store);
            jobs.push(MAIL);
            Files.copy(file, copy);
            jobs.push(MAIL);
            Files.delete(file);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isNotNull();
        }
        Files.copy(copy, file);
        try (SqliteStore next = SqliteStore.at(file)) {
            assertThat(new Jobs(next).claim(MAIL, 10)).extracting(ClaimedJob::id).containsAll(jobs.acknowledged);
        }
    }

    @Test
    void nothingIsAcknowledgedAfterTheFileIsReplaced() throws IOException {
        Path other = folder.resolve("other.db");
        SqliteStore.at(other).close();
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            jobs.push(MAIL);
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.class)
                    .hasMessageContaining("was replaced");
        }
    }

    @Test
    void nothingIsAcknowledgedAfterTheFileIsCut() throws IOException {
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            jobs.push(MAIL);
            cut(file, 0);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.class)
                    .hasMessageContaining("was cut to 0 bytes");
        }
    }

    @Test
    void nothingIsAcknowledgedAfterTheLogIsCut() throws IOException {
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            jobs.push(MAIL);
            jobs.push(MAIL);
            cut(beside("-wal"), 0);
            assertThat(Jobs.failure(() -> jobs.claim(MAIL, 1))).isInstanceOf(StoreException.class)
                    .hasMessageContaining("-wal was cut to 0 bytes");
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void acknowledgedJobsSurviveTheLossOfTheLog() throws IOException {
        List<ClaimedJob> found;
        Jobs jobs;
        try (SqliteStore store = SqliteStore.at(file)) {
            jobs = new Jobs(store);
            for (int n = 0; n < 20; n++) {
                jobs.push(MAIL);
            }
            Files.delete(beside("-wal"));
            Jobs.failure(() -> jobs.push(MAIL));
            Jobs.eventually(() -> jobs.push(MAIL));
            Path killed = Places.asKilled(file, folder);
            try (SqliteStore next = SqliteStore.at(killed)) {
                found = new Jobs(next).claim(MAIL, 100);
            }
        }
        assertThat(found).extracting(ClaimedJob::id).containsAll(jobs.acknowledged);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 100})
    void aCutFileIsNotOpenedAsANewDatabase(long size) throws IOException {
        withOneJob();
        cut(file, size);
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining(file.toString()).hasMessageContaining("was cut to " + size + " bytes")
                .hasMessageContaining("put it back");
    }

    @Test
    void aMissingFileIsNotCreatedAgainUntilAllFilesOfTheDatabaseAreRemoved() throws IOException {
        withOneJob();
        Files.delete(file);
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("is missing").hasMessageContaining("remove all files whose names begin with");
        assertThat(file).doesNotExist();
        try (Stream<Path> rest = Files.list(file.resolveSibling(""))) {
            for (Path each : rest.toList()) {
                Files.delete(each);
            }
        }
        SqliteStore.at(file).close();
    }

    @Test
    void aFileOfOneByteIsRefused() throws IOException {
        Files.write(file, new byte[1]);
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("too few for a SQLite database");
    }

    @Test
    void aDifferentDatabaseAtThePathIsRefused() throws IOException {
        withOneJob();
        Path other = folder.resolve("other.db");
        SqliteStore.at(other).close();
        Files.copy(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("not the one that was here last");
        Files.delete(beside("-running"));
        SqliteStore.at(file).close();
    }

    @Test
    void aHardLinkOfTheFileIsRefused() throws IOException {
        Path second = folder.resolve("second.db");
        try (SqliteStore store = SqliteStore.at(file)) {
            new Jobs(store).push(MAIL);
            Files.createLink(second, file);
            assertThatThrownBy(() -> SqliteStore.at(second)).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("2 names");
        }
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("remove the others");
        Files.delete(second);
        SqliteStore.at(file).close();
    }

    @Test
    void onlyTheOwnerMayReadFilesAndFolders() throws IOException {
        Path deep = folder.resolve("a/b/orderly.db");
        try (SqliteStore store = SqliteStore.at(deep)) {
            new Jobs(store).push(MAIL);
            for (String each : List.of("", "-wal", "-shm", "-lock", "-running")) {
                assertThat(Files.getPosixFilePermissions(deep.resolveSibling("orderly.db" + each)))
                        .as("orderly.db" + each)
                        .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
            }
            for (Path each : List.of(folder.resolve("a"), folder.resolve("a/b"))) {
                assertThat(Files.getPosixFilePermissions(each)).as(each.toString()).containsExactlyInAnyOrder(
                        PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.OWNER_EXECUTE);
            }
        }
    }

    private void withOneJob() {
        try (SqliteStore store = SqliteStore.at(file)) {
            new Jobs(store).push(MAIL);
        }
    }

    private Path beside(String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    private static void cut(Path file, long size) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.setLength(size);
        }
    }
}
