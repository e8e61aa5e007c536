package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.ORDERS;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static dev.orderly.testkit.contract.job.JobDraft.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.PushResult;
import dev.orderly.job.PushResult.Accepted;
import dev.orderly.job.PushResult.DedupeReused;
import dev.orderly.job.PushResult.Duplicate;
import dev.orderly.job.PushResult.KeyReused;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Pushes that repeat an earlier push. */
public interface DedupePart extends JobPart {
    Duration MOMENT = Duration.ofMillis(1);

    @Test
    default void aSecondPushInsideTheWindowIsAnsweredWithTheFirstJob() {
        JobId first = trial().push(order("g", "a").dedupe("x"));
        trial().pass(JobStore.DEDUPE_WINDOW.minus(MOMENT));
        assertThat(trial().answer(order("g", "other body").dedupe("x"))).isEqualTo(new Duplicate(first));
        assertThat(trial().node().drain(ORDERS)).containsExactly("a");
    }

    @Test
    default void aJobIsRememberedAfterItFinished() {
        JobId first = trial().push(mail("a").dedupe("x"));
        trial().node().drain(MAIL);
        assertThat(trial().answer(mail("b").dedupe("x"))).isEqualTo(new Duplicate(first));
        assertThat(trial().node().take(MAIL, 1)).isEmpty();
    }

    @Test
    default void aJobIsRememberedAfterItDiedOrWasCancelled() {
        TestNode node = trial().node();
        JobId dead = trial().push(mail("a").dedupe("x"));
        node.dead(node.takeOne(MAIL), false);
        JobId cancelled = trial().push(mail("b").dedupe("y"));
        trial().cancel(cancelled);
        assertThat(trial().answer(mail("c").dedupe("x"))).isEqualTo(new Duplicate(dead));
        assertThat(trial().answer(mail("d").dedupe("y"))).isEqualTo(new Duplicate(cancelled));
    }

