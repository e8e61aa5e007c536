package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.JobState;
import dev.orderly.job.KeyRule;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRefusedException.Reason;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.job.diagnosis.JobDiagnosis.Cause;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of queues, as applications and handlers see them. */
class EngineKeyTest extends EngineTest {
    record Export(String tenant, int number) {}

    private final Map<String, AtomicInteger> running = new ConcurrentHashMap<>();
    private final Map<String, Integer> most = new ConcurrentHashMap<>();
    private final List<Export> ran = new CopyOnWriteArrayList<>();

    /** A handler that counts how many jobs of a key run at once. */
    private void work(Export export) {
        AtomicInteger own = running.computeIfAbsent(export.tenant, _ -> new AtomicInteger());
        most.merge(export.tenant, own.incrementAndGet(), Math::max);
        for (int turn = 0; turn < 100; turn++) {
            Thread.onSpinWait();
        }
        own.decrementAndGet();
        ran.add(export);
    }

    private String keyOf(JobId id) {
        return String.valueOf(view(id).terms().key());
    }

    @Test
    void theLimitOfEachKeyHoldsOnAllNodes() {
        Orderly other = Orderly.open(store.beside(), options("node-b"));
        List<Orderly> nodes = List.of(orderly, other);
        List<StandardQueue<Export>> exports = nodes.stream().map(node -> {
            StandardQueue<Export> declared = node.queue("exports", Export.class,
                    options -> options.withKey(Export::tenant).withPerKey(Limit.concurrency(2)));
            node.handle(declared, (export, _) -> work(export));
            return declared;
        }).toList();
        exports.getFirst().pushAll(IntStream.range(0, 90).mapToObj(n -> new Export("tenant-" + n % 3, n)).toList());
        nodes.forEach(Orderly::start);
        awaitTrue(() -> ran.size() == 90);
        assertThat(most.values()).hasSize(3).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(2));
        assertThat(ran).doesNotHaveDuplicates();
        other.close();
    }

    @Test
    void aQuietKeyDoesNotWaitBehindTheBacklogOfANoisyOne() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        StandardQueue<Export> exports = orderly.queue("exports", Export.class,
                options -> options.withKey(Export::tenant).withConcurrency(1));
        orderly.handle(exports, (export, _) -> {
            assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
            ran.add(export);
        });
        exports.pushAll(IntStream.range(0, 50).mapToObj(n -> new Export("noisy", n)).toList());
        orderly.start();
        JobId quiet = exports.push(new Export("quiet", 0));
        gate.countDown();
        awaitState(quiet, JobState.DONE);
        int before = ran.indexOf(new Export("quiet", 0));
        assertThat(before).as("jobs of the noisy key before the quiet one").isLessThanOrEqualTo(2);
        awaitTrue(() -> ran.size() == 51);
        assertThat(ran.stream().filter(export -> export.tenant.equals("noisy"))).isSortedAccordingTo(
                (one, two) -> Integer.compare(one.number, two.number));
    }

    @Test
    void aResumedKeyAndAHigherBoundStartJobsOnAllNodesAtOnce() {
        StandardQueue<Export> exports = orderly.queue("exports", Export.class,
                options -> options.withKey(Export::tenant).withPerKey(Limit.concurrency(1)));
        CountDownLatch gate = new CountDownLatch(1);
        orderly.handle(exports, (export, _) -> {
            ran.add(export);
            assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue();
        });
        Orderly operator = Orderly.open(store.beside(), options("node-b"));
        operator.jobs().setKey(exports.name(), "acme", before -> before.withPaused(true), "ann");
        orderly.start();
        exports.push(new Export("acme", 0));
        exports.push(new Export("acme", 1));
        awaitState(exports.push(new Export("beta", 0)), JobState.RUNNING);
        awaitTrue(() -> !ran.isEmpty());
        assertThat(ran).containsExactly(new Export("beta", 0));
        KeySettings settings = operator.jobs().setKey(exports.name(), "acme",
                before -> before.withPaused(false).withBounds(before.bounds().withConcurrency(2)), "ann");
        assertThat(settings.bounds().by()).isEqualTo("ann");
        awaitTrue(() -> ran.size() == 3);
        assertThat(orderly.jobs().key(exports.name(), "acme").limit()).isEqualTo(Limit.concurrency(2));
        gate.countDown();
        operator.close();
    }

    @Test
    void settingsThatNoKeyOrGroupCanHaveAreRefusedWithTheRemedy() {
        StandardQueue<Export> exports = orderly.queue("exports", Export.class, o -> o.withKey(Export::tenant));
        QueueName steps = orderly.fifo("steps.fifo", String.class).name();
        assertThatThrownBy(() -> orderly.jobs().setKey(steps, "g",
                before -> before.withBounds(before.bounds().withConcurrency(2)), "ann"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("Group g of queue steps.fifo")
                .hasMessageContaining("bound the queue by a limit");
        for (String wrong : List.of("", "a\nb", "\ud800", "\u00e9".repeat(129))) {
            assertThatThrownBy(() -> orderly.jobs().setKey(exports.name(), wrong, before -> before, "ann"))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("1 to 256 bytes");
        }
        assertThatThrownBy(() -> orderly.jobs().setKey(exports.name(), "a", before -> before.withPaused(true), "a\0"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("U+0000 at 2");
        assertThat(orderly.jobs().key(exports.name(), "a").settings()).isEqualTo(KeySettings.NONE);
        for (int n = 0; n < KeySettings.MOST; n++) {
            store.jobs().set(steps, "g" + n, KeySettings.NONE, KeySettings.NONE.withPaused(true));
        }
        assertThatThrownBy(() -> orderly.jobs().setKey(steps, "one", before -> before.withPaused(true), "ann"))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("10000 of them")
                .hasMessageContaining("resume or reset others");
        orderly.jobs().setKey(steps, "g7", before -> before.withPaused(false), "ann");
        assertThat(orderly.jobs().setKey(steps, "one", before -> before.withPaused(true), "ann").paused()).isTrue();
    }

    @Test
    void theKeyIsComputedAtThePushByTheRuleOfTheQueue() {
        StandardQueue<Export> byValue = orderly.queue("by-value", Export.class, o -> o.withKey(Export::tenant));
        StandardQueue<Export> byPointer = orderly.queue("by-pointer", Export.class, o -> o.withKey("payload:/number"));
        StandardQueue<Export> byParam = orderly.queue("by-param", Export.class, o -> o.withKey("params.tenant"));
        StandardQueue<Export> byUser = orderly.queue("by-user", Export.class, o -> o.withKey("user"));
        Export export = new Export("acme", 7);
        assertThat(keyOf(byValue.push(export))).isEqualTo("acme");
        assertThat(keyOf(byPointer.push(export))).isEqualTo("7");
        assertThat(keyOf(byParam.params(Map.of("tenant", "other")).push(export))).isEqualTo("other");
        assertThat(keyOf(byUser.user(new UserId("ann")).push(export))).isEqualTo("ann");
        JobId overHttp = orderly.jobs().push(PushRequest.of("by-value",
                new Payload(Payload.JSON, "{\"tenant\":\"web\",\"number\":1}".getBytes(StandardCharsets.UTF_8)))).id();
        assertThat(keyOf(overHttp)).isEqualTo("web");
    }

    @Test
    void aPushWithoutAKeyOrWithOneThatIsTooLongIsRefused() {
        StandardQueue<Export> byParam = orderly.queue("by-param", Export.class, o -> o.withKey("params.tenant"));
        Export export = new Export("acme", 7);
        assertThat(catchThrowableOfType(PushRefusedException.class, () -> byParam.push(export)))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.KEY_MISSING))
                .hasMessageContaining("by-param").hasMessageContaining("params.tenant");
        assertThat(catchThrowableOfType(PushRefusedException.class,
                () -> byParam.params(Map.of("tenant", "é".repeat(129))).push(export)))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.BOUNDS))
                .hasMessageContaining("258 bytes");
        StandardQueue<Export> byValue = orderly.queue("by-value", Export.class, o -> o.withKey(Export::tenant));
        assertThat(catchThrowableOfType(PushRefusedException.class,
                () -> orderly.jobs().push(PushRequest.of("by-value", Payload.text("no export")))))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.MALFORMED));
        assertThat(Stream.of(byParam, byValue).map(JobQueue::name)).allSatisfy(
                name -> assertThat(orderly.jobs().list(name, JobState.WAITING, null, 10)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tenant", "params.", "payload:", "payload:customer", "payload:/a~2", "User"})
    void aRuleThatIsNoneIsRefused(String rule) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyRule.parse(rule))
                .withMessageContaining("payload:/customer/id");
    }

    @Test
    void aGroupWhoseRateIsUsedUpRestsInItsOrderAndTheOthersGoOn() {
        FifoQueue<Export> steps = orderly.fifo("steps.fifo", Export.class,
                options -> options.withPerKey(Limit.of(2, Duration.ofMinutes(1))).withRetry(RetryPolicy.none()));
        orderly.handle(steps, (export, _) -> work(export));
        orderly.start();
        List<JobId> acme = steps.group("acme")
                .pushAll(IntStream.range(0, 4).mapToObj(n -> new Export("acme", n)).toList());
        awaitState(steps.group("beta").push(new Export("beta", 0)), JobState.DONE);
        awaitState(acme.get(1), JobState.DONE);
        awaitTrue(() -> orderly.why(acme.get(2)).cause() == Cause.KEY_LIMITED);
        assertThat(orderly.why(acme.get(2)).sentence()).contains("its group acme: 2 of 2 per 60s started");
        assertThat(orderly.why(acme.get(2)).remedy()).endsWith("queues.steps.fifo.per-key.");
        assertThat(orderly.jobs().key(steps.name(), "acme").started()).isEqualTo(2);
        time.advance(Duration.ofSeconds(63));
        awaitState(acme.get(3), JobState.DONE);
        assertThat(ran.stream().filter(export -> export.tenant.equals("acme")).map(Export::number))
                .containsExactly(0, 1, 2, 3);
    }

    @Test
    void aFullGroupIsRefusedAndTheOthersGoOn() {
        FifoQueue<Export> steps = orderly.fifo("steps.fifo", Export.class, options -> options.withKeyMaxPending(2));
        steps.group("acme").pushAll(List.of(new Export("acme", 0), new Export("acme", 1)));
        assertThat(catchThrowableOfType(PushRefusedException.class,
                () -> steps.group("acme").push(new Export("acme", 2))))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.QUEUE_FULL))
                .hasMessageContaining("Group acme of queue steps.fifo holds 2 of at most 2");
        steps.group("beta").push(new Export("beta", 0));
        assertThat(orderly.jobs().list(steps.name(), JobState.WAITING, null, 10)).hasSize(3);
    }

    @Test
    void aQueueThatCannotHaveKeysIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(
                () -> orderly.fifo("orders.fifo", Export.class, options -> options.withPerKey(Limit.concurrency(2))))
                .withMessageContaining("one runs, so that its jobs stay in order");
        assertThatIllegalArgumentException().isThrownBy(
                () -> orderly.fifo("orders.fifo", Export.class, options -> options.withKey("user")))
                .withMessageContaining("its group is its key");
        assertThatIllegalArgumentException().isThrownBy(
                () -> orderly.queue("mails", Export.class, o -> o.withPerKey(Limit.concurrency(1))))
                .withMessageContaining("no key");
        assertThatIllegalArgumentException().isThrownBy(
                () -> orderly.queue("mails", Export.class, o -> o.withKeyMaxPending(1)))
                .withMessageContaining("no key");
        assertThatIllegalArgumentException().isThrownBy(() -> QueueOptions.STANDARD.withKeyMaxPending(0))
                .withMessageContaining("1 to 100000");
    }

    @Test
    void whySaysThatAJobWaitsForItsKey() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        StandardQueue<Export> exports = orderly.queue("exports", Export.class,
                options -> options.withKey(Export::tenant).withPerKey(Limit.concurrency(1)));
        orderly.handle(exports, (export, _) -> assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue());
        JobId first = exports.push(new Export("acme", 0));
        orderly.start();
        awaitState(first, JobState.RUNNING);
        JobId second = exports.push(new Export("acme", 1));
        awaitTrue(() -> orderly.why(second).cause() == Cause.KEY_LIMITED);
        JobDiagnosis why = orderly.why(second);
        assertThat(why.sentence()).contains("its key acme: 1 of 1 running");
        gate.countDown();
        awaitState(second, JobState.DONE);
    }

    @Test
    void anOperatorChangesTheLimitOfEachKey() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        StandardQueue<Export> exports = orderly.queue("exports", Export.class,
                options -> options.withKey(Export::tenant).withPerKey(Limit.concurrency(1)));
        orderly.handle(exports, (export, _) -> assertThat(gate.await(60, TimeUnit.SECONDS)).isTrue());
        List<JobId> ids = exports.pushAll(List.of(new Export("acme", 0), new Export("acme", 1)));
        orderly.start();
        awaitTrue(() -> orderly.why(ids.get(1)).cause() == Cause.KEY_LIMITED);
        orderly.limitSettings().change(LimitName.ofKeys(exports.name()), before -> before.withConcurrency(2), "ann");
        awaitState(ids.get(1), JobState.RUNNING);
        gate.countDown();
        ids.forEach(id -> awaitState(id, JobState.DONE));
    }

    @Test
    void aFullKeyIsRefusedWithATimeToRetryAndTheOthersGoOn() {
        StandardQueue<Export> exports = orderly.queue("exports", Export.class,
                o -> o.withKey(Export::tenant).withKeyMaxPending(3));
        exports.pushAll(IntStream.range(0, 3).mapToObj(n -> new Export("acme", n)).toList());
        assertThat(catchThrowableOfType(PushRefusedException.class, () -> exports.push(new Export("acme", 3))))
                .satisfies(refused -> {
                    assertThat(refused.reason()).isEqualTo(Reason.QUEUE_FULL);
                    assertThat(refused.retryAfter()).isNotNull();
                }).hasMessageContaining("Key acme of queue exports holds 3 of at most 3");
        assertThat(catchThrowableOfType(PushRefusedException.class,
                () -> exports.pushAll(List.of(new Export("beta", 0), new Export("beta", 1), new Export("beta", 2),
                        new Export("beta", 3)))))
                .hasMessageContaining("4").hasMessageContaining("Key beta");
        exports.push(new Export("beta", 0));
        assertThat(orderly.jobs().list(exports.name(), JobState.WAITING, null, 10)).hasSize(4);
        orderly.handle(exports, (export, _) -> work(export));
        orderly.start();
        awaitTrue(() -> ran.size() == 4);
        time.advance(Duration.ofSeconds(1));
        exports.push(new Export("acme", 4));
        awaitTrue(() -> ran.size() == 5);
    }

    @Test
    void whatAnotherNodePushesCountsForAKeyWithinASecond() {
        Orderly other = Orderly.open(store.beside(), options("node-b"));
        List<StandardQueue<Export>> exports = Stream.of(orderly, other).map(node -> node.queue("exports", Export.class,
                o -> o.withKey(Export::tenant).withKeyMaxPending(3))).toList();
        exports.getFirst().push(new Export("acme", 0));
        exports.getLast().pushAll(List.of(new Export("acme", 1), new Export("acme", 2)));
        time.advance(Duration.ofSeconds(1));
        assertThat(catchThrowableOfType(PushRefusedException.class,
                () -> exports.getFirst().push(new Export("acme", 3)))).hasMessageContaining("3 of at most 3");
        other.close();
    }

    @Test
    void aDebouncedPushReplacesOnlyAJobOfItsOwnKey() {
        StandardQueue<Export> exports = orderly.queue("exports", Export.class, o -> o.withKey(Export::tenant));
        JobId acme = exports.debounce("index", Duration.ofMinutes(1)).push(new Export("acme", 0));
        JobId beta = exports.debounce("index", Duration.ofMinutes(1)).push(new Export("beta", 0));
        assertThat(beta).isNotEqualTo(acme);
        assertThat(exports.debounce("index", Duration.ofMinutes(1)).push(new Export("acme", 1))).isEqualTo(acme);
        assertThat(keyOf(acme)).isEqualTo("acme");
        assertThat(keyOf(beta)).isEqualTo("beta");
    }

    @Test
    void aJobOfAKeyIsRetriedAndASecondStartsMeanwhile() {
        StandardQueue<Export> exports = orderly.queue("exports", Export.class,
                options -> options.withKey(Export::tenant).withPerKey(Limit.concurrency(1))
                        .withRetry(options.retry().withAttempts(2)));
        AtomicInteger failures = new AtomicInteger();
        orderly.handle(exports, (export, job) -> {
            if (export.number == 0 && job.attempt() == 1) {
                failures.incrementAndGet();
                throw new IllegalStateException("once");
            }
            work(export);
        });
        List<JobId> ids = exports.pushAll(List.of(new Export("acme", 0), new Export("acme", 1)));
        orderly.start();
        awaitState(ids.get(1), JobState.DONE);
        awaitState(ids.get(0), JobState.DELAYED);
        time.advance(Duration.ofMinutes(1));
        awaitState(ids.get(0), JobState.DONE);
        assertThat(keyOf(ids.get(0))).isEqualTo("acme");
        assertThat(failures).hasValue(1);
    }
}
