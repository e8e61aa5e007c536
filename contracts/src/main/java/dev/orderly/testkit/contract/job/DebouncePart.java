package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.PushResult.Accepted;
import dev.orderly.job.PushResult.DebounceReused;
import dev.orderly.job.PushResult.Duplicate;
import dev.orderly.job.PushResult.Replaced;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Debounce keys: the last push of a key says what its waiting job is and when it starts. */
public interface DebouncePart extends JobPart {
    Duration QUIET = Duration.ofSeconds(5);

    private JobDraft quiet(String body) {
        return mail(body).at(trial().in(QUIET)).debounce("k", null);
    }

    private static JobDraft now(String body) {
        return mail(body).debounce("k", null);
    }

    @Test
    default void theLastPushSaysWhatTheJobIs() {
        TestNode node = trial().node();
        JobId id = trial().push(quiet("a").from(null, Map.of("n", "1")));
        assertThat(trial().answer(quiet("b").from(null, Map.of("n", "2")))).isEqualTo(new Replaced(id));
        JobDraft last = quiet("c").from(null, Map.of("n", "3")).debounce("k", Duration.ofHours(1));
        assertThat(trial().answer(last)).isEqualTo(new Replaced(id));
        trial().pass(QUIET);
        node.beat();
        ClaimedJob job = node.takeOne(MAIL);
        assertThat(job.id()).isEqualTo(id);
        assertThat(job.payload().asText()).isEqualTo("c");
        assertThat(job.params()).isEqualTo(Map.of("n", "3"));
        assertThat(job.terms()).isEqualTo(last.job().terms());
        node.done(job);
        assertThat(node.drain(MAIL)).isEmpty();
    }

    @Test
    default void eachPushPutsTheJobOffUntilItsKeyIsQuiet() {
        TestNode node = trial().node();
        trial().push(quiet("a"));
        trial().pass(Duration.ofSeconds(3));
        trial().answer(quiet("b"));
        trial().pass(QUIET.minusMillis(1));
        node.beat();
        assertThat(node.take(MAIL, 1)).isEmpty();
        trial().pass(Duration.ofMillis(1));
        node.beat();
        assertThat(node.drain(MAIL)).containsExactly("b");
    }

    @Test
    default void noPushPutsTheJobOffBeyondTheLongestTime() {
        TestNode node = trial().node();
        Duration step = Duration.ofSeconds(3);
        Duration atMost = step.multipliedBy(3).plusMillis(500);
        for (String body : List.of("a", "b", "c", "d")) {
            trial().answer(quiet(body).debounce("k", atMost));
            assertThat(node.take(MAIL, 1)).isEmpty();
            if (!body.equals("d")) {
                trial().pass(step);
                node.beat();
            }
        }
        trial().pass(Duration.ofMillis(499));
        node.beat();
        assertThat(node.take(MAIL, 1)).isEmpty();
        trial().pass(Duration.ofMillis(1));
        node.beat();
        assertThat(node.drain(MAIL)).containsExactly("d");
    }

    @Test
    default void withoutAQuietTimeOnlyThePayloadIsReplaced() {
        TestNode node = trial().node();
        JobId id = trial().push(now("a"));
        assertThat(trial().answer(now("b"))).isEqualTo(new Replaced(id));
        ClaimedJob job = node.takeOne(MAIL);
        assertThat(job.payload().asText()).isEqualTo("b");
        node.retry(job, Duration.ofHours(1));
        assertThat(trial().answer(now("c"))).isEqualTo(new Replaced(id));
        assertThat(node.take(MAIL, 1)).as("waits for its retry").isEmpty();
        trial().pass(Duration.ofHours(1));
        node.beat();
        ClaimedJob again = node.takeOne(MAIL);
        assertThat(again.payload().asText()).isEqualTo("c");
        assertThat(again.attempt().number()).isEqualTo(2);
        assertThat(again.failures()).isEqualTo(1);
    }

    @Test
    default void aJobThatIsDueAndWaitsIsPutOffAgain() {
        TestNode node = trial().node();
        JobId id = trial().push(quiet("a"));
        trial().pass(QUIET);
        node.beat();
        trial().push(mail("urgent").priority(Priority.URGENT));
        assertThat(TestNode.bodies(node.take(MAIL, 1))).as("a claim that sees what is due").hasSize(1);
        boolean taken = trial().view(id).state() == JobState.RUNNING;
        PushResult answer = trial().answer(quiet("b"));
        assertThat(answer).isInstanceOf(taken ? Accepted.class : Replaced.class);
        assertThat(node.drain(MAIL)).doesNotContain("b");
        trial().pass(QUIET);
        node.beat();
        assertThat(node.drain(MAIL)).containsExactly("b");
    }

