package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.Priority;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The cost of a job: the tokens of each rate that a start takes, and the turns of its key. */
public interface CostPart extends JobPart {
    Duration MINUTE = Duration.ofMinutes(1);
    Limit TEN_A_MINUTE = Limit.of(10, MINUTE);
    Duration PERIOD = Duration.ofSeconds(63); // with the slack, the width of a sub-window, and room for rounding

    private void ofQueue(Limit all) {
        KeyPart.declare(trial(), Optional.empty(), Optional.of(all));
    }

    private void ofKeys(Limit each) {
        KeyPart.declare(trial(), Optional.of(each), Optional.empty());
    }

    private List<String> drain(TestNode node) {
        return Stream.generate(() -> KeyPart.take(node, 100)).takeWhile(jobs -> !jobs.isEmpty()).peek(node::done)
                .flatMap(jobs -> TestNode.bodies(jobs).stream()).toList();
    }

    private void wait(TestNode node, Duration time) {
        trial().pass(time);
        node.beat();
    }

    @Test
    default void aJobTakesAsManyTokensOfALimitAsItCosts() {
        ofQueue(TEN_A_MINUTE);
        trial().push(mail("4").cost(4), mail("5").cost(5), mail("2").cost(2), mail("1"));
        TestNode node = trial().node();
        ClaimedJobs claimed = node.claim(MAIL, 10);
        assertThat(TestNode.bodies(claimed.jobs())).containsExactly("4", "5");
        assertThat(claimed.jobs()).extracting(job -> job.terms().cost()).containsExactly(4, 5);
        assertThat(claimed.limited()).containsExactly(MAIL);
        assertThat(drain(node)).as("none overtakes the job that has to wait").isEmpty();
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("2", "1");
    }

    @Test
    default void aJobTakesAsManyTokensOfItsKeyAsItCostsAndTheOthersGoOn() {
        ofKeys(TEN_A_MINUTE);
        trial().push(mail("a8").key("a").cost(8), mail("a3").key("a").cost(3), mail("a1").key("a"),
                mail("b3").key("b").cost(3));
        TestNode node = trial().node();
        assertThat(drain(node)).containsExactlyInAnyOrder("a8", "b3");
        trial().push(mail("b5").key("b").cost(5));
        assertThat(drain(node)).containsExactly("b5");
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("a3", "a1");
    }

    @Test
    default void aJobTakesAsManyTokensOfItsGroupAsItCosts() {
        KeyPart.declare(trial(), ORDERS, Optional.of(TEN_A_MINUTE), Optional.empty());
        trial().push(order("a", "a8").cost(8), order("a", "a3").cost(3), order("a", "a1"), order("b", "b9").cost(9));
        TestNode node = trial().node();
        assertThat(node.drain(ORDERS)).containsExactlyInAnyOrder("a8", "b9");
        wait(node, PERIOD);
        assertThat(node.drain(ORDERS)).containsExactly("a3", "a1");
    }

    @Test
    default void groupsThatWaitForTheTokensOfALimitKeepTheirTurns() {
        KeyPart.declare(trial(), ORDERS, Optional.empty(), Optional.of(TEN_A_MINUTE));
        trial().push(order("a", "a6").cost(6), order("b", "b7").cost(7), order("c", "c1"));
        TestNode node = trial().node();
        assertThat(node.drain(ORDERS)).containsExactly("a6");
        assertThat(node.claim(ORDERS, 10).limited()).containsExactly(ORDERS);
        trial().push(order("d", "d1"));
        assertThat(node.drain(ORDERS)).isEmpty();
        wait(node, PERIOD);
        assertThat(node.drain(ORDERS)).containsExactly("b7", "c1", "d1");
    }

    @Test
    default void keysThatWaitForTheTokensOfALimitAreNotOvertaken() {
        ofQueue(TEN_A_MINUTE);
        trial().push(mail("a6").key("a").cost(6), mail("b7").key("b").cost(7));
        TestNode node = trial().node();
        List<String> first = drain(node);
        assertThat(first).hasSize(1);
        trial().push(mail("c1").key("c"), mail("d1").key("d"));
        assertThat(drain(node)).isEmpty();
        wait(node, PERIOD);
        assertThat(drain(node)).hasSize(3).contains("c1", "d1").doesNotContainAnyElementsOf(first);
    }

