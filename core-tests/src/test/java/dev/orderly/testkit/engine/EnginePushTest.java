package dev.orderly.testkit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.Push;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRefusedException.Reason;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EnginePushTest extends EngineTest {
    private static final Payload ONE = Payload.json("1");

    private final StandardQueue<String> emails = orderly.queue("emails", String.class);
    private final FifoQueue<String> orders = orderly.fifo("orders.fifo", String.class);

    static List<Arguments> refusals() {
        PushRequest email = PushRequest.of("emails", ONE);
        PushRequest order = PushRequest.of("orders.fifo", ONE);
        return List.of(Arguments.of(Reason.UNKNOWN_QUEUE, PushRequest.of("letters", ONE), "letters", "emails"),
                Arguments.of(Reason.UNKNOWN_QUEUE, PushRequest.of("no/queue", ONE), "no/queue", "letters, digits"),
                Arguments.of(Reason.GROUP_MISSING, order, "orders.fifo", "group(id)"),
                Arguments.of(Reason.GROUP_FORBIDDEN, email.withGroup("g"), "emails", "leave it out"),
                Arguments.of(Reason.ORDER, order.withGroup("g").withDelay(Duration.ofSeconds(1)), "orders.fifo",
                        "delay"),
                Arguments.of(Reason.ORDER, order.withGroup("g").withPriority(Priority.HIGH), "orders.fifo", "priority"),
                Arguments.of(Reason.EMPTY, PushRequest.of("emails", new Payload(Payload.BYTES, new byte[0])), "emails",
                        "at least one byte"),
                Arguments.of(Reason.TOO_LARGE,
                        PushRequest.of("emails", new Payload(Payload.BYTES, new byte[(256 << 10) + 1])), "262145",
                        "max-payload"),
                Arguments.of(Reason.BOUNDS, order.withGroup(""), "group", "1 to 256"),
                Arguments.of(Reason.BOUNDS, order.withGroup("x".repeat(257)), "257", "1 to 256"),
                Arguments.of(Reason.BOUNDS, order.withGroup("a\r\nb"), "group", "control"),
                Arguments.of(Reason.BOUNDS, email.withDedupeId(""), "dedupe id", "1 to 256"),
                Arguments.of(Reason.BOUNDS, email.withDelay(Duration.ofDays(366)), "366", "365"),
                Arguments.of(Reason.BOUNDS, email.withParams(Map.of("k", "v".repeat(9_000))), "params", "8192"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aBrokenRuleIsNamedWithItsRemedyAndNothingIsStored(Reason reason, PushRequest request, String thing,
            String remedy) {
        assertThatThrownBy(() -> orderly.jobs().push(request)).asInstanceOf(type(PushRefusedException.class))
                .satisfies(refused -> {
                    assertThat(refused.reason()).isEqualTo(reason);
                    assertThat(refused).hasMessageContaining(thing).hasMessageContaining(remedy);
                });
        assertThat(orderly.jobs().queues()).allSatisfy(queue -> assertThat(queue.view().waiting()).isZero());
    }

    @Test
    void aBulkPushWithAWrongJobStoresNothingAndNamesItsPosition() {
        List<PushRequest> requests = List.of(PushRequest.of("emails", ONE), PushRequest.of("orders.fifo", ONE));
        assertThatThrownBy(() -> orderly.jobs().pushAll(requests)).isInstanceOf(PushRefusedException.class)
                .hasMessageContaining("Job 2 of 2");
        assertThat(orderly.jobs().list(emails.name(), JobState.WAITING, null, 10)).isEmpty();
    }

    @Test
    void theIdsOfABulkPushHaveListOrderAndSortInPushOrder() {
        List<JobId> ids = emails.pushAll(IntStream.range(0, 5_000).mapToObj(i -> "mail " + i).toList());
        assertThat(ids).hasSize(5_000).isSorted().doesNotHaveDuplicates();
        assertThatThrownBy(() -> emails.pushAll(Collections.nCopies(10_001, "a"))).hasMessageContaining("10000");
    }

    @Test
    void aBulkPushOfNothingStoresNothingAndAnswersNothing() {
        assertThat(emails.pushAll(List.of())).isEmpty();
        assertThat(orders.pushAll(List.<String>of(), text -> text)).isEmpty();
        assertThat(orderly.jobs().pushAll(List.of())).isEmpty();
    }

    @Test
    @SuppressWarnings("NullAway") // as callers without null checks do
    void aPushOfNullInAListNamesThePosition() {
        assertThatThrownBy(() -> orders.group("ann").pushAll(Arrays.asList("a", null)))
                .isInstanceOf(NullPointerException.class).hasMessage("payloads: item 2 of 2 is null");
        assertThatThrownBy(() -> emails.params(Collections.singletonMap("seat", null)).push("a"))
                .isInstanceOf(NullPointerException.class).hasMessage("param seat: leave it out, or give it a value");
    }

    @Test
    void anEqualJobOfAGroupIsADuplicateForFiveMinutes() {
        JobId first = orders.group("ann").push("pay 7");
        assertThat(orders.group("ann").push("pay 7")).isEqualTo(first);
        assertThat(orders.group("bob").push("pay 7")).isNotEqualTo(first);
        assertThat(orders.group("ann").user(new UserId("u")).push("pay 7")).isNotEqualTo(first);
        assertThat(orders.group("ann").params(Map.of("a", "b")).push("pay 7")).isNotEqualTo(first);
        time.advance(Duration.ofMinutes(5).plusMillis(1));
        assertThat(orders.group("ann").push("pay 7")).isNotEqualTo(first);
    }

    @Test
    void standardJobsAreDuplicatesOnlyByDedupeId() {
        assertThat(emails.push("a")).isNotEqualTo(emails.push("a"));
        assertThat(emails.dedupe("x").push("a")).isEqualTo(emails.dedupe("x").push("a"));
        PushRequest request = orderly.jobs().request(emails, "a").withDedupeId("x");
        assertThat(orderly.jobs().push(request)).isInstanceOf(PushResult.Duplicate.class);
    }

    @Test
    void aDedupeIdThatStandsForAnotherJobIsRefusedAndNamesThatJob() {
        JobId first = emails.dedupe("x").push("a");
        assertThatThrownBy(() -> emails.dedupe("x").push("b")).asInstanceOf(type(PushRefusedException.class))
                .satisfies(refused -> {
                    assertThat(refused.reason()).isEqualTo(Reason.KEY_REUSED);
                    assertThat(refused).hasMessageContaining("stands for job " + first);
                });
        assertThatThrownBy(() -> emails.dedupe("x").params(Map.of("a", "b")).push("a"))
                .isInstanceOf(PushRefusedException.class);
        assertThatThrownBy(() -> emails.dedupe("x").user(new UserId("ada")).push("a"))
                .isInstanceOf(PushRefusedException.class);
        PushRequest request = orderly.jobs().request(emails, "b").withDedupeId("x");
        assertThat(orderly.jobs().push(request)).isEqualTo(new PushResult.DedupeReused(first));
    }

    @Test
    void aListUnderOneDedupeIdIsRefusedBeforeAnyOfItIsStored() {
        assertThatThrownBy(() -> emails.dedupe("y").pushAll(List.of("c", "d")))
                .asInstanceOf(type(PushRefusedException.class))
                .extracting(PushRefusedException::reason).isEqualTo(Reason.KEY_REUSED);
        assertThatThrownBy(() -> orders.group("ann").dedupe("y").pushAll(List.of("c", "c")))
                .isInstanceOf(PushRefusedException.class).hasMessageContaining("orders.fifo");
        assertThat(orderly.jobs().queues()).allSatisfy(queue -> assertThat(queue.view().waiting()).isZero());
        assertThat(emails.dedupe("y").pushAll(List.of("c"))).hasSize(1);
    }

    @Test
    void theMomentOfAPushStaysWhereverItIsNamedAndWheneverItIsPushed() {
        Instant due = time.now().plus(Duration.ofHours(1));
        List<Push<String>> kept = List.of(emails.runAt(due), emails.priority(Priority.HIGH).runAt(due),
                emails.runAt(due).params(Map.of("a", "b")), emails.delay(Duration.ofDays(1)).runAt(due));
        time.advance(Duration.ofMinutes(10));
        assertThat(kept).allSatisfy(push -> assertThat(view(push.push("a")).dueAt()).isEqualTo(due));
        assertThat(view(emails.runAt(due).delay(Duration.ofMinutes(1)).push("a")).dueAt())
                .isEqualTo(time.now().plus(Duration.ofMinutes(1)));
        assertThat(view(emails.runAt(time.now().minusSeconds(1)).push("a")).state()).isEqualTo(JobState.WAITING);
        assertThatThrownBy(() -> emails.runAt(time.now().plus(Duration.ofDays(366))).push("a"))
                .hasMessageContaining("366");
        assertThatThrownBy(() -> emails.runAt(Instant.MAX).push("a")).asInstanceOf(type(PushRefusedException.class))
                .extracting(PushRefusedException::reason).isEqualTo(Reason.BOUNDS);
    }

    @Test
    void optionsStartFromTheDefaultsOfTheKindAndThoseOfTheOtherAreRefusedOnAFifoQueue() {
        orderly.fifo("steps.fifo", String.class, o -> o.withTimeout(Duration.ofSeconds(7)));
        assertThat(orderly.jobs().options(new QueueName("steps.fifo")))
                .contains(QueueOptions.FIFO.withTimeout(Duration.ofSeconds(7)));
        assertThatThrownBy(() -> orderly.fifo("bad.fifo", String.class, _ -> QueueOptions.STANDARD))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("bad.fifo")
                .hasMessageContaining("QueueOptions.FIFO");
        assertThat(orderly.jobs().options(new QueueName("bad.fifo"))).isEmpty();
    }

    @Test
    void aFullQueueRefusesPushesWithATimeToRetry() {
        StandardQueue<String> few = orderly.queue("few", String.class, o -> o.withMaxPending(3));
        few.pushAll(List.of("a", "b", "c"));
        assertThatThrownBy(() -> few.push("d")).asInstanceOf(type(PushRefusedException.class)).satisfies(refused -> {
            assertThat(refused.reason()).isEqualTo(Reason.QUEUE_FULL);
            assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(60));
        });
        orderly.jobs().cancel(orderly.jobs().list(few.name(), JobState.WAITING, null, 1).getFirst().id());
        time.advance(Duration.ofSeconds(1));
        assertThat(few.push("d")).isNotNull();
    }

    @Test
    void aFullQueueIsCountedAnewASecondAfterAnOutageThatACountHasWaitedFor() {
        InterceptedStore away = new InterceptedStore(store);
        try (Orderly node = Orderly.open(away, options("pushing"))) {
            StandardQueue<String> few = node.queue("few", String.class, o -> o.withMaxPending(1));
            JobId first = few.push("a");
            time.advance(Duration.ofSeconds(1));
            away.before(() -> {
                time.advance(Duration.ofSeconds(15));
                throw new StoreException.Unavailable("the store is away", null);
            });
            assertThatThrownBy(() -> few.push("b")).isInstanceOf(PushRefusedException.class);
            away.heal();
            orderly.jobs().cancel(first);
            time.advance(Duration.ofSeconds(1));
            assertThat(few.push("b")).isNotNull();
        }
    }

    @Test
    void theNameOfAQueueDecidesItsKind() {
        assertThatThrownBy(() -> orderly.queue("a.fifo", String.class)).hasMessageContaining("fifo()");
        assertThatThrownBy(() -> orderly.fifo("a", String.class)).hasMessageContaining("queue()");
        assertThatThrownBy(() -> orderly.queue("emails", Integer.class)).hasMessageContaining("declared twice");
        assertThat(orderly.queue("emails", String.class).name()).isEqualTo(emails.name());
    }

    @Test
    void aPayloadThatJacksonCannotWriteIsRefused() {
        StandardQueue<Object> things = orderly.queue("things", Object.class);
        List<Object> loop = new ArrayList<>();
        loop.add(loop);
        assertThatThrownBy(() -> things.push(loop)).asInstanceOf(type(PushRefusedException.class))
                .satisfies(refused -> assertThat(refused.reason()).isEqualTo(Reason.MALFORMED));
    }

    @Test
    void aPushAfterCloseIsRefused() {
        orderly.close();
        assertThatThrownBy(() -> emails.push("late")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