    @Test
    default void aPushWhileTheJobOfItsDebounceKeyRunsMakesOneNextJob() {
        TestNode node = trial().node();
        trial().push(now("a"));
        ClaimedJob first = node.takeOne(MAIL);
        PushResult next = trial().answer(now("b"));
        assertThat(next).isInstanceOf(Accepted.class);
        assertThat(trial().answer(now("c"))).isEqualTo(new Replaced(next.id()));
        assertThat(trial().view(first.id()).payload()).isEqualTo(first.payload());
        node.done(first);
        assertThat(node.drain(MAIL)).containsExactly("c");
        assertThat(trial().answer(now("d"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void theJobOfAnotherUserIsNotReplaced() {
        UserId ann = new UserId("ann");
        JobId id = trial().push(now("a").from(ann, Map.of()));
        assertThat(trial().answer(now("b").from(new UserId("bob"), Map.of()))).isEqualTo(new DebounceReused(id));
        assertThat(trial().answer(now("c"))).isEqualTo(new DebounceReused(id));
        assertThat(trial().answer(now("d").from(ann, Map.of()))).isEqualTo(new Replaced(id));
        assertThat(trial().node().drain(MAIL)).containsExactly("d");
    }

    @Test
    default void debounceKeysCountWithinABatch() {
        List<PushResult> answers = trial()
                .pushAll(List.of(now("a"), quiet("b"), mail("c").debounce("l", null), quiet("d"), mail("e")));
        JobId id = answers.getFirst().id();
        assertThat(answers.get(1)).isEqualTo(new Replaced(id));
        assertThat(answers.get(2)).isInstanceOf(Accepted.class);
        assertThat(answers.get(3)).isEqualTo(new Replaced(id));
        TestNode node = trial().node();
        assertThat(node.drain(MAIL)).containsExactly("c", "e");
        trial().pass(QUIET);
        node.beat();
        assertThat(node.drain(MAIL)).containsExactly("d");
    }

    @Test
    default void theExpiryOfTheLastPushCounts() {
        JobId id = trial().push(quiet("a").expires(trial().in(Duration.ofMinutes(1))));
        trial().answer(quiet("b"));
        trial().pass(Duration.ofMinutes(1));
        trial().upkeep();
        assertThat(trial().answer(now("c").expires(trial().in(Duration.ofMinutes(1))))).isEqualTo(new Replaced(id));
        trial().pass(Duration.ofMinutes(1));
        trial().upkeep();
        trial().eventually(() -> assertThat(trial().view(id).state()).isEqualTo(JobState.CANCELLED));
        assertThat(trial().answer(now("d"))).isInstanceOf(Accepted.class);
    }

    @Test
    default void whatWasReplacedSurvivesTheDeathOfTheProcess() {
        JobId id = trial().push(quiet("a"));
        trial().answer(quiet("b"));
        trial().crash();
        JobView found = trial().view(id);
        assertThat(found.payload()).isNotNull();
        assertThat(found.payload().asText()).isEqualTo("b");
        assertThat(trial().answer(quiet("c"))).isEqualTo(new Replaced(id));
        trial().pass(QUIET);
        assertThat(trial().node().drain(MAIL)).containsExactly("c");
    }

    @Test
    default void aRepeatedRequestReplacesNothing() {
        JobId id = trial().push(now("a"));
        assertThat(trial().answer(now("b").idempotency("i", "r"))).isEqualTo(new Replaced(id));
        assertThat(trial().answer(now("c"))).isEqualTo(new Replaced(id));
        assertThat(trial().answer(now("b").idempotency("i", "r"))).isEqualTo(new Duplicate(id));
        assertThat(trial().node().drain(MAIL)).containsExactly("c");
    }

    @Test
    default void aJobThatIsPutOffIsCountedAsDelayed() {
        JobId id = trial().push(now("a"));
        trial().answer(quiet("b"));
        trial().eventually(() -> {
            QueueView queue = trial().view(MAIL);
            assertThat(List.of(queue.waiting(), queue.delayed())).containsExactly(0L, 1L);
            assertThat(trial().view(id).dueAt()).isNotNull();
        });
        trial().pass(QUIET);
        assertThat(trial().node().drain(MAIL)).containsExactly("b");
    }

    /** The last payload of each key runs, and none runs after a later one, while claims race with the pushes. */
    @Test
    default void noPayloadIsLostBetweenAPushAndAClaim() throws Exception {
        TestNode node = trial().node();
        int keys = 4;
        int last = 24;
        Map<String, List<Integer>> ran = new HashMap<>();
        try (ExecutorService pushers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> pushes = new ArrayList<>();
            for (int key = 0; key < keys; key++) {
                String name = "k" + key;
                pushes.add(pushers.submit(() -> {
                    for (int n = 0; n <= last; n++) {
                        trial().answer(mail(name + " " + n).debounce(name, null));
                    }
                }));
            }
            while (pushes.stream().anyMatch(push -> !push.isDone())) {
                run(node, ran);
            }
            for (Future<?> push : pushes) {
                push.get();
            }
        }
        while (run(node, ran)) {
            node.beat();
        }
        assertThat(ran).hasSize(keys);
        assertThat(ran.values()).allSatisfy(numbers -> {
            assertThat(numbers).doesNotHaveDuplicates().isSorted();
            assertThat(numbers.getLast()).isEqualTo(last);
        });
    }

    private static boolean run(TestNode node, Map<String, List<Integer>> ran) {
        List<ClaimedJob> claimed = node.take(MAIL, 3);
        for (ClaimedJob job : claimed) {
            String[] body = job.payload().asText().split(" ", 2);
            ran.computeIfAbsent(body[0], _ -> new ArrayList<>()).add(Integer.parseInt(body[1]));
        }
        node.done(claimed);
        return !claimed.isEmpty();
    }
}
