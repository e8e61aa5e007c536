package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Queues that are gone: what forgets them, what stands in the way, and what makes them exist again. */
interface ForgetPart extends JobPart {
    private ForgetQueueResult forget(QueueName queue) {
        return trial().jobs().forget(queue);
    }

    private List<QueueName> listed() {
        return trial().views().queues().stream().map(QueueView::queue).toList();
    }

    private void declare(QueueName queue, OnDead onDead, NodeId node) {
        trial().jobs().upkeep(new UpkeepRequest(JobTrial.NODE_DEAD, 3, Map.of(queue, Declared.anew(onDead, node)),
                Retention.DEFAULT, 100), trial().now());
    }

    @Test
    default void aForgottenQueueIsListedNoMoreAndKeepsItsEndedJobs() {
        JobId done = trial().push(mail("a"));
        trial().node().drain(MAIL);
        assertThat(forget(MAIL)).isEqualTo(new ForgetQueueResult.Forgotten(MAIL));
        trial().eventually(() -> assertThat(listed()).isEmpty());
        assertThat(trial().view(done).state()).isEqualTo(JobState.DONE);
        trial().crash();
        trial().eventually(() -> assertThat(listed()).isEmpty());
        assertThat(trial().list(MAIL, JobState.DONE)).containsExactly(done);
        assertThat(forget(MAIL)).isEqualTo(new ForgetQueueResult.Unknown(MAIL));
    }

    @Test
    default void aQueueThatNeverWasIsNotForgotten() {
        assertThat(forget(MAIL)).isEqualTo(new ForgetQueueResult.Unknown(MAIL));
        assertThat(listed()).isEmpty();
    }

    @Test
    default void thePauseAndThePolicyOfAQueueAreForgottenWithIt() {
        trial().jobs().pause(ORDERS, true);
        declare(ORDERS, OnDead.HALT, new NodeId("gone"));
        assertThat(forget(ORDERS)).isEqualTo(new ForgetQueueResult.Forgotten(ORDERS));
        trial().crash();
        TestNode node = trial().node();
        trial().push(order("g", "a"), order("g", "b"));
        assertThat(node.beat().paused()).isEmpty();
        assertThat(node.drain(ORDERS)).containsExactly("a", "b");
    }

    @Test
    default void aQueueIsPausedAgainAfterItWasForgotten() {
        trial().jobs().pause(MAIL, true);
        assertThat(forget(MAIL)).isEqualTo(new ForgetQueueResult.Forgotten(MAIL));
        trial().jobs().pause(MAIL, false);
        trial().eventually(() -> assertThat(listed()).isEmpty());
        trial().jobs().pause(MAIL, true);
        trial().eventually(() -> assertThat(trial().view(MAIL).paused()).isTrue());
    }

    @Test
    default void aQueueThatHoldsJobsIsNotForgotten() {
        TestNode node = trial().node();
        List<JobId> ids = trial().push(mail("dead"), mail("running"), mail("waiting"),
                mail("delayed").at(trial().in(Duration.ofHours(1))));
        node.dead(node.takeOne(MAIL), false);
        ClaimedJob running = node.takeOne(MAIL);
        assertThat(refused(forget(MAIL))).containsExactly(1L, 1L, 1L, 1L);
        node.done(running);
        assertThat(refused(forget(MAIL))).containsExactly(1L, 1L, 0L, 1L);
        trial().cancel(ids.get(2));
        assertThat(refused(forget(MAIL))).containsExactly(0L, 1L, 0L, 1L);
        trial().cancel(ids.get(3));
        assertThat(refused(forget(MAIL))).containsExactly(0L, 0L, 0L, 1L);
        trial().crash();
        assertThat(refused(forget(MAIL))).containsExactly(0L, 0L, 0L, 1L);
        assertThat(trial().list(MAIL, JobState.DEAD)).containsExactly(ids.getFirst());
        trial().cancel(ids.getFirst());
        assertThat(forget(MAIL)).isEqualTo(new ForgetQueueResult.Forgotten(MAIL));
    }

    /** The counts of a refusal for jobs: waiting, delayed, running, dead. */
    private static List<Long> refused(ForgetQueueResult result) {
        ForgetQueueResult.InUse inUse = (ForgetQueueResult.InUse) result;
        assertThat(inUse.nodes()).isEmpty();
        QueueView view = inUse.view();
        return List.of(view.waiting(), view.delayed(), view.running(), view.dead());
    }

    @Test
    default void aQueueThatALiveNodeWorksOnOrDeclaresIsNotForgotten() {
        TestNode works = trial().node();
        TestNode declares = trial().node();
        trial().push(mail("a"));
        works.drain(MAIL);
        trial().jobs().beat(works.id(), Set.of(MAIL));
        declare(MAIL, OnDead.CONTINUE, declares.id());
        assertThat(((ForgetQueueResult.InUse) forget(MAIL)).nodes()).containsExactlyInAnyOrder(works.id(),
                declares.id());
        trial().jobs().beat(works.id(), Set.of());
        assertThat(((ForgetQueueResult.InUse) forget(MAIL)).nodes()).containsExactly(declares.id());
        trial().eventually(() -> assertThat(listed()).containsExactly(MAIL));
        trial().dies(declares);
        assertThat(forget(MAIL)).isEqualTo(new ForgetQueueResult.Forgotten(MAIL));
    }

    @Test
    default void aPushMakesAForgottenQueueExistAgain() {
        TestNode node = trial().node();
        trial().push(mail("a"));
        node.drain(MAIL);
        assertThat(forget(MAIL)).isEqualTo(new ForgetQueueResult.Forgotten(MAIL));
        JobId again = trial().push(mail("again"));
        trial().eventually(() -> assertThat(listed()).containsExactly(MAIL));
        assertThat(forget(MAIL)).isInstanceOf(ForgetQueueResult.InUse.class);
        declare(MAIL, OnDead.CONTINUE, node.id());
        ClaimedJob job = node.takeOne(MAIL);
        assertThat(job.id()).isEqualTo(again);
        node.done(job);
        trial().eventually(() -> assertThat(trial().view(again).state()).isEqualTo(JobState.DONE));
        assertThat(listed()).as("declared by a live node").containsExactly(MAIL);
    }

    @Test
    default void aPushThatComesWithTheForgetIsNotLost() {
        TestNode node = trial().node();
        List<JobId> pushed = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            int n = round;
            CompletableFuture<ForgetQueueResult> forget = CompletableFuture.supplyAsync(() -> forget(MAIL));
            if (n % 4 == 0) {
                forget.join(); // the order that no race is sure to have
            }
            JobId id = trial().push(mail("m" + n));
            pushed.add(id);
            ForgetQueueResult forgotten = forget.join();
            trial().eventually(() -> assertThat(listed()).as("round %s: %s", n, forgotten).containsExactly(MAIL));
            ClaimedJob job = node.takeOne(MAIL);
            assertThat(job.id()).isEqualTo(id);
            node.done(job);
        }
        trial().eventually(() -> assertThat(trial().list(MAIL, JobState.DONE)).containsExactlyElementsOf(
                pushed.reversed()));
    }
}
