package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.ForwardingStore;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryLater;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.job.diagnosis.JobDiagnosis.Cause;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.pull.PullRequest;
import dev.orderly.job.store.JobViews;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each cause that keeps a job from running is provoked and found. */
class EngineDiagnosisTest {
    private static final Set<Cause> FOUND = EnumSet.noneOf(Cause.class);
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final QueueOptions ONE = QueueOptions.STANDARD.withConcurrency(1);

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final Orderly orderly = Orderly.open(store);
    private final StandardQueue<String> mail = orderly.queue("mail", String.class, _ -> ONE);
    private final FifoQueue<String> steps = orderly.fifo("steps.fifo", String.class,
            o -> o.withOnDead(OnDead.HALT)
                    .withRetry(new RetryPolicy(3, Duration.ofHours(1), 1, Duration.ofHours(1), 0)));
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

    private JobDiagnosis find(JobId id, Cause cause) {
        await().atMost(SOON).untilAsserted(() -> assertThat(orderly.why(id).cause()).isEqualTo(cause));
        FOUND.add(cause);
        JobDiagnosis found = orderly.why(id);
        assertThat(found.sentence()).endsWith(".");
        return found;
    }

    @Test
    void aPayloadThatNoNodeCanRead() {
        StandardQueue<Integer> numbers = orderly.queue("numbers", Integer.class);
        FifoQueue<Integer> counts = orderly.fifo("counts.fifo", Integer.class);
        orderly.handle(numbers, (_, _) -> {});
        orderly.handle(counts, (_, _) -> {});
        orderly.start();
        Payload later = Payload.json("{\"amount\":7}");
        JobId wrong = orderly.jobs().push(PushRequest.of("numbers", later)).id();
        assertThat(find(wrong, Cause.UNREADABLE).sentence()).startsWith("1 node has tried").contains("Integer")
                .contains("15 min");
        JobId first = orderly.jobs().push(PushRequest.of("counts.fifo", later).withGroup("g")).id();
        JobId second = counts.group("g").push(2);
        assertThat(find(second, Cause.UNREADABLE)).satisfies(why -> {
            assertThat(why.blocker()).isEqualTo(first);
            assertThat(why.remedy()).contains("cancel job " + first);
        });
    }

    @Test
    void aGroupThatATransactionOfAnApplicationHolds() {
        Store shared = new ForwardingStore(new MemoryStore()) {
            @Override
            public JobViews jobViews() {
                JobViews views = super.jobViews();
                return (JobViews) Proxy.newProxyInstance(JobViews.class.getClassLoader(),
                        new Class<?>[]{JobViews.class}, (_, method, arguments) -> method.getName().equals("holder")
                                ? Optional.of("session 7 of shop")
                                : method.invoke(views, arguments));
            }
        };
        try (Orderly node = Orderly.open(shared)) {
            FifoQueue<String> orders = node.fifo("orders.fifo", String.class, o -> o.withConcurrency(1));
            CountDownLatch begun = new CountDownLatch(1);
            node.handle(orders, (_, _) -> {
                begun.countDown();
                free.await();
            });
            node.start();
            orders.group("a").push("block");
            await().atMost(SOON).until(() -> begun.getCount() == 0);
            JobId held = orders.group("b").push("waits");
            JobDiagnosis why = node.why(held);
            FOUND.add(why.cause());
            assertThat(why.cause()).isEqualTo(Cause.GROUP_HELD);
            assertThat(why.sentence()).contains("group b", "session 7 of shop");
            free.countDown();
        }
    }

    /** Starts handlers: the payload {@code block} blocks until the test ends, others end as the given handler says. */
    private void start(Consumer<String> handler) {
        orderly.handle(mail, (text, job) -> {
            handler.accept(text);
            if (text.equals("block")) {
                free.await(1, TimeUnit.MINUTES);
            }
        });
        orderly.handle(steps, (text, job) -> {
            handler.accept(text);
            if (text.equals("block")) {
                free.await(1, TimeUnit.MINUTES);
            }
        });
        orderly.start();
    }

    @Test
    void aJobThatIsNotKept() {
        assertThat(find(JobId.of(12_345L << 20, 99), Cause.NOT_FOUND).remedy()).contains("keep.done");
    }

    @Test
    void aJobThatEnded() {
        JobId cancelled = mail.delay(Duration.ofHours(1)).push("a");
        orderly.jobs().cancel(cancelled);
        assertThat(find(cancelled, Cause.CANCELLED).at()).isNotNull();
        start(text -> {
            if (text.equals("bad")) {
                throw new Unprocessable("no such address");
            }
        });
        assertThat(find(mail.push("a"), Cause.DONE).sentence()).contains("attempt 1");
        assertThat(find(mail.push("bad"), Cause.DEAD).sentence()).contains("no such address");
    }

    @Test
    void aJobThatIsPutOff() {
        assertThat(find(mail.delay(Duration.ofHours(1)).push("a"), Cause.DELAYED).at()).isNotNull();
        start(_ -> {
            throw new RetryLater(Duration.ofHours(1), "try later");
        });
        JobDiagnosis retry = find(mail.push("a"), Cause.RETRY);
        assertThat(retry.sentence()).contains("try later").contains(String.valueOf(retry.at()));
    }

