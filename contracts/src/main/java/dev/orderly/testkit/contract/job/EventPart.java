package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.LeaseRules;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Events: what comes from outside for a job, and the waits of attempts for it. */
public interface EventPart extends JobPart {
    Duration HOUR = Duration.ofHours(1);
    Payload YES = Payload.json("{\"ok\":true}");
    Payload NO = Payload.json("{\"ok\":false}");

    private ClaimedJob claimed(TestNode node, JobDraft draft) {
        trial().push(draft);
        return node.takeOne(draft.job().queue());
    }

    private AwaitAnswer ask(@Nullable NodeId node, ClaimedJob job, String name, Duration timeout) {
        return trial().jobs().await(new EventWait(node, job.attempt(), name, trial().in(timeout)), trial().now());
    }

    private JobEvent known(TestNode node, ClaimedJob job, String name, Duration timeout) {
        return ((AwaitAnswer.Known) ask(node.id(), job, name, timeout)).event();
    }

    /** Asks for events, and ends the attempt as awaiting them. */
    private SettleResult awaits(TestNode node, ClaimedJob job, Duration timeout, String... names) {
        for (String name : names) {
            ask(node.id(), job, name, timeout);
        }
        return node.settle(job, new AttemptOutcome.Awaiting(Set.of(names), trial().in(timeout)));
    }

    private EventResult event(JobId job, String name, Payload value) {
        return trial().jobs().event(new NewEvent(job, name, "a test", value), trial().now());
    }

    private List<JobEvent> events(JobId id) {
        return trial().views().events(id);
    }

    private List<@Nullable Payload> values(JobId id) {
        return events(id).stream().<@Nullable Payload>map(event -> event.arrival() == null
                ? null
                : event.arrival().value()).toList();
    }

    private static Instant millis(Instant moment) {
        return moment.truncatedTo(ChronoUnit.MILLIS);
    }

    @Test
    default void anEventThatComesBeforeTheQuestionIsItsAnswer() {
        JobId waiting = trial().push(mail("a"));
        assertThat(event(waiting, "approval", YES)).isEqualTo(EventResult.ACCEPTED);
        Instant came = trial().now();
        trial().pass(Duration.ofSeconds(1));
        TestNode node = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        JobEvent.Arrival arrival = known(node, job, "approval", HOUR).arrival();
        assertThat(arrival).isNotNull().satisfies(each -> {
            assertThat(each.value()).isEqualTo(YES);
            assertThat(each.from()).isEqualTo("a test");
            assertThat(millis(each.at())).isEqualTo(millis(came));
        });
        assertThat(events(job.id())).extracting(JobEvent::awaited).containsOnlyNulls();
    }

