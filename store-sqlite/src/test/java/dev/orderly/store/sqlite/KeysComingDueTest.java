package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.JobTerms;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delayed jobs with keys that several claims at once make wait, in one transaction. */
class KeysComingDueTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final NodeId NODE = new NodeId("node");
    private static final int CLAIMERS = 8;
    private static final int ROUNDS = 50;
    private static final int JOBS = 20;

    @TempDir
    private Path folder;

    private static NewJob dueAt(Instant moment, int key) {
        return new NewJob(MAIL, null, Priority.NORMAL, moment, Payload.text("x"), Map.of(), null, null, null)
                .on(JobTerms.NONE.withKey("key " + key), null);
    }

    /** Runs jobs that are due; returns how many there were. */
    private static int run(SqliteStore store) {
        Instant now = Time.system().now();
        store.jobs().beat(NODE);
        List<Settlement> done = store.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(MAIL, 2))), now).jobs()
                .stream().map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList();
        if (!done.isEmpty()) {
            store.jobs().settle(done, now);
        }
        return done.size();
    }

    @Test
    void aJobThatSeveralClaimsMakeWaitIsCountedOnce() {
        try (SqliteStore store = SqliteStore.at(folder.resolve("orderly.db"))) {
            for (int round = 0; round < ROUNDS; round++) {
                Instant now = Time.system().now();
                store.jobs().push(IntStream.range(0, JOBS).mapToObj(n -> dueAt(now.plusMillis(2), n)).toList(), now);
                AtomicInteger ran = new AtomicInteger();
                List<CompletableFuture<Void>> claimers = IntStream.range(0, CLAIMERS).mapToObj(_ -> CompletableFuture
                        .runAsync(() -> await().atMost(Duration.ofSeconds(60)).pollDelay(Duration.ZERO)
                                .pollInterval(Duration.ofMillis(1)).until(() -> ran.addAndGet(run(store)) >= JOBS),
                                task -> Thread.ofVirtual().start(task)))
                        .toList();
                claimers.forEach(CompletableFuture::join);
            }
            assertThat(store.jobViews().queues()).singleElement().satisfies(queue -> {
                assertThat(queue.waiting()).isZero();
                assertThat(queue.delayed()).isZero();
                assertThat(queue.done()).isEqualTo(ROUNDS * JOBS);
            });
        }
    }
}