    @Test
    void anEventThatAJobAwaitsAndItsGroupBehindIt() {
        orderly.handle(steps, (_, job) -> job.await("approval", String.class, Duration.ofDays(7)));
        orderly.start();
        JobId first = steps.group("g").push("a");
        JobDiagnosis awaiting = find(first, Cause.AWAITING);
        assertThat(awaiting.sentence()).contains("waits for event approval, until " + awaiting.at());
        assertThat(awaiting.remedy()).contains("orderly job event " + first);
        assertThat(find(steps.group("g").push("b"), Cause.GROUP_RETRY)).satisfies(why -> {
            assertThat(why.blocker()).isEqualTo(first);
            assertThat(why.sentence()).contains("the first waits for event approval, until");
            assertThat(why.remedy()).contains("Send the event to job " + first);
        });
    }

    @Test
    void aQueueThatNobodyWorks() {
        JobId job = mail.push("a");
        assertThat(find(job, Cause.NO_HANDLER).remedy()).contains("queues.mail.handler");
        orderly.jobs().pause(new QueueName("mail"), true);
        assertThat(find(job, Cause.PAUSED).sentence()).isEqualTo("Queue mail is paused.");
    }

    @Test
    void aNodeThatHasNotStartedOrStops() {
        orderly.handle(mail, (text, job) -> {});
        JobId job = mail.push("a");
        find(job, Cause.NODE_STARTING);
        orderly.stop();
        find(job, Cause.NODE_STOPPING);
    }

    @Test
    void aStoreThatDoesNotAnswer() {
        JobId job = mail.push("a");
        store.failRandomly(1, 1);
        assertThat(find(job, Cause.STORE).remedy()).contains("Bring the store back");
    }

    @Test
    void handlersThatAreBusyAndJobsThatGoFirst() {
        start(_ -> {});
        JobId running = mail.push("block");
        assertThat(find(running, Cause.RUNNING).at()).isNotNull();
        JobId second = mail.push("b");
        JobId third = mail.push("c");
        assertThat(find(third, Cause.HANDLERS_BUSY)).satisfies(why -> {
            assertThat(why.sentence()).contains("behind 1 job").contains("all 1 handlers");
            assertThat(why.ahead()).isEqualTo(1);
        });
        mail.priority(Priority.URGENT).push("u");
        assertThat(find(second, Cause.PRIORITY).sentence()).contains("1 job of a higher priority than 3");
    }

    @Test
    void aGroupWhoseFirstJobRunsFailsOrHalts() {
        start(text -> {
            if (text.equals("retry")) {
                throw new IllegalStateException("not yet");
            }
            if (text.equals("bad")) {
                throw new Unprocessable("never");
            }
        });
        JobId running = steps.group("a").push("block");
        find(running, Cause.RUNNING);
        assertThat(find(steps.group("a").push("next"), Cause.GROUP_RUNNING)).satisfies(why -> {
            assertThat(why.blocker()).isEqualTo(running);
            assertThat(why.sentence()).contains("behind 1 job of its group a").contains("runs (attempt 1)");
        });
        JobId failing = steps.group("b").push("retry");
        find(failing, Cause.RETRY);
        assertThat(find(steps.group("b").push("next"), Cause.GROUP_RETRY)).satisfies(why -> {
            assertThat(why.blocker()).isEqualTo(failing);
            assertThat(why.sentence()).contains("not yet");
        });
        JobId bad = steps.group("c").push("bad");
        find(bad, Cause.DEAD);
        assertThat(find(steps.group("c").push("next"), Cause.GROUP_HALTED)).satisfies(why -> {
            assertThat(why.blocker()).isEqualTo(bad);
            assertThat(why.remedy()).contains("Redrive or cancel job " + bad);
        });
    }

    @Test
    void aJobThatIsClaimedTogetherWithTheOneBeforeIt() {
        JobId first = steps.group("d").push("block");
        JobId second = steps.group("d").push("next");
        start(_ -> {});
        find(first, Cause.RUNNING);
        assertThat(find(second, Cause.CLAIMED).sentence()).contains("calls its handler as soon as one is free");
    }

    @Test
    void aGroupWhoseFirstJobWaitsForAHandlerOfAnotherNode() {
        FifoQueue<String> narrow = orderly.fifo("narrow.fifo", String.class, o -> o.withConcurrency(1));
        orderly.handle(narrow, (_, _) -> free.await(1, TimeUnit.MINUTES));
        start(_ -> {});
        find(narrow.group("a").push("block"), Cause.RUNNING);
        JobId first = narrow.group("b").push("first");
        JobId second = narrow.group("b").push("second");
        Orderly other = Orderly.open(store);
        other.fifo("narrow.fifo", String.class, o -> o.withConcurrency(1));
        JobDiagnosis why = other.why(second);
        assertThat(why.cause()).isEqualTo(Cause.GROUP_WAITING);
        assertThat(why.blocker()).isEqualTo(first);
        assertThat(why.sentence()).contains("behind 1 job of its group b", "other nodes work on queue narrow.fifo");
        FOUND.add(Cause.GROUP_WAITING);
        other.stop();
    }

