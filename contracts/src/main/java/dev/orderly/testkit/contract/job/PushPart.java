package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.PushResult.Accepted;
import dev.orderly.job.PushResult.Duplicate;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The content and order of pushed jobs. */
public interface PushPart extends JobPart {
    @Test
    default void anAnsweredPushSurvivesTheDeathOfTheProcess() {
        JobId standard = trial().push(mail("a"));
        JobId fifo = trial().push(order("g", "b"));
        trial().crash();
        TestNode node = trial().node();
        assertThat(node.takeOne(MAIL).id()).isEqualTo(standard);
        assertThat(node.takeOne(ORDERS).id()).isEqualTo(fifo);
    }

    @Test
    default void eachJobOfABatchSurvivesTheDeathOfTheProcess() {
        trial().pushAll(IntStream.range(0, 500).mapToObj(n -> mail("m" + n)).toList());
        trial().crash();
        assertThat(trial().node().drain(MAIL))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 500).mapToObj(n -> "m" + n).toList());
    }

    @Test
    default void answersHaveTheOrderOfTheCall() {
        JobId first = trial().push(mail("a").dedupe("x"));
        List<PushResult> answers = trial().pushAll(List.of(mail("b"), mail("c").dedupe("x"), mail("d")));
        assertThat(answers).hasSize(3);
        assertThat(answers.get(0)).isInstanceOf(PushResult.Accepted.class);
        assertThat(answers.get(1)).isEqualTo(new PushResult.Duplicate(first));
        assertThat(answers.get(2)).isInstanceOf(PushResult.Accepted.class);
        assertThat(trial().view(answers.get(2).id()).payload()).isEqualTo(Payload.text("d"));
    }

    @Test
    default void orderHoldsInsideOneBulkCall() {
        List<JobDraft> drafts = new ArrayList<>();
        for (int n = 0; n < 200; n++) {
            drafts.add(order(n % 3 == 0 ? "even" : "odd", "j" + n));
        }
        trial().pushAll(drafts);
        List<String> expected = drafts.stream().filter(draft -> "odd".equals(draft.job().group()))
                .map(draft -> draft.job().payload().asText()).toList();
        List<String> handedOut = trial().node().drain(ORDERS);
        assertThat(handedOut).hasSize(200);
        assertThat(handedOut.stream().filter(expected::contains).toList()).isEqualTo(expected);
    }

    @Test
    default void oneCallMayGoToManyQueues() {
        List<JobId> ids = trial().push(mail("a"), order("g", "b"), mail("c"));
        assertThat(trial().node().drain(MAIL)).containsExactly("a", "c");
        assertThat(trial().node().drain(ORDERS)).containsExactly("b");
        assertThat(ids).doesNotHaveDuplicates();
    }

    @Test
    default void idsSortByPushOrderAndSequenceNumbersGrowWithin63Bits() {
        List<JobId> ids = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            ids.addAll(trial().push(mail("a" + n), order("g", "b" + n), order("h", "c" + n)));
            trial().pass(Duration.ofMillis(n % 3));
        }
        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(ids.stream().map(JobId::sequence).toList()).isSorted().doesNotHaveDuplicates()
                .allSatisfy(sequence -> assertThat(sequence).isPositive());
    }

    @Test
    default void numbersGrowAcrossTheDeathOfTheProcessAndWhenTheClockGoesBack() {
        JobId before = trial().push(mail("a"));
        trial().crash();
        JobId after = trial().jobs().push(List.of(mail("b").job()), trial().now().minusSeconds(3_600)).getFirst().id();
        assertThat(after).isGreaterThan(before);
        assertThat(after.sequence()).isGreaterThan(before.sequence());
    }

    @Test
    default void theSequenceNumberOfAClaimedJobEqualsThatOfItsId() {
        trial().push(order("g", "a"), order("g", "b"));
        assertThat(trial().node().take(ORDERS, 1)).hasSize(2)
                .allSatisfy(job -> assertThat(job.sequence()).isEqualTo(job.id().sequence()));
    }

    @Test
    default void theTimeOfAPushIsTheCallersTime() {
        JobId id = trial().push(mail("a"));
        assertThat(id.pushedAt()).isEqualTo(trial().now());
    }

    @Test
    default void bytesAreReturnedUnchanged() {
        byte[] every = new byte[256];
        for (int n = 0; n < 256; n++) {
            every[n] = (byte) n;
        }
        Payload binary = new Payload(Payload.BYTES, every);
        trial().push(mail("").payload(binary));
        trial().crash();
        assertThat(trial().node().takeOne(MAIL).payload()).isEqualTo(binary);
    }

    @Test
    default void contentTypesAreReturnedUnchanged() {
        List<String> types = List.of("application/json", "text/plain; charset=utf-8",
                "multipart/form-data; boundary=\"----a b\"", "application/x-www-form-urlencoded");
        types.forEach(type -> trial().push(mail("").payload(new Payload(type, new byte[]{1}))));
        trial().crash();
        assertThat(trial().node().take(MAIL, 10).stream().map(job -> job.payload().contentType()))
                .containsExactlyElementsOf(types);
    }

    @Test
    default void aPayloadOfOneMebibyteIsReturnedWhole() {
        byte[] big = new byte[1 << 20];
        new Random(7).nextBytes(big);
        JobId id = trial().push(order("g", "").payload(new Payload(Payload.BYTES, big)));
        trial().crash();
        assertThat(trial().node().takeOne(ORDERS).payload().bytes()).isEqualTo(big);
        assertThat(trial().view(id).payload()).isEqualTo(new Payload(Payload.BYTES, big));
    }

    @Test
    default void namesOfAnyScriptAreReturnedUnchanged() {
        Map<String, String> params = Map.of("größe", "XL & \"weit\"", "名前", "値\n二行", "emoji", "🎟️", "empty", "");
        JobId id = trial().push(order("группа 🎫 'x'; --", "a").from(new UserId("usér 名"), params));
        trial().crash();
        ClaimedJob job = trial().node().takeOne(ORDERS);
        assertThat(job.params()).isEqualTo(params);
        assertThat(job.user()).isEqualTo(new UserId("usér 名"));
        assertThat(job.group()).isEqualTo("группа 🎫 'x'; --");
        assertThat(trial().view(id).params()).isEqualTo(params);
    }

    @Test
    default void groupsThatDifferOnlyInCaseOrSpacesAreDifferentGroups() {
        trial().push(order("a", "1"), order("A", "2"), order("a ", "3"), order("", "4"));
        assertThat(TestNode.bodies(trial().node().take(ORDERS, 10))).containsExactlyInAnyOrder("1", "2", "3", "4");
    }

    // ---- the hand-off of a pushed job to the node that has room for it

    @Test
    default void aPushHandsItsJobToTheNodeThatHasRoom() {
        TestNode node = nodeThatFoundNothing();
        TestNode other = trial().node();
        JobId mail = handedOff(mail("a").claimer(node));
        JobId order = handedOff(order("g", "b").claimer(node));
        assertThat(trial().view(mail).attempt()).isEqualTo(1);
        assertThat(trial().view(order).state()).isEqualTo(JobState.RUNNING);
        assertThat(other.take(MAIL, 5)).isEmpty();
        assertThat(other.take(ORDERS, 5)).isEmpty();
        assertThat(other.settle(first(mail, MAIL), new AttemptOutcome.Done(null))).isEqualTo(SettleResult.LEASE_LOST);
        assertThat(node.settle(first(mail, MAIL), new AttemptOutcome.Done(null))).isEqualTo(SettleResult.ACCEPTED);
        assertThat(node.settle(first(order, ORDERS), new AttemptOutcome.Done(null))).isEqualTo(SettleResult.ACCEPTED);
        trial().eventually(() -> assertThat(trial().view(mail).state()).isEqualTo(JobState.DONE));
    }

    @Test
    default void aHandedOffJobThatIsGivenBackIsClaimedAgain() {
        TestNode node = nodeThatFoundNothing();
        JobId mail = handedOff(mail("a").claimer(node));
        JobId order = handedOff(order("g", "b").claimer(node));
        assertThat(trial().jobs().release(node.id(), Set.of(mail), trial().now())).isEqualTo(1);
        node.settle(first(mail, MAIL), new AttemptOutcome.GiveBack());
        assertThat(node.takeOne(MAIL).attempt()).isEqualTo(new AttemptId(mail, MAIL, 2));
        assertThat(node.takeOne(ORDERS).attempt()).isEqualTo(new AttemptId(order, ORDERS, 2));
    }

    @Test
    default void theDeathOfANodeBetweenPushAndStartGivesTheJobBackAndCounts() {
        TestNode node = nodeThatFoundNothing();
        TestNode other = trial().node();
        JobId mail = handedOff(mail("a").claimer(node));
        JobId order = handedOff(order("g", "b").claimer(node));
        trial().dies(node);
        ClaimedJob again = other.takeOne(MAIL);
        assertThat(again.attempt()).isEqualTo(new AttemptId(mail, MAIL, 2));
        assertThat(again.crashes()).isEqualTo(1);
        assertThat(other.takeOne(ORDERS).id()).isEqualTo(order);
        assertThat(node.settle(first(mail, MAIL), new AttemptOutcome.Done(null))).isEqualTo(SettleResult.LEASE_LOST);
    }

    @Test
    default void aHandedOffJobSurvivesTheDeathOfTheProcess() {
        TestNode node = nodeThatFoundNothing();
        JobId mail = handedOff(mail("a").claimer(node));
        JobId order = handedOff(order("g", "b").claimer(node));
        trial().crashAndRecover();
        ClaimedJob again = trial().node().takeOne(MAIL);
        assertThat(again.attempt()).isEqualTo(new AttemptId(mail, MAIL, 2));
        assertThat(again.crashes()).isEqualTo(1);
        assertThat(trial().node().takeOne(ORDERS).id()).isEqualTo(order);
    }

    @Test
    default void aPausedQueueHandsNothingOff() {
        TestNode node = nodeThatFoundNothing();
        trial().jobs().pause(MAIL, true);
        trial().jobs().pause(ORDERS, true);
        waiting(mail("a").claimer(node));
        waiting(order("g", "b").claimer(node));
        trial().jobs().pause(MAIL, false);
        assertThat(TestNode.bodies(node.take(MAIL, 5))).containsExactly("a");
    }

    @Test
    default void aNodeThatIsNotAliveGetsNothingHandedOff() {
        TestNode node = nodeThatFoundNothing();
        TestNode silent = new TestNode(trial(), new NodeId("silent"));
        waiting(mail("a").claimer(silent));
        waiting(order("g", "b").claimer(silent));
        assertThat(node.drain(MAIL)).containsExactly("a");
        assertThat(node.drain(ORDERS)).containsExactly("b");
        trial().dies(node);
        TestNode other = nodeThatFoundNothing();
        waiting(mail("c").claimer(node));
        assertThat(other.drain(MAIL)).containsExactly("c");
    }

    @Test
    default void aDelayedJobIsNotHandedOff() {
        TestNode node = nodeThatFoundNothing();
        JobId id = trial().push(mail("a").at(trial().in(Duration.ofMinutes(1))).claimer(node));
        assertThat(trial().view(id).state()).isEqualTo(JobState.DELAYED);
        trial().pass(Duration.ofMinutes(1));
        assertThat(node.takeOne(MAIL).id()).isEqualTo(id);
    }

    @Test
    default void aDuplicateIsNotHandedOff() {
        TestNode node = nodeThatFoundNothing();
        JobId first = handedOff(mail("a").dedupe("x").claimer(node));
        assertThat(trial().answer(mail("a").dedupe("x").claimer(node))).isEqualTo(new Duplicate(first));
        node.settle(first(first, MAIL), new AttemptOutcome.Done(null));
        assertThat(trial().answer(mail("a").dedupe("x").claimer(node))).isEqualTo(new Duplicate(first));
        assertThat(trial().pushAll(List.of(order("g", "b").dedupe("y").claimer(node),
                order("g", "b").dedupe("y").claimer(node)))).element(1).isInstanceOf(Duplicate.class);
        assertThat(node.take(MAIL, 5)).isEmpty();
    }

    @Test
    default void aHandOffOvertakesNoWaitingJobOfAnyPriority() {
        TestNode node = nodeThatFoundNothing();
        trial().push(mail("low").priority(Priority.LOW));
        waiting(mail("urgent").priority(Priority.URGENT).claimer(node));
        waiting(mail("normal").claimer(node));
        assertThat(TestNode.bodies(node.take(MAIL, 5))).containsExactlyInAnyOrder("low", "urgent", "normal");
    }

    @Test
    default void jobsOfOneCallAreHandedOffUpToTheFirstThatWaits() {
        TestNode node = nodeThatFoundNothing();
        List<PushResult> results = trial().pushAll(
                List.of(mail("a").claimer(node), mail("b").claimer(node), mail("c"), mail("d").claimer(node)));
        assertThat(results.stream().map(result -> ((Accepted) result).handedOff())).containsExactly(true, true, false,
                false);
        assertThat(TestNode.bodies(node.take(MAIL, 5))).containsExactly("c", "d");
        assertThat(node.settle(first(results.get(1).id(), MAIL), new AttemptOutcome.Done(null)))
                .isEqualTo(SettleResult.ACCEPTED);
    }

    @Test
    default void onlyTheFirstJobOfANewGroupIsHandedOff() {
        TestNode node = nodeThatFoundNothing();
        TestNode other = trial().node();
        List<PushResult> results = trial().pushAll(List.of(order("g", "a").claimer(node),
                order("g", "b").claimer(node), order("h", "c").claimer(other)));
        assertThat(results.stream().map(result -> ((Accepted) result).handedOff()).toList().subList(0, 2))
                .containsExactly(true, false);
        waiting(order("g", "d").claimer(other));
        assertThat(TestNode.bodies(other.take(ORDERS, 5))).doesNotContain("b", "d");
        node.settle(first(results.getFirst().id(), ORDERS), new AttemptOutcome.Done(null));
        assertThat(TestNode.bodies(other.take(ORDERS, 5))).containsExactly("b", "d");
    }

    @Test
    default void aHandedOffJobHoldsItsGroupThroughItsRetry() {
        TestNode node = nodeThatFoundNothing();
        JobId first = handedOff(order("g", "a").claimer(node));
        node.settle(first(first, ORDERS),
                new AttemptOutcome.Retry(trial().in(Duration.ofSeconds(10)), TestNode.FAILURE));
        waiting(order("g", "b").claimer(node));
        assertThat(node.take(ORDERS, 5)).isEmpty();
        trial().pass(Duration.ofSeconds(10));
        assertThat(TestNode.bodies(node.take(ORDERS, 5))).containsExactly("a", "b");
    }

    @Test
    default void aHaltedGroupHandsNothingOff() {
        TestNode node = nodeThatFoundNothing();
        JobId first = handedOff(order("g", "a").claimer(node));
        node.settle(first(first, ORDERS), new AttemptOutcome.Dead(TestNode.FAILURE, true));
        waiting(order("g", "b").claimer(node));
        assertThat(node.take(ORDERS, 5)).isEmpty();
        handedOff(order("h", "c").claimer(node));
    }

    @Test
    default void aGroupWhoseJobsHaveAllEndedIsHandedOffAgain() {
        TestNode node = nodeThatFoundNothing();
        for (String body : List.of("a", "b", "c")) {
            JobId id = handedOff(order("g", body).claimer(node));
            node.settle(first(id, ORDERS), new AttemptOutcome.Done(null));
        }
        assertThat(node.take(ORDERS, 5)).isEmpty();
    }

    private TestNode nodeThatFoundNothing() {
        TestNode node = trial().node();
        trial().push(mail("before"), order("before", "before"));
        assertThat(node.drain(MAIL)).hasSize(1);
        assertThat(node.drain(ORDERS)).hasSize(1);
        return node;
    }

    private JobId handedOff(JobDraft draft) {
        PushResult result = trial().answer(draft);
        assertThat(result).isEqualTo(new Accepted(result.id(), true));
        return result.id();
    }

    private void waiting(JobDraft draft) {
        PushResult result = trial().answer(draft);
        assertThat(result).isEqualTo(new Accepted(result.id(), false));
    }

    private static AttemptId first(JobId id, QueueName queue) {
        return new AttemptId(id, queue, 1);
    }
}
