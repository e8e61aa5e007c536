package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.LeaseRules;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.testkit.contract.input.CallerThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keys of a queue: the limit of each, and the turns between them. */
public interface KeyPart extends JobPart {
    /** The keys of the tests. A claim that names all of them has no need to look at full keys again. */
    List<String> KEYS = List.of("a", "b", "c", "d");
    Limit TWO_EACH = Limit.concurrency(2);
    Limit FIVE_A_MINUTE_EACH = Limit.of(5, Duration.ofMinutes(1));

    private void limit(Limit each) {
        declare(trial(), Optional.of(each), Optional.empty());
    }

    /** Declares the limit of each key of the queue, and that of the queue. */
    static void declare(JobTrial trial, Optional<Limit> each, Optional<Limit> all) {
        declare(trial, MAIL, each, all);
    }

    /** Declares the limit of each key or group of a queue, and that of the queue. */
    static void declare(JobTrial trial, QueueName queue, Optional<Limit> each, Optional<Limit> all) {
        TestNode node = trial.node();
        Map<LimitName, Declared<Limit>> limits = new HashMap<>();
        each.ifPresent(limit -> limits.put(LimitName.ofKeys(queue), Declared.anew(limit, node.id())));
        all.ifPresent(limit -> limits.put(LimitName.of(queue), Declared.anew(limit, node.id())));
        trial.jobs().upkeep(new UpkeepRequest(JobTrial.NODE_DEAD, 3, Map.of(), Retention.DEFAULT, 1_000,
                LeaseRules.DEFAULT,
                new DeclaredLimits(limits,
                        Map.of(queue, Declared.anew(all.map(_ -> LimitName.of(queue)), node.id())),
                        Map.of(queue, Declared.anew(each.map(_ -> LimitName.ofKeys(queue)), node.id())))),
                trial.now());
    }

    private static JobDraft of(String key, String body) {
        return mail(body).key(key);
    }

    /** Pushes jobs {@code a0} to {@code a4} for key a and 5. */
    private void push(String key, int jobs) {
        trial().pushAll(IntStream.range(0, jobs).mapToObj(n -> of(key, key + n)).toList());
    }

    private static ClaimedJobs claim(TestNode node, int limit) {
        return node.claim(List.of(new Demand(MAIL, limit, 1,
                KEYS.stream().collect(Collectors.toMap(Function.identity(), _ -> Duration.ofMillis(10))))));
    }

    /** Claims jobs with the keys of the tests named, as if jobs of all had ended. */
    static List<ClaimedJob> take(TestNode node, int limit) {
        return claim(node, limit).jobs();
    }

    private static String key(ClaimedJob job) {
        return Objects.requireNonNull(job.terms().key());
    }

    private static Map<String, Long> counts(List<ClaimedJob> jobs) {
        return jobs.stream().collect(Collectors.groupingBy(KeyPart::key, Collectors.counting()));
    }

    @Test
    default void eachKeyHasItsLimitAndTheOthersGoOn() {
        limit(TWO_EACH);
        push("a", 5);
        push("b", 1);
        TestNode node = trial().node();
        ClaimedJobs claimed = claim(node, 10);
        assertThat(TestNode.bodies(claimed.jobs())).containsExactlyInAnyOrder("a0", "a1", "b0");
        assertThat(claimed.limited()).containsExactly(MAIL);
        assertThat(take(trial().node(), 10)).isEmpty();
        node.done(claimed.jobs().stream().filter(job -> job.payload().asText().equals("a1")).toList());
        assertThat(TestNode.bodies(take(trial().node(), 10))).containsExactly("a2");
        assertThat(trial().view(trial().list(MAIL, JobState.WAITING).getFirst()).attempt()).isZero();
    }

    @Test
    default void aClaimThatGetsAllThatIsThereIsNotHeldByKeys() {
        limit(TWO_EACH);
        push("a", 1);
        push("b", 1);
        assertThat(claim(trial().node(), 10).limited()).isEmpty();
    }