    @Test
    void jobsForWorkersElsewhere() {
        StandardQueue<String> pulled = orderly.queue("pulled", String.class, o -> o.withMaxLeased(1));
        orderly.engines().jobs().pull(pulled);
        orderly.start();
        JobId first = pulled.push("a");
        JobId second = pulled.push("b");
        assertThat(find(second, Cause.NO_WORKER)).satisfies(why -> {
            assertThat(why.sentence()).contains("a worker that pulls queue pulled, behind 1 job.");
            assertThat(why.remedy()).contains("/queues/pulled/claims");
        });
        orderly.engines().pulls().claim(new PullRequest(new QueueName("pulled"), 1, Duration.ofSeconds(20),
                Duration.ofHours(1))).orElseThrow().join();
        assertThat(find(first, Cause.LEASED)).satisfies(why -> {
            assertThat(why.sentence()).contains("A worker elsewhere has it (attempt 1)");
            assertThat(why.at()).isNotNull();
        });
        assertThat(find(second, Cause.LEASES_FULL).remedy()).contains("queues.pulled.max-leased");
    }

    @Test
    void aJobThatWaitsForALimit() {
        StandardQueue<String> single = orderly.queue("single", String.class,
                o -> o.withLimit(Limit.concurrency(1).rate(5, Duration.ofMinutes(1))));
        orderly.handle(single, (_, _) -> free.await(1, TimeUnit.MINUTES));
        start(_ -> {});
        find(single.push("block"), Cause.RUNNING);
        assertThat(find(single.push("next"), Cause.LIMITED)).satisfies(why -> {
            assertThat(why.sentence()).isEqualTo("It waits for limit queue:single: 1 of 1 running, 1 of 5 per 60s"
                    + " started; behind 0 jobs.");
            assertThat(why.remedy()).contains("queues.single.limit");
        });
    }

    @Test
    void aJobThatWaitsForItsKey() {
        CountDownLatch free = new CountDownLatch(1);
        StandardQueue<String> keyed = orderly.queue("keyed", String.class,
                o -> o.withKey((String text) -> text.substring(0, 1)).withPerKey(Limit.concurrency(1)));
        orderly.handle(keyed, (_, _) -> free.await(1, TimeUnit.MINUTES));
        start(_ -> {});
        find(keyed.push("a block"), Cause.RUNNING);
        assertThat(find(keyed.push("a next"), Cause.KEY_LIMITED).sentence()).contains("key a");
    }

    @Test
    void aJobOfAPausedKeyOrGroup() {
        StandardQueue<String> keyed = orderly.queue("keyed", String.class,
                o -> o.withKey((String text) -> text.substring(0, 1)));
        FifoQueue<String> steps = orderly.fifo("paused.fifo", String.class);
        orderly.handle(keyed, (_, _) -> {});
        orderly.handle(steps, (_, _) -> {});
        orderly.jobs().setKey(keyed.name(), "a", before -> before.withPaused(true), "ann");
        orderly.jobs().setKey(steps.name(), "4711", before -> before.withPaused(true), "ann");
        start(_ -> {});
        assertThat(find(keyed.push("a"), Cause.KEY_PAUSED)).satisfies(why -> {
            assertThat(why.sentence()).contains("its key a is paused (last change by ann at");
            assertThat(why.remedy()).isEqualTo("Resume the key.");
        });
        assertThat(find(steps.group("4711").push("a"), Cause.KEY_PAUSED).sentence()).contains("its group 4711 is");
    }

    @Test
    void jobsThatAnotherNodeWorks() {
        start(_ -> {});
        find(mail.push("block"), Cause.RUNNING);
        JobId second = mail.push("b");
        JobId third = mail.push("c");
        Orderly other = Orderly.open(store);
        other.queue("mail", String.class, _ -> ONE);
        assertThat(other.why(third).cause()).isEqualTo(Cause.QUEUED);
        assertThat(other.why(second).cause()).isEqualTo(Cause.READY);
        assertThat(other.why(second).sentence()).contains("other nodes work on queue mail");
        FOUND.addAll(Set.of(Cause.QUEUED, Cause.READY));
        other.stop();
    }

    @Test
    void payloadsThatFillTheNode() {
        int most = QueueOptions.PAYLOAD_LIMIT;
        try (Orderly node = Orderly.open(new MemoryStore(), EngineOptions.defaults().withClaimBytes(most))) {
            StandardQueue<String> large = node.queue("large", String.class, o -> o.withMaxPayload(most));
            CountDownLatch end = new CountDownLatch(1);
            node.handle(large, (text, job) -> end.await(1, TimeUnit.MINUTES));
            node.start();
            JobId first = large.push("x".repeat(most));
            await().atMost(SOON).until(() -> node.why(first).cause() == Cause.RUNNING);
            JobId second = large.push("y".repeat(most));
            await().atMost(SOON).until(() -> node.why(second).cause() == Cause.PAYLOAD_BYTES);
            FOUND.add(Cause.PAYLOAD_BYTES);
            end.countDown();
        }
    }
}
