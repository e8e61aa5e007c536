package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Limit;
import dev.orderly.job.Throttled;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.Rest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Throttled attempts: what rests, for how long, and what becomes of the job. */
public interface ThrottlePart extends JobPart {
    Duration REST = Duration.ofMinutes(2);
    Limit PLENTY = Limit.concurrency(50);

    private static List<String> take(TestNode node) {
        return TestNode.bodies(KeyPart.take(node, 20));
    }

    private void push(String... bodies) {
        for (String body : bodies) {
            trial().push(mail(body).key(body.substring(0, 1)));
        }
    }

    private ClaimedJob claimed(TestNode node, String body) {
        return KeyPart.take(node, 20).stream().filter(job -> job.payload().asText().equals(body)).findFirst()
                .orElseThrow();
    }

    /** Lets the rest end, and a second more. */
    private void rested(TestNode node) {
        trial().pass(REST.plusSeconds(1));
        node.beat();
    }

    @Test
    default void theKeyOfAThrottledJobRestsOnAllNodesAndTheOthersGoOn() {
        push("a0");
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, "a0");
        push("a1", "b0");
        assertThat(node.throttle(job, REST, false)).isEqualTo(SettleResult.ACCEPTED);
        push("a2");
        TestNode other = trial().node();
        assertThat(take(other)).containsExactly("b0");
        assertThat(take(node)).isEmpty();
        trial().pass(REST.minusSeconds(1));
        node.beat();
        assertThat(take(node)).isEmpty();
    }

    @Test
    default void aThrottledJobKeepsItsPlaceInItsKeyAndItsFailures() {
        push("a0");
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, "a0");
        push("a1", "a2");
        node.throttle(job, REST, false);
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.WAITING);
        rested(node);
        List<ClaimedJob> again = KeyPart.take(node, 20);
        assertThat(TestNode.bodies(again)).containsExactly("a0", "a1", "a2");
        assertThat(again.getFirst().failures()).isZero();
        assertThat(again.getFirst().attempt().number()).isEqualTo(2);
    }

    @Test
    default void jobsOfARestingKeyThatRunAlreadyGoOn() {
        push("a0", "a1");
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 20);
        node.throttle(jobs.getFirst(), REST, false);
        assertThat(node.done(jobs.getLast())).isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void aRestIsNeverMadeShorterAndALongerOneCounts() {
        push("a0", "a1", "a2");
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 20);
        node.throttle(jobs.get(0), REST, false);
        node.throttle(jobs.get(1), Duration.ofSeconds(1), false);
        trial().pass(Duration.ofSeconds(30));
        node.beat();
        assertThat(take(node)).isEmpty();
        node.throttle(jobs.get(2), REST, false);
        trial().pass(REST.minusSeconds(10));
        node.beat();
        assertThat(take(node)).isEmpty();
        rested(node);
        assertThat(take(node)).containsExactly("a0", "a1", "a2");
    }

    @Test
    default void theRestsOfOneReportAreThoseOfItsLongest() {
        push("a0", "a1");
        TestNode node = trial().node();
        node.settle(KeyPart.take(node, 20), new AttemptOutcome.Throttle(REST, false, trial().in(REST)));
        assertThat(take(node)).isEmpty();
        rested(node);
        assertThat(take(node)).containsExactly("a0", "a1");
    }

    @Test
    default void aRestOfAKeyOutlivesTheProcess() {
        push("a0");
        TestNode node = trial().node();
        node.throttle(claimed(node, "a0"), REST, false);
        trial().crash();
        push("a1", "b0");
        TestNode later = trial().node();
        assertThat(take(later)).containsExactly("b0");
        rested(later);
        assertThat(take(later)).containsExactly("a0", "a1");
    }

    @Test
    default void theLongestRestOutlivesAClockThatIsSetBackALittle() {
        KeyPart.declare(trial(), Optional.of(PLENTY), Optional.of(PLENTY));
        push("a0", "b0");
        TestNode node = trial().node();
        node.throttle(claimed(node, "a0"), Throttled.REST_MAX, false);
        trial().jump(Duration.ofMinutes(-1));
        trial().crash();
        push("c0");
        TestNode later = trial().node();
        trial().upkeep();
        ClaimedJob other = claimed(later, "c0");
        later.throttle(other, Throttled.REST_MAX, true);
        trial().jump(Duration.ofMinutes(-1));
        trial().crash();
        push("a1", "d0");
        TestNode last = trial().node();
        trial().upkeep();
        assertThat(take(last)).isEmpty();
        assertThat(trial().views().keys(MAIL, "a", 10).getFirst().rest()).isNotNull();
        assertThat(LimitView.of(MAIL, trial().views().limits()).orElseThrow().rest()).isNotNull();
    }

    @Test
    default void withoutAKeyTheLimitOfTheQueueRests() {
        KeyPart.declare(trial(), Optional.empty(), Optional.of(PLENTY));
        trial().push(mail("one"), mail("two"));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 1);
        node.throttle(jobs.getFirst(), REST, false);
        assertThat(take(node)).isEmpty();
        assertThat(node.claim(MAIL, 5).limited()).containsExactly(MAIL);
        trial().crash();
        TestNode later = trial().node();
        assertThat(take(later)).isEmpty();
        rested(later);
        assertThat(take(later)).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    default void allOfALimitRestsAlsoForJobsWithKeys() {
        KeyPart.declare(trial(), Optional.of(PLENTY), Optional.of(PLENTY));
        push("a0");
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, "a0");
        push("b0");
        node.throttle(job, REST, true);
        assertThat(take(node)).isEmpty();
        rested(node);
        assertThat(take(node)).containsExactlyInAnyOrder("a0", "b0");
    }

    @Test
    default void aKeyRestsWhileTheLimitOfItsQueueGoesOn() {
        KeyPart.declare(trial(), Optional.of(PLENTY), Optional.of(PLENTY));
        push("a0");
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, "a0");
        push("a1", "b0");
        node.throttle(job, REST, false);
        assertThat(take(node)).containsExactly("b0");
    }

    @Test
    default void withoutAKeyAndALimitTheJobAloneIsPutOff() {
        for (boolean all : List.of(false, true)) {
            JobId id = trial().push(mail("one " + all));
            TestNode node = trial().node();
            node.throttle(node.takeOne(MAIL), REST, all);
            assertThat(trial().view(id).state()).isEqualTo(JobState.DELAYED);
            trial().push(mail("two " + all));
            node.done(node.takeOne(MAIL));
            rested(node);
            ClaimedJob again = node.takeOne(MAIL);
            assertThat(again.id()).isEqualTo(id);
            assertThat(again.failures()).isZero();
            node.done(again);
        }
    }

    @Test
    default void onAFifoQueueTheGroupRests() {
        trial().push(JobDraft.order("g", "one"), JobDraft.order("g", "two"), JobDraft.order("h", "other"));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = node.take(JobDraft.ORDERS, 5);
        ClaimedJob first = jobs.stream().filter(job -> job.payload().asText().equals("one")).findFirst().orElseThrow();
        node.throttle(first, REST, false);
        jobs.stream().filter(job -> !job.equals(first)).forEach(node::giveBack);
        assertThat(TestNode.bodies(node.take(JobDraft.ORDERS, 5))).containsExactly("other");
        rested(node);
        assertThat(TestNode.bodies(node.take(JobDraft.ORDERS, 5))).startsWith("one");
    }

    @Test
    default void aJobThatWasAskedToBeCancelledEndsAndNothingRests() {
        push("a0");
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, "a0");
        trial().jobs().cancel(job.id(), trial().now());
        node.throttle(job, REST, false);
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.CANCELLED);
        push("a1");
        assertThat(take(node)).containsExactly("a1");
    }

    @Test
    default void aReportThatComesTooLateLetsNothingRest() {
        push("a0");
        TestNode dying = trial().node();
        ClaimedJob job = claimed(dying, "a0");
        trial().dies(dying);
        assertThat(dying.throttle(job, REST, false)).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(take(trial().node())).containsExactly("a0");
    }

    @Test
    default void throttledAttemptsInARowAreCountedAndKeptAsOne() {
        JobId id = trial().push(mail("one"));
        TestNode node = trial().node();
        node.retry(node.takeOne(MAIL), Duration.ofSeconds(1));
        for (int times = 1; times <= JobAttempt.KEPT_MAX + 5; times++) {
            rested(node);
            node.throttle(node.takeOne(MAIL), REST, false);
            int seen = times;
            trial().eventually(() -> assertThat(AttemptSnapshot.throttles(trial().views().attempts(id)))
                    .isEqualTo(seen));
        }
        assertThat(trial().views().attempts(id)).extracting(JobAttempt::end).containsExactly(JobAttempt.End.FAILED,
                JobAttempt.End.THROTTLED);
        rested(node);
        node.snooze(node.takeOne(MAIL), Duration.ofSeconds(1));
        trial().eventually(() -> assertThat(AttemptSnapshot.throttles(trial().views().attempts(id))).isZero());
        assertThat(trial().view(id)).extracting(JobView::failures).isEqualTo(1);
    }

    @Test
    default void aJobWhoseKeyRestsBeyondItsExpirySaysThatItWasThrottled() {
        JobId id = trial().push(mail("a0").key("a").expires(trial().in(Duration.ofSeconds(30))));
        TestNode node = trial().node();
        node.throttle(claimed(node, "a0"), REST, false);
        trial().pass(Duration.ofSeconds(31));
        trial().upkeep();
        assertThat(trial().view(id).state()).isEqualTo(JobState.CANCELLED);
        assertThat(trial().view(id).reason()).contains("Expired").contains("attempt 1 ended as throttled");
    }

    @Test
    default void viewsShowTheRestAndWhoHasSaidIt() {
        KeyPart.declare(trial(), Optional.of(PLENTY), Optional.of(PLENTY));
        push("a0", "b0");
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 20);
        ClaimedJob ofKey = jobs.getFirst();
        node.throttle(ofKey, REST, false);
        node.throttle(jobs.getLast(), REST.multipliedBy(2), true);
        String key = Objects.requireNonNull(ofKey.terms().key());
        KeyView view = trial().views().keys(MAIL, key, 10).getFirst();
        assertThat(view.rest()).isNotNull().satisfies(rest -> assertThat(rest.job()).isEqualTo(ofKey.id()))
                .extracting(Rest::attempt).isEqualTo(1);
        assertThat(view.next()).isEqualTo(Objects.requireNonNull(view.rest()).until());
        assertThat(view.isFull()).isTrue();
        LimitView limit = LimitView.of(MAIL, trial().views().limits()).orElseThrow();
        assertThat(limit.rest()).isNotNull().extracting(Rest::job).isEqualTo(jobs.getLast().id());
        assertThat(limit.isFull()).isTrue();
        rested(node);
        assertThat(trial().views().keys(MAIL, key, 10).getFirst().rest()).isNull();
        assertThat(LimitView.of(MAIL, trial().views().limits()).orElseThrow().rest()).isNotNull();
    }
}
