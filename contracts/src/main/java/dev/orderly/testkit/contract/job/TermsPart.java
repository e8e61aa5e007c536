package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobTerms;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.NewEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a push says of its job in place of the queue: expiry, retries, timeout. */
public interface TermsPart extends JobPart {
    Duration MINUTE = Duration.ofMinutes(1);

    @Test
    default void theTermsOfAPushComeWithEveryClaimAndView() {
        TestNode node = trial().node();
        JobTerms terms = new JobTerms(trial().in(Duration.ofDays(1)),
                new RetryPolicy(3, Duration.ofSeconds(7), 1.5, Duration.ofHours(2), 0.1), Duration.ofMillis(1_234),
                "key \" \u00fc");
        JobId plain = trial().push(mail("a").from(null, Map.of("n", "1")));
        JobId id = trial().push(mail("b").from(null, Map.of("n", "2")).terms(terms));
        assertThat(node.take(MAIL, 2)).extracting(ClaimedJob::terms).containsExactly(JobTerms.NONE, terms);
        assertThat(trial().view(plain).terms()).isEqualTo(JobTerms.NONE);
        assertThat(trial().view(id).terms()).isEqualTo(terms);
        assertThat(trial().view(id).params()).isEqualTo(Map.of("n", "2"));
        trial().crashAndRecover();
        TestNode next = trial().node();
        ClaimedJob again = next.take(MAIL, 2).getLast();
        assertThat(again.terms()).isEqualTo(terms);
        assertThat(again.params()).isEqualTo(Map.of("n", "2"));
        next.done(again);
        trial().eventually(() -> assertThat(trial().view(id).state()).isEqualTo(JobState.DONE));
        assertThat(trial().view(id).terms()).isEqualTo(terms);
        assertThat(trial().view(id).params()).isEqualTo(Map.of("n", "2"));
    }

    @Test
    default void aHandedOffJobKeepsItsTerms() {
        TestNode node = trial().node();
        JobTerms terms = new JobTerms(trial().in(MINUTE), null, Duration.ofSeconds(3), null);
        JobId id = trial().push(mail("a").terms(terms).claimer(node));
        trial().eventually(() -> assertThat(trial().view(id).terms()).isEqualTo(terms));
    }

    @Test
    default void aJobThatDoesNotRunEndsWhenItExpires() {
        TestNode node = trial().node();
        JobId waiting = trial().push(mail("a").expires(trial().in(MINUTE)));
        JobId retried = trial().push(mail("b").expires(trial().in(MINUTE)));
        JobId kept = trial().push(mail("c"));
        ClaimedJob failed = node.take(MAIL, 3).get(1);
        assertThat(failed.id()).isEqualTo(retried);
        trial().jobs().release(node.id(), Set.of(retried), trial().now());
        node.retry(failed, Duration.ofHours(1));
        JobId delayed = trial().push(mail("d").at(trial().in(Duration.ofHours(2))).expires(trial().in(MINUTE)));
        trial().pass(MINUTE.minusMillis(1));
        assertThat(expired(trial().upkeep())).isEmpty();
        trial().pass(Duration.ofMillis(1));
        assertThat(expired(trial().upkeep())).containsExactlyInAnyOrder(waiting, retried, delayed);
        assertThat(expired(trial().upkeep())).isEmpty();
        trial().eventually(() -> {
            for (JobId id : List.of(waiting, retried, delayed)) {
                JobView view = trial().view(id);
                assertThat(view.state()).isEqualTo(JobState.CANCELLED);
                assertThat(view.reason()).startsWith("Expired");
            }
        });
        assertThat(trial().view(retried).failure()).isNotNull();
        TestNode next = trial().node();
        assertThat(next.take(MAIL, 9)).extracting(ClaimedJob::id).containsExactly(kept);
    }

    @Test
    default void anAwaitingJobEndsWhenItExpiresAndTakesNoEventAfterwards() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a").expires(trial().in(MINUTE)));
        ClaimedJob job = node.takeOne(MAIL);
        Instant end = trial().in(Duration.ofHours(1));
        trial().jobs().await(new EventWait(node.id(), job.attempt(), "approval", end), trial().now());
        node.settle(job, new AttemptOutcome.Awaiting(Set.of("approval"), end));
        trial().pass(MINUTE.minusMillis(1));
        assertThat(expired(trial().upkeep())).isEmpty();
        trial().pass(Duration.ofMillis(1));
        assertThat(expired(trial().upkeep())).containsExactly(id);
        assertThat(trial().jobs().event(new NewEvent(id, "approval", "a test", Payload.text("yes")), trial().now()))
                .isEqualTo(EventResult.ENDED);
    }

    @Test
    default void aGroupGoesOnAfterAJobThatExpired() {
        TestNode node = trial().node();
        trial().push(order("g", "a").expires(trial().in(MINUTE)), order("g", "b"),
                order("g", "c").expires(trial().in(MINUTE)), order("g", "d"));
        List<ClaimedJob> run = node.take(ORDERS, 1);
        run.stream().skip(1).toList().reversed().forEach(node::giveBack);
        node.retry(run.getFirst(), Duration.ofHours(1));
        assertThat(node.take(ORDERS, 9)).isEmpty();
        trial().pass(MINUTE);
        node.beat();
        assertThat(expired(trial().upkeep())).hasSize(2);
        assertThat(node.drain(ORDERS)).containsExactly("b", "d");
    }

    @Test
    default void aRunningJobDoesNotExpireUntilItWaitsAgain() {
        TestNode node = trial().node();
        trial().push(mail("a").expires(trial().in(MINUTE)), mail("b").expires(trial().in(MINUTE)));
        List<ClaimedJob> running = node.take(MAIL, 2);
        trial().pass(MINUTE);
        node.beat();
        assertThat(expired(trial().upkeep())).isEmpty();
        node.done(running.getFirst());
        node.giveBack(running.getLast());
        assertThat(expired(trial().upkeep())).containsExactly(running.getLast().id());
        trial().eventually(
                () -> assertThat(trial().view(running.getFirst().id()).state()).isEqualTo(JobState.DONE));
    }

    @Test
    default void aDeadLetterThatIsRedrivenExpiresNoMore() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a").from(null, Map.of("n", "1"))
                .terms(new JobTerms(trial().in(MINUTE), null, Duration.ofSeconds(3), null)));
        node.dead(node.takeOne(MAIL), false);
        trial().pass(MINUTE.multipliedBy(2));
        node.beat();
        assertThat(expired(trial().upkeep())).isEmpty();
        trial().redriveAll(MAIL);
        assertThat(expired(trial().upkeep())).isEmpty();
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(again.id()).isEqualTo(id);
        assertThat(again.terms()).isEqualTo(new JobTerms(null, null, Duration.ofSeconds(3), null));
        assertThat(again.params()).isEqualTo(Map.of("n", "1"));
    }

    @Test
    default void aLeaseThatIsOverCountsAgainstTheRetriesOfItsJob() {
        TestNode node = trial().node();
        JobId id = trial()
                .push(mail("a").terms(new JobTerms(null, RetryPolicy.STANDARD.withAttempts(1), null, null)));
        node.lease(node.takeOne(MAIL), MINUTE);
        trial().pass(MINUTE.plusSeconds(1));
        trial().upkeep();
        trial().eventually(() -> assertThat(trial().view(id).state()).isEqualTo(JobState.DEAD));
    }

    private static List<JobId> expired(List<UpkeepReport> rounds) {
        return rounds.stream().flatMap(round -> round.expired().stream()).toList();
    }
}