    @Test
    default void aJobThatCostsMoreThanALimitGivesStartsWhenNoTokenCounts() {
        ofQueue(TEN_A_MINUTE);
        trial().push(mail("1"), mail("30").cost(30), mail("2"));
        TestNode node = trial().node();
        assertThat(drain(node)).containsExactly("1");
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("30");
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("2");
    }

    @Test
    default void aJobThatCostsMoreThanItsKeyOrGroupIsGivenStartsWhenNoTokenCounts() {
        ofKeys(TEN_A_MINUTE);
        KeyPart.declare(trial(), ORDERS, Optional.of(TEN_A_MINUTE), Optional.empty());
        trial().push(mail("1").key("a"), mail("30").key("a").cost(30), mail("2").key("a"));
        trial().push(order("a", "o1"), order("a", "o30").cost(30), order("a", "o2"));
        TestNode node = trial().node();
        assertThat(drain(node)).containsExactly("1");
        assertThat(node.drain(ORDERS)).containsExactly("o1");
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("30");
        assertThat(node.drain(ORDERS)).containsExactly("o30");
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("2");
        assertThat(node.drain(ORDERS)).containsExactly("o2");
    }

    @Test
    default void aRetryTakesTheTokensAgain() {
        ofKeys(TEN_A_MINUTE);
        trial().push(mail("6").key("a").cost(6));
        TestNode node = trial().node();
        node.retry(KeyPart.take(node, 1).getFirst(), Duration.ofSeconds(1));
        wait(node, Duration.ofSeconds(2));
        assertThat(drain(node)).isEmpty();
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("6");
    }

    @Test
    default void aCheapJobThatIsMoreUrgentDoesNotWaitForTheTokensOfADearOne() {
        ofKeys(TEN_A_MINUTE);
        trial().push(mail("8").key("a").cost(8), mail("5").key("a").cost(5));
        TestNode node = trial().node();
        assertThat(drain(node)).containsExactly("8");
        trial().push(mail("now").key("a").priority(Priority.URGENT));
        assertThat(drain(node)).containsExactly("now");
    }

    @Test
    default void aCheapJobGoesOnWhenTheDearOneBeforeItIsCancelled() {
        ofKeys(TEN_A_MINUTE);
        List<JobId> ids = trial().push(mail("8").key("a").cost(8), mail("5").key("a").cost(5), mail("1").key("a"));
        TestNode node = trial().node();
        assertThat(drain(node)).containsExactly("8");
        trial().jobs().cancel(ids.get(1), trial().now());
        wait(node, PERIOD);
        assertThat(drain(node)).containsExactly("1");
    }

    @Test
    default void aJobCountsAsManyTurnsOfItsKeyAsItCosts() {
        trial().pushAll(IntStream.range(0, 60).mapToObj(n -> mail("a" + n).key("a").cost(4)).toList());
        trial().pushAll(IntStream.range(0, 60).mapToObj(n -> mail("b" + n).key("b")).toList());
        TestNode node = trial().node();
        Map<String, Long> turns = Stream.generate(() -> KeyPart.take(node, 1)).limit(50).flatMap(List::stream)
                .collect(Collectors.groupingBy(job -> Objects.requireNonNull(job.terms().key()),
                        Collectors.counting()));
        assertThat(turns.get("a")).isBetween(8L, 12L);
    }

    @Test
    default void aBoundOnConcurrencyCountsJobs() {
        ofKeys(Limit.concurrency(2));
        trial().push(mail("a").key("a").cost(5), mail("b").key("a").cost(5), mail("c").key("a").cost(5));
        assertThat(TestNode.bodies(KeyPart.take(trial().node(), 5))).containsExactly("a", "b");
    }

    @Test
    default void aCostOutlivesTheProcess() {
        ofQueue(TEN_A_MINUTE);
        trial().push(mail("6").cost(6), mail("5").cost(5));
        trial().crash();
        TestNode node = trial().node();
        List<ClaimedJob> jobs = node.take(MAIL, 5);
        assertThat(TestNode.bodies(jobs)).containsExactly("6");
        assertThat(trial().view(jobs.getFirst().id()).terms().cost()).isEqualTo(6);
    }

    @Test
    default void aPushThatReplacesAJobReplacesItsCost() {
        ofQueue(TEN_A_MINUTE);
        trial().push(mail("first").debounce("d", null).cost(9));
        trial().push(mail("second").debounce("d", null).cost(2), mail("8").cost(8));
        assertThat(TestNode.bodies(trial().node().take(MAIL, 5))).containsExactly("second", "8");
    }
}
