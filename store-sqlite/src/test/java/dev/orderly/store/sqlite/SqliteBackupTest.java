package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.store.BackupPort.Backup;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteBackupTest {
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final int GROUPS = 7;

    @TempDir
    private Path folder;

    /** Pushes and settles until it is told to stop. */
    private static final class Load {
        private final SqliteStore store;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final CountDownLatch warm = new CountDownLatch(200);
        private final Queue<JobId> pushed = new ConcurrentLinkedQueue<>();
        private final Set<JobId> settling = ConcurrentHashMap.newKeySet();
        private final Set<JobId> done = ConcurrentHashMap.newKeySet();
        private final CompletableFuture<Void> running;

        Load(SqliteStore store) {
            this.store = store;
            store.jobs().beat(NODE);
            running = CompletableFuture.runAsync(this::run, task -> Thread.ofPlatform().daemon().start(task));
        }

        private void run() {
            for (int i = 0; !stopped.get(); i++) {
                push(i);
                if (i % 2 == 1) {
                    settleOne();
                }
                warm.countDown();
            }
        }

        private void push(int number) {
            JobId id = store.jobs().push(List.of(job("g" + number % GROUPS, number)), now()).getFirst().id();
            pushed.add(id);
        }

        private void settleOne() {
            for (ClaimedJob job : claim(store, 1)) {
                settling.add(job.id());
                store.jobs().settle(List.of(new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))),
                        now());
                done.add(job.id());
            }
        }

        List<JobId> acknowledged() {
            return List.copyOf(pushed);
        }

        Set<JobId> settled() {
            return Set.copyOf(done);
        }

        /** Those that the store was told of, whether it has answered or not. */
        Set<JobId> reported() {
            return Set.copyOf(settling);
        }

        void stop() {
            stopped.set(true);
            running.join();
        }
    }

    private static Instant now() {
        return Time.system().now();
    }

    private static NewJob job(String group, int number) {
        return new NewJob(ORDERS, group, Priority.NORMAL, null,
                Payload.json("\"" + number + " " + "x".repeat(500) + '"'),
                Map.of(), null, null, null);
    }

    private static List<ClaimedJob> claim(SqliteStore store, int limit) {
        return store.jobs()
                .claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(ORDERS, limit))), now())
                .jobs();
    }

    @Test
    void aBackupBesideLoadHasEveryAcknowledgedJobOnceAndInOrder() throws Exception {
        try (SqliteStore store = SqliteStore.at(folder.resolve("orderly.db"))) {
            Load load = new Load(store);
            load.warm.await();
            for (int round = 0; round < 3; round++) {
                Set<JobId> doneBefore = load.settled();
                List<JobId> before = load.acknowledged();
                Path file = folder.resolve("backup-" + round + ".db");
                Backup backup = store.backup().write(file);
                Set<JobId> reportedAfter = load.reported();
                assertThat(backup.bytes()).isEqualTo(Files.size(file));
                try (SqliteStore restored = SqliteStore.at(restored(file))) {
                    checkRestored(restored, before, doneBefore, reportedAfter);
                }
            }
            load.stop();
            assertThat(load.acknowledged()).allSatisfy(id -> assertThat(store.jobViews().find(id)).isPresent());
        }
    }

    private void checkRestored(SqliteStore restored, List<JobId> pushedBefore, Set<JobId> doneBefore,
            Set<JobId> reportedAfter) {
        Set<JobId> waiting = new HashSet<>();
        for (JobId id : pushedBefore) {
            JobView view = restored.jobViews().find(id).orElseThrow(() -> new AssertionError(id + " is lost"));
            if (view.state() == JobState.DONE) {
                assertThat(reportedAfter).contains(id);
            } else {
                assertThat(doneBefore).doesNotContain(id);
                waiting.add(id);
            }
        }
        restored.jobs().beat(NODE);
        restored.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(), Retention.DEFAULT, 1_000),
                now());
        Map<String, Long> last = new HashMap<>();
        List<ClaimedJob> claimed = claim(restored, 10);
        while (!claimed.isEmpty()) {
            for (ClaimedJob job : claimed) {
                Long earlier = last.put(String.valueOf(job.group()), job.id().sequence());
                assertThat(earlier == null || earlier < job.id().sequence()).as("the order of a group").isTrue();
                waiting.remove(job.id());
                restored.jobs().settle(List.of(new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))),
                        now());
            }
            claimed = claim(restored, 10);
        }
        assertThat(waiting).as("acknowledged jobs that do not run").isEmpty();
    }

    /** As operations.md says: both files under the names of the database. */
    private Path restored(Path backup) throws IOException {
        Path file = Files.createTempDirectory(folder, "restored").resolve("orderly.db");
        Files.copy(backup, file);
        Files.copy(backup.resolveSibling(backup.getFileName() + "-running"),
                file.resolveSibling("orderly.db-running"));
        return file;
    }

    @Test
    void anAttemptOfTheStoreCannotReportToItsRestoredBackup() throws IOException {
        try (SqliteStore store = SqliteStore.at(folder.resolve("orderly.db"))) {
            store.jobs().beat(NODE);
            store.jobs().push(List.of(job("g", 1)), now());
            ClaimedJob first = claim(store, 1).getFirst();
            store.backup().write(folder.resolve("backup.db"));
            try (SqliteStore restored = SqliteStore.at(restored(folder.resolve("backup.db")))) {
                restored.jobs().beat(NODE);
                restored.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(), Retention.DEFAULT, 10),
                        now());
                ClaimedJob second = claim(restored, 1).getFirst();
                assertThat(second.attempt().number()).isEqualTo(first.attempt().number() + 1);
            }
        }
    }

    @Test
    void aBackupIsForItsOwnerOnlyAndReplacesNothing() throws IOException {
        try (SqliteStore store = SqliteStore.at(folder.resolve("orderly.db"))) {
            Path file = folder.resolve("backup.db");
            store.backup().write(file);
            byte[] content = Files.readAllBytes(file);
            for (String name : List.of("backup.db", "backup.db-running")) {
                if (OwnerOnlyFiles.isPosix(folder)) {
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name))))
                            .isEqualTo("rw-------");
                }
            }
            assertThatThrownBy(() -> store.backup().write(file)).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("exists").hasMessageContaining("name a new file");
            assertThat(Files.readAllBytes(file)).isEqualTo(content);
            assertThatThrownBy(() -> store.backup().write(folder.resolve("no/such/folder.db")))
                    .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("a folder that exists");
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files).noneMatch(each -> each.toString().contains(".part"));
            }
        }
    }

    @Test
    void anInterruptedBackupLeavesNoFileAndDoesNotPreventTheNext() throws IOException {
        try (SqliteStore store = SqliteStore.at(folder.resolve("orderly.db"))) {
            Path file = folder.resolve("backup.db");
            Files.writeString(folder.resolve("backup.db.part"), "half a backup, as kill -9 leaves it");
            store.backup().write(file);
            assertThat(file).exists();
            assertThat(folder.resolve("backup.db.part")).doesNotExist();
        }
    }

    @Test
    void pushesGoOnWhileABackupIsWritten() throws Exception {
        try (SqliteStore store = SqliteStore.at(folder.resolve("orderly.db"))) {
            List<NewJob> jobs = Stream.generate(() -> job("g", 0)).limit(5_000).toList();
            store.jobs().push(jobs, now());
            List<PushResult> during = new ArrayList<>();
            store.backup().write(folder.resolve("backup.db"), (done, all) -> {
                assertThat(done).isLessThanOrEqualTo(all);
                during.addAll(store.jobs().push(List.of(job("h", during.size())), now()));
            });
            assertThat(during.size()).as("steps, each with a commit that would begin an ordinary backup anew")
                    .isGreaterThan(3);
            try (SqliteStore restored = SqliteStore.at(restored(folder.resolve("backup.db")))) {
                assertThat(restored.jobViews().find(during.getFirst().id())).isEmpty();
            }
        }
    }
}