    @Test
    default void aClaimIsFullWhileOneOfManyKeysHasJobs() {
        push("a", 45);
        List<PushResult> others = trial().pushAll(
                IntStream.range(0, 40).mapToObj(n -> of("other " + n, "x" + n)).toList());
        TestNode node = trial().node();
        assertThat(take(node, 1)).as("all keys are known").hasSize(1);
        others.forEach(each -> trial().cancel(each.id()));
        assertThat(take(node, 20)).hasSize(20).allMatch(job -> key(job).equals("a"));
    }

    @Test
    default void jobsOfAKeyComeByPriorityAndThenInPushOrder() {
        trial().push(of("a", "low").priority(Priority.LOW), of("a", "n0"), of("a", "urgent").priority(Priority.URGENT),
                of("a", "n1"), of("a", "high").priority(Priority.HIGH));
        TestNode node = trial().node();
        assertThat(Stream.generate(() -> take(node, 1)).limit(5).flatMap(List::stream)
                .map(job -> job.payload().asText())).containsExactly("urgent", "high", "n0", "n1", "low");
    }

    @Test
    default void aJobThatIsPushedLaterAndMoreUrgentComesFirst() {
        push("a", 3);
        TestNode node = trial().node();
        assertThat(TestNode.bodies(take(node, 1))).containsExactly("a0");
        trial().push(of("a", "urgent").priority(Priority.URGENT));
        assertThat(TestNode.bodies(take(node, 1))).containsExactly("urgent");
        assertThat(TestNode.bodies(take(node, 5))).containsExactly("a1", "a2");
    }

    @Test
    default void keysTakeTurnsWhateverWasPushedFirst() {
        push("a", 40);
        push("b", 10);
        TestNode node = trial().node();
        assertThat(counts(take(node, 6))).isEqualTo(Map.of("a", 3L, "b", 3L));
        assertThat(counts(take(node, 4))).isEqualTo(Map.of("a", 2L, "b", 2L));
        assertThat(counts(take(node, 20))).isEqualTo(Map.of("a", 15L, "b", 5L));
    }