    @Test
    default void anEventForAJobThatIsDelayedForAnotherReasonWaitsWithIt() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        known(node, job, "approval", HOUR);
        node.snooze(job, HOUR);
        assertThat(event(job.id(), "approval", YES)).isEqualTo(EventResult.ACCEPTED);
        assertThat(node.take(MAIL, 1)).isEmpty();
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.DELAYED);
        trial().pass(HOUR);
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(known(node, again, "approval", HOUR).arrival()).isNotNull();
    }

    @Test
    default void anAwaitingJobIsDueAtOnceWhenItsEventComes() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        assertThat(awaits(node, job, HOUR, "approval")).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.take(MAIL, 1)).isEmpty();
        assertThat(events(job.id())).allMatch(each -> each.isAwaitedBy(trial().view(job.id())));
        assertThat(event(job.id(), "other", NO)).isEqualTo(EventResult.ACCEPTED);
        assertThat(node.take(MAIL, 1)).as("another event").isEmpty();
        assertThat(event(job.id(), "approval", YES)).isEqualTo(EventResult.ACCEPTED);
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(again.failures()).isZero();
        assertThat(again.attempt().number()).isGreaterThan(job.attempt().number());
        assertThat(known(node, again, "approval", HOUR).arrival()).isNotNull();
        assertThat(values(job.id())).as("by name").containsExactly(YES, NO);
        assertThat(trial().attempts(job.id())).extracting(JobAttempt::end).startsWith(JobAttempt.End.AWAITING);
    }

    @Test
    default void anEventThatComesWhileTheAttemptRunsMakesItDueAtOnce() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        assertThat(known(node, job, "approval", HOUR).arrival()).isNull();
        assertThat(event(job.id(), "approval", YES)).isEqualTo(EventResult.ACCEPTED);
        assertThat(node.settle(job, new AttemptOutcome.Awaiting(Set.of("approval"), trial().in(HOUR))))
                .isEqualTo(SettleResult.ACCEPTED);
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(known(node, again, "approval", HOUR).arrival()).isNotNull();
    }

    @Test
    default void theFirstOfSeveralAwaitedEventsMakesTheJobDue() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        awaits(node, job, HOUR, "approval", "payment");
        event(job.id(), "payment", YES);
        ClaimedJob again = node.takeOne(MAIL);
        awaits(node, again, HOUR, "approval");
        assertThat(node.take(MAIL, 1)).as("what has come is not awaited any more").isEmpty();
        event(job.id(), "approval", NO);
        assertThat(node.takeOne(MAIL).id()).isEqualTo(job.id());
    }

    @Test
    default void theFirstEventOfANameCounts() {
        JobId job = trial().push(mail("a"));
        assertThat(event(job, "approval", YES)).isEqualTo(EventResult.ACCEPTED);
        assertThat(event(job, "approval", NO)).isEqualTo(EventResult.REPEATED);
        assertThat(event(job, "approval", YES)).isEqualTo(EventResult.REPEATED);
        assertThat(values(job)).containsExactly(YES);
    }

    @Test
    default void theFirstQuestionFixesTheEndOfTheWait() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        Instant until = trial().in(HOUR);
        known(node, job, "approval", HOUR);
        trial().pass(Duration.ofMinutes(10));
        node.beat();
        node.retry(job, Duration.ZERO);
        ClaimedJob second = node.takeOne(MAIL);
        JobEvent.Awaited awaited = known(node, second, "approval", HOUR).awaited();
        assertThat(awaited).isNotNull();
        assertThat(millis(awaited.until())).isEqualTo(millis(until));
    }

    @Test
    default void aWaitThatIsOverMakesTheJobDueAndItsEventCanComeNoMore() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        awaits(node, job, HOUR, "approval");
        trial().pass(HOUR);
        node.beat();
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(again.failures()).isZero();
        JobEvent.Awaited awaited = known(node, again, "approval", HOUR).awaited();
        assertThat(awaited).isNotNull().matches(JobEvent.Awaited::over);
        assertThat(event(job.id(), "approval", YES)).isEqualTo(EventResult.LATE);
        node.retry(again, Duration.ZERO);
        ClaimedJob third = node.takeOne(MAIL);
        assertThat(known(node, third, "approval", HOUR).awaited()).isEqualTo(awaited);
        assertThat(values(job.id())).containsOnlyNulls();
    }

    @Test
    default void anEventAfterTheEndOfTheWaitCountsUntilAnAttemptIsToldOfTheEnd() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        awaits(node, job, HOUR, "approval");
        trial().pass(HOUR.plusMinutes(1));
        node.beat();
        assertThat(event(job.id(), "approval", YES)).isEqualTo(EventResult.ACCEPTED);
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(known(node, again, "approval", HOUR).arrival()).isNotNull();
    }

    @Test
    default void aGroupWaitsForTheEventOfItsFirstJob() {
        TestNode node = trial().node();
        trial().push(order("g", "a"), order("g", "b"), order("h", "c"));
        List<ClaimedJob> both = node.take(ORDERS, 10);
        ClaimedJob first = both.getFirst();
        awaits(node, first, HOUR, "approval");
        both.stream().skip(1).filter(job -> "g".equals(job.group())).forEach(node::giveBack);
        both.stream().filter(job -> "h".equals(job.group())).forEach(node::done);
        assertThat(node.take(ORDERS, 10)).isEmpty();
        event(first.id(), "approval", YES);
        assertThat(node.drain(ORDERS)).containsExactly("a", "b");
    }

    @Test
    default void anAwaitingJobHoldsNoSlotOfALimit() {
        TestNode node = trial().node();
        LimitName crm = new LimitName("crm");
        trial().jobs().upkeep(new UpkeepRequest(JobTrial.NODE_DEAD, 3, Map.of(), Retention.DEFAULT, 1_000,
                LeaseRules.DEFAULT,
                new DeclaredLimits(Map.of(crm, new Declared<>(Limit.concurrency(1), node.id(), true)),
                        Map.of(MAIL, new Declared<>(Optional.of(crm), node.id(), true)))),
                trial().now());
        ClaimedJob job = claimed(node, mail("a"));
        trial().push(mail("b"));
        assertThat(node.take(MAIL, 1)).isEmpty();
        awaits(node, job, HOUR, "approval");
        ClaimedJob other = node.takeOne(MAIL);
        event(job.id(), "approval", YES);
        assertThat(node.take(MAIL, 1)).as("it needs a slot again").isEmpty();
        node.done(other);
        assertThat(node.takeOne(MAIL).id()).isEqualTo(job.id());
    }

    @Test
    default void eventsAndWaitsSurviveTheDeathOfTheProcess() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        awaits(node, job, HOUR, "approval", "payment");
        event(job.id(), "note", NO);
        trial().crashAndRecover();
        TestNode after = trial().node();
        assertThat(after.take(MAIL, 1)).isEmpty();
        assertThat(event(job.id(), "approval", YES)).isEqualTo(EventResult.ACCEPTED);
        trial().crashAndRecover();
        TestNode last = trial().node();
        ClaimedJob again = last.takeOne(MAIL);
        assertThat(known(last, again, "approval", HOUR).arrival()).isNotNull();
        assertThat(values(job.id())).containsExactly(YES, NO, null);
    }

    @Test
    default void anEventForAnAttemptThatDiesIsFoundByTheNext() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        known(node, job, "approval", HOUR);
        event(job.id(), "approval", YES);
        trial().crashAndRecover();
        TestNode after = trial().node();
        assertThat(known(after, after.takeOne(MAIL), "approval", HOUR).arrival()).isNotNull();
    }

    @Test
    default void aDeadLetterTakesEventsAndHasThemWhenItIsRedriven() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, order("g", "a"));
        known(node, job, "approval", HOUR);
        node.dead(job, true);
        assertThat(event(job.id(), "approval", YES)).isEqualTo(EventResult.ACCEPTED);
        assertThat(node.take(ORDERS, 1)).as("it stays a dead letter").isEmpty();
        trial().redrive(ORDERS, job.id());
        ClaimedJob again = node.takeOne(ORDERS);
        assertThat(known(node, again, "approval", HOUR).arrival()).isNotNull();
    }

    @Test
    default void aStaleAttemptAwaitsNothing() {
        TestNode node = trial().node();
        TestNode other = trial().node();
        ClaimedJob stale = claimed(node, mail("a"));
        assertThat(ask(other.id(), stale, "x", HOUR)).isEqualTo(AwaitAnswer.Refused.LEASE_LOST);
        node.giveBack(stale);
        assertThat(ask(node.id(), stale, "x", HOUR)).isEqualTo(AwaitAnswer.Refused.LEASE_LOST);
        assertThat(ask(null, stale, "x", HOUR)).isEqualTo(AwaitAnswer.Refused.LEASE_LOST);
        ClaimedJob newest = other.takeOne(MAIL);
        assertThat(ask(node.id(), stale, "x", HOUR)).isEqualTo(AwaitAnswer.Refused.LEASE_LOST);
        assertThat(node.settle(stale, new AttemptOutcome.Awaiting(Set.of("x"), trial().in(HOUR))))
                .isEqualTo(SettleResult.LEASE_LOST);
        assertThat(events(newest.id())).isEmpty();
        other.done(newest);
        assertThat(ask(other.id(), newest, "x", HOUR)).isEqualTo(AwaitAnswer.Refused.LEASE_LOST);
    }

    @Test
    default void theWorkerOfALeasedJobAwaits() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        node.lease(job, HOUR);
        assertThat(ask(null, job, "approval", HOUR)).isInstanceOf(AwaitAnswer.Known.class);
        assertThat(trial().report(job, new AttemptOutcome.Awaiting(Set.of("approval"), trial().in(HOUR))))
                .isEqualTo(SettleResult.ACCEPTED);
        assertThat(trial().view(job.id()).leasedUntil()).isNull();
        assertThat(node.take(MAIL, 1)).isEmpty();
        event(job.id(), "approval", YES);
        assertThat(node.takeOne(MAIL).id()).isEqualTo(job.id());
    }

    @Test
    default void aJobThatRunsNowAsksAgainUntilTheSameEnd() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        Instant until = trial().in(HOUR);
        awaits(node, job, HOUR, "approval");
        trial().pass(Duration.ofMinutes(1));
        assertThat(trial().jobs().runNow(job.id(), trial().now())).isEqualTo(RunNowResult.DUE);
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(known(node, again, "approval", HOUR).awaited()).isNotNull()
                .satisfies(awaited -> assertThat(millis(awaited.until())).isEqualTo(millis(until)));
        node.settle(again, new AttemptOutcome.Awaiting(Set.of("approval"), until));
        assertThat(node.take(MAIL, 1)).isEmpty();
        trial().pass(HOUR);
        node.beat();
        assertThat(node.takeOne(MAIL).id()).isEqualTo(job.id());
    }

    @Test
    default void anAwaitingJobCanBeCancelledAndAnEndedJobTakesNoEvent() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        awaits(node, job, HOUR, "approval");
        trial().cancel(job.id());
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.CANCELLED);
        assertThat(event(job.id(), "approval", YES)).isEqualTo(EventResult.ENDED);
        ClaimedJob done = claimed(node, mail("b"));
        node.done(done);
        assertThat(event(done.id(), "approval", YES)).isEqualTo(EventResult.ENDED);
        assertThat(events(done.id())).isEmpty();
        assertThat(event(JobId.of(12_345L << 20, 99), "approval", YES)).isEqualTo(EventResult.UNKNOWN);
    }

    @Test
    default void aCancelOfARunningAttemptCountsForMoreThanItsWait() {
        TestNode node = trial().node();
        ClaimedJob job = claimed(node, mail("a"));
        known(node, job, "approval", HOUR);
        trial().cancel(job.id());
        awaits(node, job, HOUR, "approval");
        assertThat(trial().view(job.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void theEventsOfAJobHaveABoundTogether() {
        JobId job = trial().push(mail("a"));
        Payload large = new Payload("application/octet-stream", new byte[JobStep.VALUE_MAX - 1]);
        for (String name : List.of("1", "2", "3", "4")) {
            assertThat(event(job, name, large)).isEqualTo(EventResult.ACCEPTED);
        }
        assertThat(event(job, "5", new Payload("text/plain", new byte[0]))).as("a byte more")
                .isEqualTo(EventResult.FULL);
        assertThat(event(job, "4", large)).isEqualTo(EventResult.REPEATED);
        TestNode node = trial().node();
        ClaimedJob claimed = node.takeOne(MAIL);
        assertThat(ask(node.id(), claimed, "5", HOUR)).as("a wait more").isEqualTo(AwaitAnswer.Refused.FULL);
        assertThat(events(job)).extracting(JobEvent::name).containsExactly("1", "2", "3", "4");
    }

    @Test
    default void eventsGoWithTheirJob() {
        TestNode node = trial().node();
        ClaimedJob ended = claimed(node, mail("a"));
        event(ended.id(), "approval", YES);
        node.done(ended);
        ClaimedJob open = claimed(node, mail("b"));
        event(open.id(), "approval", NO);
        assertThat(values(ended.id())).containsExactly(YES);
        trial().pass(Duration.ofDays(1));
        node.beat();
        for (int round = 0; round < 3; round++) {
            trial().upkeep(Map.of(), new Retention(HOUR, 1_000, Duration.ofDays(14)), 1_000);
        }
        assertThat(trial().views().find(ended.id())).isEmpty();
        assertThat(events(ended.id())).isEmpty();
        assertThat(values(open.id())).containsExactly(NO);
    }
}
