package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.PushResult.Accepted;
import dev.orderly.job.PushResult.Duplicate;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Promises that hold although a clock was wrong, and the absence of endless polling. */
public interface ClockPart extends JobPart {
    Duration ASTRAY = Duration.ofDays(30);
    Duration JUST = Duration.ofMillis(1);

    @Test
    default void aClockThatWasAheadForOnePushDoesNotProlongLaterKeys() {
        aPushUnderAClockAhead();
        JobId first = trial().push(mail("a").dedupe("x").idempotency("k", "r"));
        trial().pass(JobStore.DEDUPE_WINDOW.minus(JUST));
        assertThat(trial().answer(mail("b").dedupe("x"))).isEqualTo(new Duplicate(first));
        trial().pass(JUST.plus(JUST));
        assertThat(trial().answer(mail("c").dedupe("x"))).isInstanceOf(Accepted.class);
        assertThat(trial().answer(mail("d").idempotency("k", "r"))).isEqualTo(new Duplicate(first));
        trial().pass(JobStore.IDEMPOTENCY_WINDOW.minus(JobStore.DEDUPE_WINDOW));
        assertThat(trial().answer(mail("e").idempotency("k", "r"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void aKeyOfAPushUnderAClockThatWasAheadIsForgottenInTime() {
        trial().jump(ASTRAY);
        JobId first = trial().push(mail("a").dedupe("x").idempotency("k", "r"));
        trial().jump(ASTRAY.negated());
        trial().upkeep();
        assertThat(trial().answer(mail("b").dedupe("x"))).isEqualTo(new Duplicate(first));
        trial().pass(JobStore.DEDUPE_WINDOW.plusSeconds(2));
        assertThat(trial().answer(mail("c").dedupe("x"))).isInstanceOf(Accepted.class);
        assertThat(trial().answer(mail("d").idempotency("k", "r"))).isEqualTo(new Duplicate(first));
        trial().pass(JobStore.IDEMPOTENCY_WINDOW.minus(JobStore.DEDUPE_WINDOW));
        assertThat(trial().answer(mail("e").idempotency("k", "r"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void jobsThatEndedUnderAClockThatWasAheadAreForgottenInTime() {
        Retention keep = new Retention(Duration.ofHours(2), 1_000, Duration.ofHours(2));
        trial().jump(ASTRAY);
        JobId done = trial().push(mail("a"));
        JobId dead = trial().push(order("g", "b"));
        TestNode node = trial().node();
        node.drain(MAIL);
        node.dead(node.takeOne(ORDERS), false);
        trial().jump(ASTRAY.negated());
        trial().upkeep(Map.of(), keep, 100);
        trial().pass(Duration.ofHours(1));
        trial().upkeep(Map.of(), keep, 100);
        assertThat(trial().view(done).id()).isEqualTo(done);
        assertThat(trial().view(dead).id()).isEqualTo(dead);
        trial().pass(Duration.ofHours(1).plusSeconds(2));
        trial().upkeep(Map.of(), keep, 100);
        trial().eventually(() -> {
            assertThat(trial().views().find(done)).isEmpty();
            assertThat(trial().views().find(dead)).isEmpty();
        });
    }

    @Test
    default void keysAreForgottenInTimeAfterARestartToo() {
        aPushUnderAClockAhead();
        JobId first = trial().push(mail("a").dedupe("x"));
        trial().crash();
        assertThat(trial().answer(mail("b").dedupe("x"))).isEqualTo(new Duplicate(first));
        trial().pass(JobStore.DEDUPE_WINDOW.plus(JUST));
        assertThat(trial().answer(mail("c").dedupe("x"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void endedJobsAreForgottenInTimeThoughAClockWasAhead() {
        Retention keep = new Retention(Duration.ofHours(2), 1_000, Duration.ofHours(2));
        aPushUnderAClockAhead();
        trial().node().drain(MAIL);
        JobId done = trial().push(mail("a").dedupe("x"));
        JobId dead = trial().push(order("g", "b"));
        TestNode node = trial().node();
        node.drain(MAIL);
        node.dead(node.takeOne(ORDERS), false);
        trial().pass(Duration.ofHours(2).plus(JUST));
        trial().upkeep(Map.of(), keep, 100);
        trial().eventually(() -> {
            assertThat(trial().views().find(done)).isEmpty();
            assertThat(trial().views().find(dead)).isEmpty();
        });
    }

    @Test
    default void aWaitForAnEventEndsInTimeThoughTheClockWasSetBack() {
        TestNode node = trial().node();
        trial().push(mail("before"));
        trial().jump(Duration.ofHours(-5));
        for (int second = 0; second < 3; second++) { // after a second the clock counts as set back
            trial().push(mail("meanwhile"));
            trial().pass(Duration.ofSeconds(1));
        }
        node.beat();
        node.drain(MAIL);
        trial().push(mail("a"));
        ClaimedJob job = node.takeOne(MAIL);
        Instant end = trial().in(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
        assertThat(asked(node, job)).as("the end of the wait").isEqualTo(new JobEvent.Awaited(end, 0, false));
        assertThat(trial().views().events(job.id())).extracting(JobEvent::awaited)
                .containsExactly(new JobEvent.Awaited(end, 0, false));
        node.settle(job, new AttemptOutcome.Awaiting(Set.of("approval"), end));
        trial().pass(Duration.ofHours(1).plusSeconds(1));
        node.beat();
        assertThat(asked(node, node.takeOne(MAIL))).isEqualTo(new JobEvent.Awaited(end, 1, true));
    }

    private JobEvent.@Nullable Awaited asked(TestNode node, ClaimedJob job) {
        EventWait wait = new EventWait(node.id(), job.attempt(), "approval", trial().in(Duration.ofHours(1)));
        return ((AwaitAnswer.Known) trial().jobs().await(wait, trial().now())).event().awaited();
    }

    @Test
    default void theNextDueTimeIsNeverInThePast() {
        TestNode node = trial().node();
        trial().push(mail("a").at(trial().in(Duration.ofSeconds(5))), mail("b").at(trial().in(Duration.ofSeconds(5))));
        trial().push(order("g", "c"));
        node.retry(node.takeOne(ORDERS), Duration.ofSeconds(5));
        trial().pass(Duration.ofSeconds(6));
        assertNothingIsDue(node.claim(MAIL, 1));
        trial().jobs().pause(MAIL, true);
        trial().jobs().pause(ORDERS, true);
        assertNothingIsDue(node.claim(MAIL, 1));
        assertNothingIsDue(node.claim(ORDERS, 1));
    }

    @Test
    default void aClaimReportsItsPausedQueues() {
        QueueName idle = new QueueName("idle");
        List<Demand> wants = List.of(new Demand(MAIL, 1), new Demand(ORDERS, 1), new Demand(idle, 1));
        trial().push(mail("a"), order("g", "b"));
        assertThat(trial().node().claim(wants).paused()).isEmpty();
        trial().jobs().pause(MAIL, true);
        trial().jobs().pause(idle, true);
        assertThat(trial().node().claim(wants).paused()).containsExactlyInAnyOrder(MAIL, idle);
        assertThat(trial().node().claim(ORDERS, 1).paused()).isEmpty();
        trial().crash();
        assertThat(trial().node().claim(wants).paused()).containsExactlyInAnyOrder(MAIL, idle);
        trial().jobs().pause(MAIL, false);
        assertThat(trial().node().claim(wants).paused()).containsExactly(idle);
    }

    private void assertNothingIsDue(ClaimedJobs claims) {
        if (claims.nextDue() != null) {
            assertThat(claims.nextDue()).isAfter(trial().now());
        }
    }

    /** Makes a push while the clock is ahead; then the clock is right again. */
    private void aPushUnderAClockAhead() {
        trial().jump(ASTRAY);
        trial().push(mail("astray"));
        trial().jump(ASTRAY.negated());
    }
}
