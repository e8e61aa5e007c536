package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.ForwardingStore;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.Batch;
import dev.orderly.job.BatchName;
import dev.orderly.job.JobId;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.WhenDead;
import dev.orderly.job.diagnosis.BatchDiagnosis;
import dev.orderly.job.diagnosis.BatchDiagnosis.Cause;
import dev.orderly.job.store.JobViews;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each cause that keeps the callback of a batch from coming is provoked and found. */
class BatchDiagnosisTest {
    private static final Set<Cause> FOUND = EnumSet.noneOf(Cause.class);
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final BatchName IMPORT = new BatchName("import");
    private static final QueueOptions ONCE = QueueOptions.STANDARD.withConcurrency(1)
            .withRetry(new RetryPolicy(1, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0));

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final Orderly orderly = Orderly.open(store);
    private final StandardQueue<String> mails = orderly.queue("mails", String.class, _ -> ONCE);
    private final StandardQueue<String> reports = orderly.queue("reports", String.class);
    private final CountDownLatch free = new CountDownLatch(1);

    @AfterEach
    void close() {
        store.heal();
        free.countDown();
        orderly.close();
    }

    @AfterAll
    static void everyCauseWasProvoked() {
        assertThat(FOUND).isEqualTo(EnumSet.allOf(Cause.class));
    }

    private BatchDiagnosis find(Cause cause) {
        await().atMost(SOON).untilAsserted(() -> assertThat(orderly.why(IMPORT).cause()).isEqualTo(cause));
        return found(orderly.why(IMPORT));
    }

    private static BatchDiagnosis found(BatchDiagnosis why) {
        FOUND.add(why.cause());
        assertThat(why.batch()).isEqualTo(IMPORT);
        assertThat(why.sentence()).endsWith(".");
        assertThat(why.remedy()).matches("|.*\\.");
        return why;
    }

    private Batch open(WhenDead whenDead) {
        return orderly.batch("import").whenDead(whenDead).then(reports, "all");
    }

    @Test
    void aBatchThatIsNotKept() {
        assertThat(find(Cause.NOT_FOUND).sentence()).contains("import");
    }

    @Test
    void anOpenBatchWaitsForItsClose() {
        Batch batch = open(WhenDead.FINISH);
        assertThat(find(Cause.OPEN).sentence()).contains("no member that has not ended");
        mails.in(batch).push("a");
        assertThat(find(Cause.OPEN)).satisfies(why -> {
            assertThat(why.sentence()).contains("1 waits.");
            assertThat(why.remedy()).contains("orderly batch close import");
        });
    }

    @Test
    void aClosedBatchWaitsForItsMembersAndTheOldestSaysWhatForItself() {
        Batch batch = open(WhenDead.FINISH);
        JobId later = mails.delay(Duration.ofHours(1)).in(batch).push("later");
        mails.in(batch).pushAll(IntStream.range(0, 120).mapToObj(n -> "m" + n).toList());
        orderly.handle(mails, (_, _) -> free.await());
        orderly.start();
        batch.close();
        await().atMost(SOON).until(() -> orderly.why(IMPORT).sentence().contains("1 runs"));
        assertThat(find(Cause.MEMBERS)).satisfies(why -> {
            assertThat(why.sentence()).contains("1 runs, 100 or more wait, 1 is delayed or awaits an event",
                    "The oldest is " + later + " of queue mails: It is put off until");
            assertThat(why.job()).isEqualTo(later);
        });
    }

    @Test
    void aCancelledBatchWaitsForWhatRuns() {
        Batch batch = open(WhenDead.FINISH);
        JobId runs = mails.in(batch).push("a");
        CountDownLatch begun = new CountDownLatch(1);
        orderly.handle(mails, (_, _) -> {
            begun.countDown();
            while (free.getCount() > 0) {
                Thread.onSpinWait();
            }
        });
        orderly.start();
        await().atMost(SOON).until(() -> begun.getCount() == 0);
        batch.cancel();
        assertThat(find(Cause.MEMBERS)).satisfies(why -> {
            assertThat(why.sentence()).contains("The batch is cancelled", "1 runs", "Attempt 1 has run on this node");
            assertThat(why.remedy()).contains("are asked to end");
            assertThat(why.job()).isEqualTo(runs);
        });
    }

    @Test
    void aBatchThatWaitsForDeadLettersNamesTheFirst() {
        Batch batch = open(WhenDead.WAIT);
        JobId first = mails.in(batch).push("a");
        orderly.handle(mails, (_, _) -> {
            throw new IllegalStateException("no such address");
        });
        orderly.start();
        batch.close();
        assertThat(find(Cause.DEAD_LETTERS)).satisfies(why -> {
            assertThat(why.sentence()).contains("1 dead letter, the first " + first, "no such address");
            assertThat(why.remedy()).contains("orderly job redrive " + first);
            assertThat(why.job()).isEqualTo(first);
        });
        JobId later = mails.delay(Duration.ofHours(1)).push("not a member");
        assertThat(orderly.why(IMPORT).sentence()).doesNotContain(later.toString());
    }

    @Test
    void aFinishedBatchNamesItsCallbackWithTheReasonOfThat() {
        open(WhenDead.FINISH).close();
        assertThat(find(Cause.FINISHED)).satisfies(why -> {
            assertThat(why.sentence()).contains("as job " + why.job(), "no handler of queue reports");
            assertThat(why.job()).isNotNull();
        });
    }

    @Test
    void aBatchWhoseMembersHaveEndedWaitsForARoundOrForTheTransactionThatHoldsIt() {
        MemoryStore memory = new MemoryStore();
        try (Orderly node = Orderly.open(memory); Orderly held = Orderly.open(held(memory))) {
            StandardQueue<String> queue = node.queue("mails", String.class);
            Batch batch = node.batch("import").then(node.queue("reports", String.class), "all");
            assertThat(found(held.why(IMPORT))).satisfies(why -> {
                assertThat(why.cause()).isEqualTo(Cause.HELD);
                assertThat(why.sentence()).contains("A close waits", "session 7 of shop");
            });
            JobId member = queue.in(batch).push("a");
            batch.close();
            node.jobs().cancel(member);
            assertThat(found(node.why(IMPORT)).cause()).isEqualTo(Cause.READY);
            assertThat(held.why(IMPORT).sentence()).contains("All members have ended", "session 7 of shop");
        }
    }

    private static Store held(MemoryStore store) {
        return new ForwardingStore(store) {
            @Override
            public JobViews jobViews() {
                JobViews views = super.jobViews();
                return (JobViews) Proxy.newProxyInstance(JobViews.class.getClassLoader(),
                        new Class<?>[]{JobViews.class}, (_, method, arguments) -> method.getName().equals("batchHolder")
                                ? Optional.of("session 7 of shop")
                                : method.invoke(views, arguments));
            }
        };
    }

    @Test
    void aStoreThatDoesNotAnswer() {
        open(WhenDead.FINISH);
        store.failRandomly(1, 1);
        assertThat(find(Cause.STORE).sentence()).contains("does not answer");
    }
}