    @Test
    default void aNewKeyIsServedBeforeAnyOtherIsServedTwice() {
        push("a", 40);
        push("b", 40);
        TestNode node = trial().node();
        take(node, 16);
        push("c", 40);
        assertThat(counts(take(node, 3))).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 1L));
        assertThat(counts(take(node, 12))).isEqualTo(Map.of("a", 4L, "b", 4L, "c", 4L));
    }

    @Test
    default void aKeyThatWasAwayHasNeitherCreditNorDebt() {
        TestNode node = trial().node();
        push("b", 1);
        node.done(take(node, 1));
        push("a", 100);
        node.done(take(node, 50));
        push("b", 40);
        List<String> turns = Stream.generate(() -> take(node, 1)).limit(12).flatMap(List::stream).map(KeyPart::key)
                .toList();
        assertThat(turns.stream().filter("b"::equals).count()).as("turns of b in %s", turns).isBetween(5L, 7L);
    }

    @Test
    default void keysWhoseJobsRunLongerHaveFewerTurns() {
        push("a", 60);
        push("b", 60);
        TestNode node = trial().node();
        Map<String, Long> turns = Stream.generate(() -> node.claim(List.of(new Demand(MAIL, 1, 1,
                Map.of("a", Duration.ofSeconds(4), "b", Duration.ofSeconds(1)))))).limit(50)
                .flatMap(claimed -> claimed.jobs().stream())
                .collect(Collectors.groupingBy(KeyPart::key, Collectors.counting()));
        assertThat(turns.get("a")).isBetween(8L, 12L);
        assertThat(turns.get("b")).isBetween(38L, 42L);
    }

    @Test
    default void aKeyThatIsNotNamedGoesOnWithinASecond() {
        limit(Limit.concurrency(1));
        push("a", 2);
        TestNode node = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        assertThat(node.take(MAIL, 1)).isEmpty();
        node.done(job);
        trial().sleep(Duration.ofSeconds(1));
        node.beat();
        assertThat(TestNode.bodies(node.take(MAIL, 1))).containsExactly("a1");
    }

    @Test
    default void aSlotOfAKeyThatAnotherNodeFreesIsFoundBy250MillisecondsLaterHoweverLongTheKeyWasFull() {
        limit(Limit.concurrency(1));
        push("a", 2);
        TestNode node = trial().node();
        TestNode other = trial().node();
        ClaimedJob job = node.takeOne(MAIL);
        for (int look = 0; look < 6; look++) {
            assertThat(other.take(MAIL, 1)).isEmpty();
            trial().sleep(Duration.ofSeconds(2));
            node.beat();
            other.beat();
        }
        assertThat(other.take(MAIL, 1)).isEmpty();
        node.done(job);
        trial().sleep(NodeTimes.LIMIT_LOOK);
        assertThat(TestNode.bodies(other.take(MAIL, 1))).containsExactly("a1");
    }

    @Test
    default void everyOutcomeThatEndsAnAttemptFreesTheSlotOfItsKey() {
        limit(Limit.concurrency(1));
        TestNode node = trial().node();
        List<AttemptOutcome> outcomes = List.of(new AttemptOutcome.Done(null), new AttemptOutcome.Cancelled("no"),
                new AttemptOutcome.Retry(trial().in(Duration.ofDays(1)), TestNode.FAILURE),
                new AttemptOutcome.Snooze(trial().in(Duration.ofDays(1))),
                new AttemptOutcome.Unread(TestNode.FAILURE, trial().in(Duration.ofDays(1))),
                new AttemptOutcome.Dead(TestNode.FAILURE, false), new AttemptOutcome.GiveBack());
        push("a", outcomes.size());
        for (AttemptOutcome outcome : outcomes) {
            List<ClaimedJob> jobs = take(node, 3);
            assertThat(jobs).as("before %s", outcome).hasSize(1);
            assertThat(take(node, 3)).isEmpty();
            node.settle(jobs.getFirst(), outcome);
        }
        assertThat(take(node, 3)).hasSize(1);
    }

    @Test
    default void aRetryKeepsItsKeyAndNeedsASlotAgain() {
        limit(Limit.concurrency(1));
        push("a", 2);
        TestNode node = trial().node();
        node.retry(take(node, 1).getFirst(), Duration.ofSeconds(1));
        ClaimedJob second = take(node, 1).getFirst();
        trial().pass(Duration.ofSeconds(2));
        node.beat();
        assertThat(take(node, 1)).isEmpty();
        node.done(second);
        ClaimedJob again = take(node, 1).getFirst();
        assertThat(again.payload().asText()).isEqualTo("a0");
        assertThat(key(again)).isEqualTo("a");
        assertThat(again.attempt().number()).isEqualTo(2);
    }

    @Test
    default void delayedJobsOfKeysComeWhenTheyAreDue() {
        limit(Limit.concurrency(1));
        trial().push(of("a", "later").at(trial().in(Duration.ofSeconds(10))), of("b", "b0"));
        TestNode node = trial().node();
        assertThat(TestNode.bodies(take(node, 5))).containsExactly("b0");
        trial().pass(Duration.ofSeconds(11));
        node.beat();
        push("a", 1);
        assertThat(TestNode.bodies(take(node, 5))).hasSize(1);
        trial().push(of("c", "now").at(trial().in(Duration.ofDays(1))));
        trial().jobs().runNow(trial().list(MAIL, JobState.DELAYED).getFirst(), trial().now());
        assertThat(TestNode.bodies(take(node, 5))).containsExactly("now");
    }

    @Test
    default void aDeadLetterThatIsRedrivenHasItsKey() {
        limit(Limit.concurrency(1));
        push("a", 2);
        TestNode node = trial().node();
        node.dead(take(node, 1).getFirst(), false);
        assertThat(trial().jobs().redriveAll(MAIL, 10, trial().now())).isEqualTo(1);
        assertThat(TestNode.bodies(take(node, 5))).containsExactly("a0");
        assertThat(take(node, 5)).isEmpty();
    }

    @Test
    default void aWaitingJobOfAKeyIsCancelled() {
        limit(Limit.concurrency(1));
        List<JobId> ids = trial().pushAll(List.of(of("a", "a0"), of("a", "a1"), of("a", "a2"))).stream()
                .map(PushResult::id).toList();
        TestNode node = trial().node();
        ClaimedJob first = take(node, 1).getFirst();
        trial().jobs().cancel(ids.get(1), trial().now());
        node.done(first);
        assertThat(TestNode.bodies(take(node, 5))).containsExactly("a2");
    }

    @Test
    default void aLeasedJobCountsForItsKeyUntilItIsReported() {
        limit(Limit.concurrency(1));
        push("a", 2);
        TestNode node = trial().node();
        ClaimedJob leased = take(node, 1).getFirst();
        node.lease(leased, Duration.ofHours(1));
        assertThat(take(node, 5)).isEmpty();
        trial().crashAndRecover();
        assertThat(take(trial().node(), 5)).isEmpty();
        trial().report(leased, new AttemptOutcome.Done(null));
        assertThat(TestNode.bodies(take(trial().node(), 5))).containsExactly("a1");
    }

    @Test
    default void jobsOfADeadNodeCountForTheirKeyUntilTheyAreGivenBack() {
        limit(TWO_EACH);
        push("a", 4);
        TestNode dying = trial().node();
        take(dying, 2);
        trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
        assertThat(take(trial().node(), 5)).isEmpty();
        trial().dies(dying);
        assertThat(TestNode.bodies(take(trial().node(), 5))).containsExactlyInAnyOrder("a0", "a1");
        assertThat(take(trial().node(), 5)).isEmpty();
    }

    @Test
    default void keysAndTheirLimitOutliveTheProcess() {
        limit(TWO_EACH);
        push("a", 5);
        push("b", 5);
        TestNode before = trial().node();
        take(before, 3);
        trial().crashAndRecover();
        assertThat(counts(take(trial().node(), 10))).isEqualTo(Map.of("a", 2L, "b", 2L));
        assertThat(LimitView.ofKeys(MAIL, trial().views().limits()).map(LimitView::limit)).contains(TWO_EACH);
        push("a", 5);
        assertThat(take(trial().node(), 10)).isEmpty();
    }

    @Test
    default void aRateLetsNoMoreJobsOfAKeyStartInAnySpanOfItsPeriod() {
        Random random = new Random(11);
        limit(FIVE_A_MINUTE_EACH);
        KEYS.forEach(key -> push(key, 60));
        TestNode node = trial().node();
        Map<String, List<Long>> claims = new HashMap<>();
        for (int step = 0; step < 120; step++) {
            List<ClaimedJob> jobs = take(node, 1 + random.nextInt(12));
            long now = trial().now().toEpochMilli();
            jobs.forEach(job -> claims.computeIfAbsent(key(job), _ -> new ArrayList<>()).add(now));
            if (random.nextInt(4) == 0) {
                jobs.forEach(node::giveBack);
            } else {
                node.done(jobs);
            }
            trial().sleep(Duration.ofMillis(random.nextInt(6_000)));
        }
        assertThat(claims.keySet()).containsExactlyInAnyOrderElementsOf(KEYS);
        claims.forEach((key, starts) -> StartRate.holds(key, FIVE_A_MINUTE_EACH, starts));
    }

    @Test
    default void aChangedRateCountsForKeysThatRest() {
        limit(Limit.of(2, Duration.ofHours(1)));
        push("a", 10);
        TestNode node = trial().node();
        assertThat(take(node, 10)).hasSize(2);
        assertThat(take(node, 10)).isEmpty();
        limit(Limit.of(5, Duration.ofHours(1)));
        assertThat(take(node, 10)).hasSize(3);
        limit(Limit.concurrency(6));
        assertThat(take(node, 10)).hasSize(1);
    }

    @Test
    default void tokensOfKeysCountAfterTheDeathOfTheProcess() {
        limit(FIVE_A_MINUTE_EACH);
        push("a", 10);
        TestNode node = trial().node();
        node.done(take(node, 3));
        trial().crash();
        push("a", 10);
        assertThat(take(trial().node(), 10)).hasSize(2);
    }

    @Test
    default void theLimitOfAQueueAndThatOfItsKeysCountTogether() {
        declare(trial(), Optional.of(TWO_EACH), Optional.of(Limit.concurrency(3)));
        push("a", 5);
        push("b", 5);
        TestNode node = trial().node();
        List<ClaimedJob> jobs = take(node, 10);
        assertThat(jobs).hasSize(3);
        assertThat(counts(jobs).values()).allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(2));
        assertThat(take(trial().node(), 10)).isEmpty();
        node.done(jobs);
        assertThat(take(trial().node(), 10)).hasSize(3);
    }

    @Test
    default void aQueueWhoseKeysLoseTheirLimitLetsAllStart() {
        limit(Limit.concurrency(1));
        push("a", 5);
        TestNode node = trial().node();
        assertThat(take(node, 10)).hasSize(1);
        declare(trial(), Optional.empty(), Optional.empty());
        assertThat(take(node, 10)).hasSize(4);
        push("a", 6);
        limit(Limit.concurrency(6));
        assertThat(take(node, 10)).as("five run").hasSize(1);
    }

    @Test
    default void aPushWithAKeyIsNotHandedOff() {
        TestNode node = trial().node();
        node.claim(MAIL, 1);
        assertThat(trial().answer(of("a", "a0").claimer(node))).isInstanceOfSatisfying(PushResult.Accepted.class,
                accepted -> assertThat(accepted.handedOff()).isFalse());
        assertThat(trial().pushAll(List.of(mail("plain"), of("b", "b0").claimer(node).dedupe("x"))))
                .allSatisfy(result -> assertThat(((PushResult.Accepted) result).handedOff()).isFalse());
        assertThat(TestNode.bodies(take(node, 5))).containsExactlyInAnyOrder("plain", "a0", "b0");
    }

    @Test
    default void jobsWithoutAKeyComeFirstAndWaitForNone() {
        limit(Limit.concurrency(1));
        push("a", 3);
        trial().push(mail("plain"), mail("other"));
        TestNode node = trial().node();
        assertThat(TestNode.bodies(take(node, 10))).containsExactly("plain", "other", "a0");
    }

    @Test
    default void pushesWithKeysHaveTheirOtherTerms() {
        trial().push(of("a", "once").unique("u"), of("a", "twice").unique("u"), of("b", "x").dedupe("d"),
                of("c", "x").dedupe("d"), of("d", "i").idempotency("k", "r"));
        assertThat(TestNode.bodies(take(trial().node(), 10))).containsExactlyInAnyOrder("once", "x", "i");
    }

    @Test
    default void aJobOfAKeyWhosePayloadIsReplacedKeepsItsKey() {
        limit(Limit.concurrency(1));
        trial().push(of("a", "first").debounce("d", null), of("b", "other").debounce("e", null));
        trial().push(of("a", "second").debounce("d", null),
                of("b", "later").debounce("e", null).at(trial().in(Duration.ofSeconds(10))));
        TestNode node = trial().node();
        assertThat(TestNode.bodies(take(node, 5))).containsExactly("second");
        push("a", 1);
        assertThat(take(node, 5)).isEmpty();
        trial().pass(Duration.ofSeconds(11));
        node.beat();
        assertThat(TestNode.bodies(take(node, 5))).containsExactly("later");
    }

    @Test
    default void aNodeGetsNoJobOfAKeyThatItPassesOver() {
        push("a", 3);
        TestNode node = trial().node();
        JobId first = trial().list(MAIL, JobState.WAITING).getFirst();
        List<ClaimedJob> jobs = trial().jobs().claim(new ClaimRequest(node.id(),
                List.of(new Demand(MAIL, 5)), Long.MAX_VALUE, Set.of(first)), trial().now()).jobs();
        assertThat(TestNode.bodies(jobs)).containsExactly("a1", "a2");
        assertThat(TestNode.bodies(take(trial().node(), 5))).containsExactly("a0");
    }

    @Test
    default void viewsShowWhichKeysWaitForLongest() {
        limit(Limit.concurrency(1).rate(5, Duration.ofMinutes(1)));
        push("a", 1);
        trial().pass(Duration.ofSeconds(1));
        push("b", 3);
        trial().pass(Duration.ofSeconds(1));
        push("c", 1);
        TestNode node = trial().node();
        node.done(take(node, 3).stream().filter(job -> key(job).equals("c")).toList());
        List<KeyView> keys = trial().views().keys(MAIL, null, 10);
        assertThat(keys).extracting(KeyView::key).containsExactly("b", "a");
        assertThat(keys.getFirst().running()).isEqualTo(1);
        assertThat(keys.getFirst().started()).isEqualTo(1);
        assertThat(keys.getFirst().oldest()).isNotNull();
        assertThat(keys.getLast().oldest()).isNull();
        assertThat(trial().views().keys(MAIL, null, 1)).extracting(KeyView::key).containsExactly("b");
        assertThat(trial().views().keys(MAIL, "a", 10)).extracting(KeyView::key).containsExactly("a");
        List<JobId> waiting = trial().list(MAIL, JobState.WAITING);
        trial().eventually(() -> assertThat(trial().views().ahead(waiting.getLast(), 10)).isEqualTo(1));
    }

    @Test
    default void pendingJobsOfEachKeyAreCounted() {
        assertThat(trial().views().pending(MAIL, Set.of("a"), 10)).isEmpty();
        push("a", 4);
        push("b", 2);
        push("c", 1);
        trial().push(of("a", "later").at(trial().in(Duration.ofDays(1))), mail("plain"));
        assertThat(trial().views().pending(MAIL, Set.of("a", "b", "d"), 10)).isEqualTo(Map.of("a", 5, "b", 2));
        assertThat(trial().views().pending(MAIL, Set.of("a"), 3)).isEqualTo(Map.of("a", 3));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = take(node, 20);
        assertThat(trial().views().pending(MAIL, Set.copyOf(KEYS), 10)).isEqualTo(Map.of("a", 1));
        node.giveBack(jobs.stream().filter(job -> "b".equals(job.terms().key())).findFirst().orElseThrow());
        assertThat(trial().views().pending(MAIL, Set.copyOf(KEYS), 10)).isEqualTo(Map.of("a", 1, "b", 1));
    }

    @Test
    default void keysOfRandomCommandsHaveTheirLimitAndUseIt() {
        Random random = new Random(3);
        limit(TWO_EACH);
        TestNode node = trial().node();
        List<ClaimedJob> running = new ArrayList<>();
        Map<String, Integer> open = new HashMap<>();
        for (int step = 0; step < 400; step++) {
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    String key = KEYS.get(random.nextInt(KEYS.size()));
                    int jobs = 1 + random.nextInt(4);
                    push(key, jobs);
                    open.merge(key, jobs, Integer::sum);
                }
                case 2 -> {
                    running.addAll(take(node, 100));
                    Map<String, Long> now = counts(running);
                    open.forEach((key, jobs) -> assertThat(now.getOrDefault(key, 0L)).as("running jobs of %s", key)
                            .isEqualTo(Math.min(2, jobs)));
                }
                case 3 -> {
                    if (!running.isEmpty()) {
                        node.giveBack(running.remove(random.nextInt(running.size())));
                    }
                }
                default -> {
                    if (!running.isEmpty()) {
                        ClaimedJob job = running.remove(random.nextInt(running.size()));
                        node.done(job);
                        open.merge(key(job), -1, Integer::sum);
                    }
                }
            }
        }
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // a job runs for as long as others need to claim
    default void claimsOfManyNodesAtOnceKeepTheLimitOfEachKey() {
        limit(TWO_EACH);
        KEYS.forEach(key -> push(key, 2 * 4 * 30 + 2)); // each claim takes two of a key at most: two stay for the end
        List<TestNode> nodes = IntStream.range(0, 4).mapToObj(_ -> trial().node()).toList();
        Map<String, AtomicInteger> running = KEYS.stream()
                .collect(Collectors.toMap(Function.identity(), _ -> new AtomicInteger()));
        AtomicInteger turn = new AtomicInteger();
        List<Integer> seen = CallerThreads.all(4, 30, () -> {
            TestNode node = nodes.get(turn.getAndIncrement() % 4);
            List<ClaimedJob> jobs = take(node, 3);
            int most = 0;
            for (ClaimedJob job : jobs) {
                most = Math.max(most, Objects.requireNonNull(running.get(key(job))).incrementAndGet());
            }
            for (int look = 0; look < 50; look++) {
                Thread.yield(); // others claim meanwhile
            }
            jobs.forEach(job -> Objects.requireNonNull(running.get(key(job))).decrementAndGet());
            node.done(jobs);
            return most;
        });
        assertThat(seen).allSatisfy(most -> assertThat(most).isLessThanOrEqualTo(2));
        assertThat(counts(take(nodes.getFirst(), 100)).values()).as("nothing is left behind").containsOnly(2L);
    }
}
