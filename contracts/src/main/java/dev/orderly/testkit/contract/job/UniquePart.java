package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.PushResult;
import dev.orderly.job.PushResult.Accepted;
import dev.orderly.job.PushResult.Duplicate;
import dev.orderly.job.store.ClaimedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Unique keys: one answer for each key, a job of which an attempt has yet to start. */
public interface UniquePart extends JobPart {
    int PUSHERS = 8;

    @Test
    default void theJobOfAKeyThatWaitsIsTheAnswer() {
        TestNode node = trial().node();
        JobId id = trial().push(mail("a").unique("k").at(trial().in(Duration.ofMinutes(1))));
        assertThat(trial().answer(mail("b").unique("k"))).as("delayed").isEqualTo(new Duplicate(id));
        trial().pass(Duration.ofMinutes(1));
        node.beat();
        assertThat(trial().answer(mail("b").unique("k"))).as("due").isEqualTo(new Duplicate(id));
        node.giveBack(node.takeOne(MAIL));
        assertThat(trial().answer(mail("b").unique("k"))).as("given back").isEqualTo(new Duplicate(id));
        node.snooze(node.takeOne(MAIL), Duration.ofMillis(1));
        assertThat(trial().answer(mail("b").unique("k"))).as("snoozed").isEqualTo(new Duplicate(id));
        trial().pass(Duration.ofMillis(1));
        node.retry(node.takeOne(MAIL), Duration.ofHours(1));
        assertThat(trial().answer(mail("b").unique("k"))).as("waits for its retry").isEqualTo(new Duplicate(id));
        assertThat(node.take(MAIL, 9)).isEmpty();
    }

    @Test
    default void aPushWhileTheJobOfItsKeyRunsMakesOneNextJob() {
        TestNode node = trial().node();
        trial().push(mail("a").unique("k"));
        ClaimedJob first = node.takeOne(MAIL);
        PushResult next = trial().answer(mail("b").unique("k"));
        assertThat(next).isInstanceOf(Accepted.class);
        assertThat(trial().answer(mail("c").unique("k"))).isEqualTo(new Duplicate(next.id()));
        node.lease(first, Duration.ofHours(1));
        assertThat(trial().answer(mail("c").unique("k"))).isEqualTo(new Duplicate(next.id()));
        node.beat();
        ClaimedJob second = node.takeOne(MAIL);
        assertThat(second.id()).isEqualTo(next.id());
        PushResult third = trial().answer(mail("d").unique("k"));
        assertThat(third).isInstanceOf(Accepted.class);
        node.retry(second, Duration.ofHours(1));
        assertThat(trial().answer(mail("e").unique("k"))).as("the newest").isEqualTo(new Duplicate(third.id()));
        assertThat(node.drain(MAIL)).containsExactly("d");
    }

    @Test
    default void aJobThatHasEndedFreesItsKey() {
        TestNode node = trial().node();
        trial().push(mail("a").unique("k"));
        node.done(node.takeOne(MAIL));
        PushResult second = trial().answer(mail("b").unique("k"));
        assertThat(second).isInstanceOf(Accepted.class);
        trial().cancel(second.id());
        assertThat(trial().answer(mail("c").unique("k"))).isInstanceOf(Accepted.class);
        node.dead(node.takeOne(MAIL), false);
        assertThat(trial().answer(mail("d").unique("k"))).isInstanceOf(Accepted.class);
        assertThat(node.drain(MAIL)).containsExactly("d");
    }

    @Test
    default void aJobThatHasExpiredIsNoAnswer() {
        trial().push(mail("a").unique("k").expires(trial().in(Duration.ofMinutes(1))));
        trial().pass(Duration.ofMinutes(1));
        assertThat(trial().answer(mail("b").unique("k"))).isInstanceOf(Accepted.class);
        trial().upkeep();
        assertThat(trial().node().drain(MAIL)).containsExactly("b");
    }

    @Test
    default void groupsAndQueuesHaveKeysOfTheirOwn() {
        JobId first = trial().push(order("g", "a").unique("k"));
        assertThat(trial().answer(order("g", "b").unique("k"))).isEqualTo(new Duplicate(first));
        assertThat(trial().answer(order("h", "c").unique("k"))).isInstanceOf(Accepted.class);
        assertThat(trial().answer(mail("d").unique("k"))).isInstanceOf(Accepted.class);
        assertThat(trial().answer(mail("e").unique("l"))).isInstanceOf(Accepted.class);
        TestNode node = trial().node();
        List<ClaimedJob> run = node.take(ORDERS, 1);
        assertThat(TestNode.bodies(run)).containsExactly("a");
        assertThat(trial().answer(order("g", "f").unique("k"))).isInstanceOf(Accepted.class);
        node.done(run);
        assertThat(node.drain(ORDERS)).containsExactlyInAnyOrder("c", "f");
    }

    @Test
    default void uniqueKeysCountWithinABatch() {
        List<PushResult> answers = trial().pushAll(List.of(mail("a").unique("k"), mail("b"), mail("c").unique("k")));
        assertThat(answers.getFirst()).isInstanceOf(Accepted.class);
        assertThat(answers.getLast()).isEqualTo(new Duplicate(answers.getFirst().id()));
        assertThat(trial().node().drain(MAIL)).containsExactly("a", "b");
    }

