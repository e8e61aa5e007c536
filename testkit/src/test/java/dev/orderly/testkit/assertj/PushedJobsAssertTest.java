package dev.orderly.testkit.assertj;

import static dev.orderly.testkit.assertj.OrderlyAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Priority;
import dev.orderly.job.StandardQueue;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;

class PushedJobsAssertTest {
    private static final Mail ADA = new Mail("ada@example.com", 100);
    private static final Mail BOB = new Mail("bob@example.com", 50);

    private final OrderlyHarness harness = OrderlyHarness.open();
    private final Orderly orderly = harness.orderly();
    private final StandardQueue<Mail> mails = orderly.queue("mails", Mail.class);
    private final FifoQueue<String> changes = orderly.fifo("changes.fifo", String.class);

    record Mail(String to, int percent) {}

    @AfterEach
    void close() {
        harness.close();
    }

    private static void failure(ThrowingCallable assertion, String message) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessage(message);
    }

    @Test
    void everythingThatAPushSaysCanBeAsserted() {
        mails.delay(Duration.ofHours(1)).priority(Priority.HIGH).dedupe("welcome-ada")
                .params(Map.of("campaign", "may", "part", "1")).user(new UserId("ada")).push(ADA);
        mails.push(BOB);
        changes.group("ada").dedupe("first").push("a");

        assertThat(harness).hasPushed(mails).withPayload(ADA).withDelay(Duration.ofHours(1))
                .withPriority(Priority.HIGH).withDedupeId("welcome-ada").withParam("campaign", "may")
                .ofUser(new UserId("ada")).once();
        assertThat(harness).hasPushed(mails).withoutDelay().ofNoUser().withPriority(Priority.NORMAL)
                .withPayload(BOB).once();
        assertThat(harness).hasPushed(changes).inGroup("ada").withDedupeId("first").withPayload("a").once();
    }

    @Test
    void aFailureSaysWhatWasAskedForAndWhatWasPushedInstead() {
        mails.delay(Duration.ofMinutes(90)).push(ADA);
        mails.dedupe("bob").user(new UserId("bob")).push(BOB);

        failure(() -> assertThat(harness).hasPushed(mails).withPayload(BOB).withDelay(Duration.ofMinutes(90)), """
                No job was pushed to queue mails with payload {"to":"bob@example.com","percent":50} with delay PT1H30M\
                ; pushed to this queue:
                  1. mails: {"to":"ada@example.com","percent":100}, delay PT1H30M
                  2. mails: {"to":"bob@example.com","percent":50}, with a dedupe id, user bob""");
        failure(() -> assertThat(harness).hasPushed(changes), """
                No job was pushed to queue changes.fifo; pushed in all:
                  1. mails: {"to":"ada@example.com","percent":100}, delay PT1H30M
                  2. mails: {"to":"bob@example.com","percent":50}, with a dedupe id, user bob""");
        failure(() -> assertThat(harness).hasPushed(mails).withDelay(Duration.ofMinutes(90)).times(2), """
                2 jobs were to be pushed to queue mails with delay PT1H30M, and there are 1; pushed to this queue:
                  1. mails: {"to":"ada@example.com","percent":100}, delay PT1H30M
                  2. mails: {"to":"bob@example.com","percent":50}, with a dedupe id, user bob""");
    }

    @Test
    void eachConditionRefusesJobsThatDoNotFit() {
        mails.delay(Duration.ofHours(1)).push(ADA);
        changes.group("ada").user(new UserId("ada")).push("a");
        PushedJobsAssert<Mail> mail = assertThat(harness).hasPushed(mails);
        PushedJobsAssert<String> change = assertThat(harness).hasPushed(changes);

        for (ThrowingCallable wrong : new ThrowingCallable[]{() -> mail.withPayload(BOB), mail::withoutDelay,
                () -> mail.withDelay(Duration.ofMinutes(61)), () -> mail.withDedupeId("x"), () -> mail.inGroup("ada"),
                () -> mail.withPriority(Priority.LOW), () -> mail.withParam("campaign", "may"), () -> mail.times(2),
                () -> mail.ofUser(new UserId("ada")), change::ofNoUser, () -> change.inGroup("bob"),
                () -> change.withDedupeId("a"), () -> change.withDelay(Duration.ZERO), () -> change.then(mails),
                () -> change.withPayloads("a", "b"), () -> change.withPayloads("b"), change::withPayloads}) {
            assertThatExceptionOfType(AssertionError.class).isThrownBy(wrong);
        }
    }

    @Test
    void payloadsAreAssertedInTheOrderOfTheirPushes() {
        changes.group("ada").push("first");
        changes.group("bob").push("other");
        changes.group("ada").push("second");

        assertThat(harness).hasPushed(changes).inGroup("ada").withPayloads("first", "second");
        failure(() -> assertThat(harness).hasPushed(changes).inGroup("ada").withPayloads("second", "first"), """
                Jobs of queue changes.fifo in group ada were to be pushed with the payloads [second, first] in this \
                order; pushed to this queue:
                  1. changes.fifo: first, group ada
                  2. changes.fifo: other, group bob
                  3. changes.fifo: second, group ada""");
    }

    @Test
    void oneQueueIsAssertedAfterAnother() {
        orderly.handle(mails, (mail, job) -> changes.group(mail.to()).push("sent"));
        orderly.start();
        mails.push(ADA);
        harness.drain();

        assertThat(harness).hasPushed(mails).withPayload(ADA).then(changes).inGroup("ada@example.com")
                .withPayload("sent").once();
        failure(() -> assertThat(harness).hasPushed(changes).then(mails), """
                No job was pushed to queue mails after changes.fifo: sent, group ada@example.com; pushed in all:
                  1. mails: {"to":"ada@example.com","percent":100}
                  2. changes.fifo: sent, group ada@example.com""");
    }

    @Test
    void nothingPushedIsAssertedForOneQueueAndForAll() {
        assertThat(harness).hasPushedNothing().hasPushedNothingTo(mails);
        mails.push(BOB);

        assertThat(harness).hasPushedNothingTo(changes);
        failure(() -> assertThat(harness).hasPushedNothingTo(mails), """
                No job was to be pushed to queue mails; pushed:
                  1. mails: {"to":"bob@example.com","percent":50}""");
        failure(() -> assertThat(harness).hasPushedNothing(), """
                No job was to be pushed; pushed:
                  1. mails: {"to":"bob@example.com","percent":50}""");
    }

    @Test
    void theOrderOfFieldsInJsonIsFree() {
        StandardQueue<Map<String, Integer>> counts = orderly.queue("counts", new TypeReference<>() {
        });
        Map<String, Integer> pushed = new LinkedHashMap<>();
        pushed.put("b", 2);
        pushed.put("a", 1);
        counts.push(pushed);
        Map<String, Integer> same = new LinkedHashMap<>();
        same.put("a", 1);
        same.put("b", 2);

        assertThat(harness).hasPushed(counts).withPayload(same);
        assertThat(harness.pushed(counts)).hasSize(1);
    }

    @Test
    void aLongListIsCut() {
        for (int n = 0; n < 60; n++) {
            mails.push(ADA);
        }

        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(harness).hasPushedNothing())
                .withMessageContaining("\n  50. mails").withMessageEndingWith("\n  and 10 more");
    }
}