    @Test
    default void theWindowStartsAtTheFirstAcceptAndIsNotProlonged() {
        JobId first = trial().push(mail("a").dedupe("x"));
        trial().pass(Duration.ofMinutes(4));
        assertThat(trial().answer(mail("b").dedupe("x"))).isEqualTo(new Duplicate(first));
        trial().pass(Duration.ofMinutes(1).plus(MOMENT));
        assertThat(trial().answer(mail("c").dedupe("x"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void aKeyAfterItsWindowStartsANewWindow() {
        trial().push(mail("a").dedupe("x"));
        trial().pass(JobStore.DEDUPE_WINDOW.plus(MOMENT));
        JobId second = trial().push(mail("b").dedupe("x"));
        trial().pass(Duration.ofMinutes(3));
        assertThat(trial().answer(mail("c").dedupe("x"))).isEqualTo(new Duplicate(second));
        assertThat(trial().node().drain(MAIL)).containsExactly("a", "b");
    }

    @Test
    default void anIdIsKeptForTheTimeOfItsFirstPush() {
        TestNode node = trial().node();
        JobId first = trial().push(mail("a").dedupe("x", Duration.ofHours(1)).standingFor("a"));
        node.drain(MAIL);
        trial().pass(Duration.ofHours(1).minus(MOMENT));
        trial().upkeep();
        assertThat(trial().answer(mail("a").dedupe("x", Duration.ofDays(7)).standingFor("a")))
                .isEqualTo(new Duplicate(first));
        assertThat(trial().answer(mail("b").dedupe("x", Duration.ofHours(1)).standingFor("b")))
                .isEqualTo(new DedupeReused(first));
        trial().pass(MOMENT);
        JobId second = trial().push(mail("c").dedupe("x", Duration.ofSeconds(1)).standingFor("c"));
        trial().pass(Duration.ofSeconds(1).minus(MOMENT));
        assertThat(trial().answer(mail("c").dedupe("x", Duration.ofSeconds(1)).standingFor("c")))
                .isEqualTo(new Duplicate(second));
        trial().pass(MOMENT);
        assertThat(trial().answer(mail("d").dedupe("x", Duration.ofSeconds(1)).standingFor("d")))
                .isInstanceOf(Accepted.class);
    }

    @Test
    default void anIdWithATimeIsAnotherIdThanWithout() {
        JobId plain = trial().push(mail("a").dedupe("x"));
        JobId timed = trial().push(mail("b").dedupe("x", Duration.ofHours(1)));
        assertThat(timed).isNotEqualTo(plain);
        assertThat(trial().answer(mail("c").dedupe("x"))).isEqualTo(new Duplicate(plain));
        assertThat(trial().answer(mail("c").dedupe("x", Duration.ofHours(1)))).isEqualTo(new Duplicate(timed));
        trial().pass(JobStore.DEDUPE_WINDOW.plus(MOMENT));
        assertThat(trial().answer(mail("c").dedupe("x"))).isInstanceOf(Accepted.class);
        assertThat(trial().answer(mail("c").dedupe("x", Duration.ofHours(1)))).isEqualTo(new Duplicate(timed));
    }

    @Test
    default void anIdWithATimeSurvivesTheDeathOfTheProcess() {
        JobId first = trial().push(mail("a").dedupe("x", Duration.ofDays(7)));
        trial().node().drain(MAIL);
        trial().pass(Duration.ofDays(6));
        trial().upkeep();
        trial().crash();
        assertThat(trial().answer(mail("b").dedupe("x", Duration.ofDays(7)))).isEqualTo(new Duplicate(first));
        List<PushResult> twice = trial().pushAll(
                List.of(mail("c").dedupe("y", Duration.ofHours(1)), mail("c").dedupe("y", Duration.ofHours(1))));
        assertThat(twice.getLast()).isEqualTo(new Duplicate(twice.getFirst().id()));
    }

    @Test
    default void upkeepForgetsNoKeyInsideItsWindow() {
        JobId first = trial().push(mail("a").dedupe("x").idempotency("k", "r"));
        trial().node().drain(MAIL);
        trial().pass(JobStore.DEDUPE_WINDOW.minus(MOMENT));
        trial().upkeep();
        assertThat(trial().answer(mail("b").dedupe("x"))).isEqualTo(new Duplicate(first));
        trial().pass(JobStore.IDEMPOTENCY_WINDOW.minus(JobStore.DEDUPE_WINDOW));
        trial().upkeep();
        assertThat(trial().answer(mail("c").idempotency("k", "r"))).isEqualTo(new Duplicate(first));
    }

    /** With hundreds of keys, so that a store that keeps only the newest in memory is asked for others too. */
    @Test
    default void eachOfManyKeysCountsForItsOwnWindow() {
        record First(JobId id, Instant at) {}
        Random random = new Random(7);
        Map<String, First> model = new HashMap<>();
        for (int round = 0; round < 24; round++) {
            trial().pass(Duration.ofSeconds(20));
            Instant now = trial().now();
            List<String> keys = Stream.generate(() -> "key-" + random.nextInt(900)).distinct().limit(60).toList();
            List<PushResult> answers = trial().pushAll(keys.stream().map(key -> order("g", key).dedupe(key)).toList());
            for (int i = 0; i < keys.size(); i++) {
                First first = model.get(keys.get(i));
                if (first != null && first.at.plus(JobStore.DEDUPE_WINDOW).isAfter(now)) {
                    assertThat(answers.get(i)).as("%s in round %s", first, round).isEqualTo(new Duplicate(first.id));
                } else {
                    assertThat(answers.get(i)).as("%s in round %s", first, round).isInstanceOf(Accepted.class);
                    model.put(keys.get(i), new First(answers.get(i).id(), now));
                }
            }
            if (round % 7 == 6) {
                trial().crash();
                trial().node();
            } else {
                trial().upkeep();
            }
        }
    }

    @Test
    default void otherQueuesAndGroupsHaveTheirOwnKeys() {
        trial().push(order("g", "a").dedupe("x"));
        assertThat(trial().answer(order("h", "a").dedupe("x"))).isInstanceOf(Accepted.class);
        assertThat(trial().answer(JobDraft.to(new QueueName("other.fifo"), "g", "a").dedupe("x")))
                .isInstanceOf(Accepted.class);
        assertThat(trial().answer(mail("a").dedupe("x"))).isInstanceOf(Accepted.class);
        assertThat(trial().answer(order("g", "a").dedupe("y"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void aKeyCountsInsideItsOwnCall() {
        List<JobId> ids = trial().push(mail("a").dedupe("x"), mail("b"), mail("c").dedupe("x"));
        assertThat(ids.get(2)).isEqualTo(ids.get(0));
        assertThat(trial().node().drain(MAIL)).containsExactly("a", "b");
    }

    @Test
    default void aKeySurvivesTheDeathOfTheProcess() {
        JobId first = trial().push(mail("a").dedupe("x").idempotency("k", "r"));
        trial().node().drain(MAIL);
        trial().crash();
        assertThat(trial().answer(mail("b").dedupe("x"))).isEqualTo(new Duplicate(first));
        assertThat(trial().answer(mail("b").idempotency("k", "r"))).isEqualTo(new Duplicate(first));
        trial().pass(JobStore.DEDUPE_WINDOW.plus(MOMENT));
        assertThat(trial().answer(mail("c").dedupe("x"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void theSameDedupeIdForTheSameJobIsADuplicate() {
        JobId first = trial().push(mail("a").dedupe("x").standingFor("a"));
        assertThat(trial().answer(mail("a").dedupe("x").standingFor("a"))).isEqualTo(new Duplicate(first));
        trial().node().drain(MAIL);
        assertThat(trial().answer(mail("a").dedupe("x").standingFor("a"))).isEqualTo(new Duplicate(first));
        JobId grouped = trial().push(order("g", "a").dedupe("x").standingFor("a"));
        assertThat(trial().answer(order("g", "a").dedupe("x").standingFor("a"))).isEqualTo(new Duplicate(grouped));
    }

    @Test
    default void theSameDedupeIdForAnotherJobIsRefused() {
        JobId first = trial().push(mail("a").dedupe("x").standingFor("a"));
        JobId grouped = trial().push(order("g", "a").dedupe("x").standingFor("a"));
        assertThat(trial().answer(mail("b").dedupe("x").standingFor("b"))).isEqualTo(new DedupeReused(first));
        assertThat(trial().answer(order("g", "b").dedupe("x").standingFor("b"))).isEqualTo(new DedupeReused(grouped));
        assertThat(trial().node().drain(MAIL)).containsExactly("a");
        assertThat(trial().node().drain(ORDERS)).containsExactly("a");
    }

    @Test
    default void aDedupeIdStandsForItsJobAfterThatEnded() {
        TestNode node = trial().node();
        JobId done = trial().push(mail("a").dedupe("x").standingFor("a"));
        node.drain(MAIL);
        JobId dead = trial().push(mail("b").dedupe("y").standingFor("b"));
        node.dead(node.takeOne(MAIL), false);
        JobId cancelled = trial().push(mail("c").dedupe("z").standingFor("c"));
        trial().cancel(cancelled);
        assertThat(trial().answer(mail("o").dedupe("x").standingFor("o"))).isEqualTo(new DedupeReused(done));
        assertThat(trial().answer(mail("o").dedupe("y").standingFor("o"))).isEqualTo(new DedupeReused(dead));
        assertThat(trial().answer(mail("o").dedupe("z").standingFor("o"))).isEqualTo(new DedupeReused(cancelled));
    }

    @Test
    default void aDedupeIdStandsForOneJobInsideItsOwnCall() {
        List<JobDraft> drafts = List.of(mail("a").dedupe("x").standingFor("a"),
                mail("b").dedupe("x").standingFor("b"), mail("c"), mail("a").dedupe("x").standingFor("a"));
        List<PushResult> results = trial().pushAll(drafts);
        JobId first = results.getFirst().id();
        assertThat(results.get(1)).isEqualTo(new DedupeReused(first));
        assertThat(results.get(3)).isEqualTo(new Duplicate(first));
        assertThat(trial().node().drain(MAIL)).containsExactly("a", "c");
    }

    @Test
    default void whatADedupeIdStandsForSurvivesTheDeathOfTheProcessAndEndsWithTheWindow() {
        JobId first = trial().push(mail("a").dedupe("x").standingFor("a"));
        trial().node().drain(MAIL);
        trial().crash();
        assertThat(trial().answer(mail("b").dedupe("x").standingFor("b"))).isEqualTo(new DedupeReused(first));
        assertThat(trial().answer(mail("a").dedupe("x").standingFor("a"))).isEqualTo(new Duplicate(first));
        trial().pass(JobStore.DEDUPE_WINDOW.plus(MOMENT));
        assertThat(trial().answer(mail("b").dedupe("x").standingFor("b"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void aPushThatItsDedupeIdRefusesLeavesNoIdempotencyKey() {
        trial().push(mail("a").dedupe("x").standingFor("a"));
        trial().push(mail("b").dedupe("x").standingFor("b").idempotency("k", "r"));
        assertThat(trial().answer(mail("c").idempotency("k", "other"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void pushesWithoutAKeyAreAlwaysNewJobs() {
        List<JobId> ids = trial().push(mail("a"), mail("a"), mail("a"));
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(trial().node().drain(MAIL)).containsExactly("a", "a", "a");
    }

    @Test
    default void aDuplicateOnAFifoQueueDoesNotBlockItsGroup() {
        trial().push(order("g", "a").dedupe("x"), order("g", "b").dedupe("x"), order("g", "c"));
        assertThat(trial().node().drain(ORDERS)).containsExactly("a", "c");
    }

    @Test
    default void theSameIdempotencyKeyWithTheSameRequestIsAnsweredWithTheFirstJobFor24Hours() {
        JobId first = trial().push(mail("a").idempotency("k", "r"));
        trial().pass(JobStore.IDEMPOTENCY_WINDOW.minus(MOMENT));
        assertThat(trial().answer(mail("a").idempotency("k", "r"))).isEqualTo(new Duplicate(first));
        trial().pass(MOMENT.plus(MOMENT));
        assertThat(trial().answer(mail("a").idempotency("k", "r"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void theSameIdempotencyKeyWithAnotherRequestIsRefused() {
        JobId first = trial().push(mail("a").idempotency("k", "r"));
        assertThat(trial().answer(mail("b").idempotency("k", "other"))).isEqualTo(new KeyReused(first));
        assertThat(trial().node().drain(MAIL)).containsExactly("a");
    }

    @Test
    default void anIdempotencyKeyCountsInsideItsOwnCall() {
        List<JobDraft> drafts = List.of(mail("a").idempotency("k", "r"), mail("b").idempotency("k", "r"),
                mail("c").idempotency("k", "other"));
        JobId first = trial().pushAll(drafts).getFirst().id();
        assertThat(trial().pushAll(drafts)).containsExactly(new Duplicate(first), new Duplicate(first),
                new KeyReused(first));
        assertThat(trial().node().drain(MAIL)).containsExactly("a");
    }

    @Test
    default void theIdempotencyKeyIsCheckedBeforeTheDedupeKey() {
        JobId asked = trial().push(mail("a").idempotency("k", "r"));
        trial().push(mail("b").dedupe("x"));
        assertThat(trial().answer(mail("c").dedupe("x").idempotency("k", "r"))).isEqualTo(new Duplicate(asked));
        assertThat(trial().answer(mail("d").dedupe("x").idempotency("k", "other"))).isEqualTo(new KeyReused(asked));
    }

    @Test
    default void aRefusedPushLeavesNoDedupeKey() {
        trial().push(mail("a").idempotency("k", "r"));
        trial().push(mail("b").dedupe("x").idempotency("k", "other"));
        assertThat(trial().answer(mail("c").dedupe("x"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void aDuplicateByItsDedupeKeyLeavesItsIdempotencyKeyForTheSameJob() {
        JobId first = trial().push(mail("a").dedupe("x"));
        assertThat(trial().answer(mail("a").dedupe("x").idempotency("k", "r"))).isEqualTo(new Duplicate(first));
        trial().pass(JobStore.DEDUPE_WINDOW.plus(MOMENT));
        assertThat(trial().answer(mail("a").dedupe("x").idempotency("k", "r"))).isEqualTo(new Duplicate(first));
    }
}