    @Test
    default void anIdempotencyKeyStandsForTheJobThatAnsweredItsPush() {
        JobId first = trial().push(mail("a").unique("k"));
        assertThat(trial().answer(mail("b").idempotency("i", "r").unique("k"))).isEqualTo(new Duplicate(first));
        TestNode node = trial().node();
        node.done(node.takeOne(MAIL));
        assertThat(trial().answer(mail("b").idempotency("i", "r").unique("k"))).isEqualTo(new Duplicate(first));
    }

    @Test
    default void aHandedOffJobRuns() {
        TestNode node = trial().node();
        node.take(MAIL, 1);
        PushResult first = trial().answer(mail("a").unique("k").claimer(node));
        PushResult second = trial().answer(mail("b").unique("k"));
        if (((Accepted) first).handedOff()) {
            assertThat(second).isInstanceOf(Accepted.class);
        } else {
            assertThat(second).isEqualTo(new Duplicate(first.id()));
        }
    }

    @Test
    default void aUniqueKeySurvivesTheDeathOfTheProcess() {
        TestNode node = trial().node();
        trial().push(mail("a").unique("k"), mail("b").unique("l"));
        ClaimedJob running = node.takeOne(MAIL);
        trial().crash();
        assertThat(trial().answer(mail("c").unique("l"))).isInstanceOf(Duplicate.class);
        JobId next = trial().push(mail("d").unique("k"));
        assertThat(next).isNotEqualTo(running.id());
        trial().pass(JobTrial.NODE_DEAD.plusSeconds(1));
        trial().upkeep();
        assertThat(trial().answer(mail("e").unique("k"))).isEqualTo(new Duplicate(next));
        assertThat(trial().node().drain(MAIL)).containsExactlyInAnyOrder("a", "b", "d");
    }

    @Test
    default void ofPushesAtOnceOneIsStored() throws Exception {
        for (int round = 0; round < 5; round++) {
            String key = "k" + round;
            CountDownLatch start = new CountDownLatch(1);
            List<PushResult> answers = new ArrayList<>();
            try (ExecutorService pushers = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<PushResult>> pushes = new ArrayList<>();
                for (int n = 0; n < PUSHERS; n++) {
                    JobDraft draft = mail(key + n).unique(key);
                    pushes.add(pushers.submit(() -> {
                        start.await();
                        return trial().answer(draft);
                    }));
                }
                start.countDown();
                for (Future<PushResult> push : pushes) {
                    answers.add(push.get());
                }
            }
            assertThat(answers).filteredOn(Accepted.class::isInstance).hasSize(1);
            assertThat(answers).extracting(PushResult::id).containsOnly(answers.getFirst().id());
        }
    }

    /** Random steps against a model that knows of each job whether an attempt of it has yet to start. */
    @Test
    default void eachKeyHasOneAnswerInEveryInterleaving() {
        for (int seed = 1; seed <= 4; seed++) {
            interleave(seed);
        }
    }

    private void interleave(int seed) {
        Random random = new Random(seed);
        TestNode node = trial().node();
        Map<String, List<JobId>> pending = new LinkedHashMap<>();
        Map<JobId, String> keys = new LinkedHashMap<>();
        List<ClaimedJob> running = new ArrayList<>();
        for (int step = 0; step < 120; step++) {
            String key = "s" + seed + "k" + random.nextInt(3);
            List<JobId> waiting = pending.computeIfAbsent(key, _ -> new ArrayList<>());
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    PushResult answer = trial().answer(mail("x").unique(key));
                    if (waiting.isEmpty()) {
                        assertThat(answer).as("step %s of %s", step, seed).isInstanceOf(Accepted.class);
                        keys.put(answer.id(), key);
                        waiting.add(answer.id());
                    } else {
                        JobId newest = waiting.stream().max(JobId::compareTo).orElseThrow();
                        assertThat(answer).as("step %s of %s", step, seed).isEqualTo(new Duplicate(newest));
                    }
                }
                case 3, 4 -> node.take(MAIL, 2).forEach(job -> {
                    running.add(job);
                    pending.getOrDefault(keys.get(job.id()), new ArrayList<>()).remove(job.id());
                });
                case 5 -> {
                    if (!waiting.isEmpty()) {
                        trial().cancel(waiting.removeLast());
                    }
                }
                default -> {
                    if (!running.isEmpty()) {
                        ClaimedJob job = running.remove(random.nextInt(running.size()));
                        List<JobId> its = pending.getOrDefault(keys.get(job.id()), new ArrayList<>());
                        switch (random.nextInt(4)) {
                            case 0 -> node.done(job);
                            case 1 -> node.dead(job, false);
                            case 2 -> {
                                node.giveBack(job);
                                its.add(job.id());
                            }
                            default -> {
                                node.retry(job, Duration.ofSeconds(random.nextInt(2)));
                                its.add(job.id());
                            }
                        }
                    }
                }
            }
            if (random.nextInt(10) == 0) {
                trial().pass(Duration.ofSeconds(1));
                node.beat();
            }
        }
        running.forEach(node::done);
        trial().pass(Duration.ofSeconds(2));
        node.beat();
        node.drain(MAIL);
    }
}
