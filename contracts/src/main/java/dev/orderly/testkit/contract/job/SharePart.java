package dev.orderly.testkit.contract.job;

import static dev.orderly.testkit.contract.job.JobDraft.MAIL;
import static dev.orderly.testkit.contract.job.JobDraft.mail;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.Limit;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.LimitView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The share of the slots of its queue's limit that a key has at most while a job of another key could start. */
public interface SharePart extends JobPart {
    private void share(Limit each, int slots) {
        KeyPart.declare(trial(), Optional.of(each), Optional.of(Limit.concurrency(slots)));
    }

    private void push(String key, int jobs) {
        trial().pushAll(IntStream.range(0, jobs).mapToObj(n -> mail(key + n).key(key)).toList());
    }

    private static Map<String, Long> counts(List<ClaimedJob> jobs) {
        return jobs.stream()
                .collect(
                        Collectors.groupingBy(job -> Objects.requireNonNull(job.terms().key()), Collectors.counting()));
    }

    private List<ClaimedJob> busy(TestNode node, String key, int jobs) {
        push(key, jobs);
        return new ArrayList<>(KeyPart.take(node, jobs));
    }

    @Test
    default void aKeyAloneHasAllSlots() {
        share(Limit.ofShare(50), 10);
        push("a", 20);
        TestNode node = trial().node();
        assertThat(KeyPart.take(node, 4)).hasSize(4);
        assertThat(KeyPart.take(node, 20)).hasSize(6);
    }

    @Test
    default void whatOthersCanUseIsTheirsBeforeAKeyHasMoreThanItsShare() {
        share(Limit.ofShare(50), 10);
        TestNode node = trial().node();
        List<ClaimedJob> busy = busy(node, "a", 5);
        push("a", 10);
        push("b", 3);
        push("c", 1);
        assertThat(counts(KeyPart.take(node, 4))).as("a has its share").isEqualTo(Map.of("b", 3L, "c", 1L));
        assertThat(counts(KeyPart.take(node, 10))).as("nobody else waits").isEqualTo(Map.of("a", 1L));
        node.done(busy);
        push("b", 10);
        assertThat(counts(KeyPart.take(node, 10))).as("a has one slot").containsKey("b")
                .satisfies(jobs -> assertThat(jobs.values()).allSatisfy(each -> assertThat(each).isLessThan(5)));
    }

    @Test
    default void aKeyThatHasMoreThanItsShareGetsNothingWhileAnotherWaits() {
        share(Limit.ofShare(30), 10);
        TestNode node = trial().node();
        List<ClaimedJob> busy = busy(node, "a", 10);
        push("a", 10);
        push("b", 10);
        for (int slot = 0; slot < 3; slot++) {
            node.done(busy.removeFirst());
            assertThat(counts(KeyPart.take(node, 10))).as("slot %s", slot).isEqualTo(Map.of("b", 1L));
        }
    }

    @Test
    default void aShareIsOneSlotAtLeastAndRoundedDown() {
        share(Limit.ofShare(1), 3);
        push("a", 3);
        push("b", 3);
        push("c", 3);
        TestNode node = trial().node();
        assertThat(counts(KeyPart.take(node, 10))).isEqualTo(Map.of("a", 1L, "b", 1L, "c", 1L));
    }

    @Test
    default void aKeyThatIsFullOrPausedIsNoneThatCouldUseASlot() {
        share(Limit.concurrency(2).share(50), 4);
        TestNode node = trial().node();
        busy(node, "b", 2);
        push("b", 5);
        push("a", 5);
        assertThat(counts(KeyPart.take(node, 10))).isEqualTo(Map.of("a", 2L));
        share(Limit.concurrency(4).share(25), 8);
        trial().jobs().set(MAIL, "b", trial().views().keys(MAIL, "b", 1).getFirst().settings(),
                trial().views().keys(MAIL, "b", 1).getFirst().settings().withPaused(true));
        assertThat(counts(KeyPart.take(node, 10))).isEqualTo(Map.of("a", 2L));
    }

    @Test
    default void aShareFollowsTheLimitOfTheQueue() {
        share(Limit.ofShare(50), 4);
        TestNode node = trial().node();
        push("a", 20);
        push("b", 20);
        assertThat(counts(KeyPart.take(node, 10))).isEqualTo(Map.of("a", 2L, "b", 2L));
        share(Limit.ofShare(50), 8);
        assertThat(counts(KeyPart.take(node, 10))).isEqualTo(Map.of("a", 2L, "b", 2L));
        share(Limit.ofShare(75), 12);
        assertThat(counts(KeyPart.take(node, 10)).values().stream().mapToLong(each -> each).sum()).isEqualTo(4);
    }

    @Test
    default void aShareOutlivesTheProcess() {
        share(Limit.ofShare(50), 4);
        push("a", 4);
        push("b", 1);
        trial().crash();
        assertThat(LimitView.ofKeys(MAIL, trial().views().limits()).map(LimitView::limit)).contains(Limit.ofShare(50));
        TestNode node = trial().node();
        List<ClaimedJob> jobs = KeyPart.take(node, 10);
        assertThat(counts(jobs)).isEqualTo(Map.of("a", 3L, "b", 1L));
    }

    @Test
    default void keysOfRandomCommandsHaveTheirShareAndAllSlotsAreUsed() {
        Random random = new Random(7);
        share(Limit.ofShare(40), 10);
        TestNode node = trial().node();
        List<ClaimedJob> running = new ArrayList<>();
        for (int step = 0; step < 200; step++) {
            push(KeyPart.KEYS.get(random.nextInt(KeyPart.KEYS.size())), 1 + random.nextInt(3));
            Map<String, Long> before = counts(running);
            List<ClaimedJob> got = KeyPart.take(node, 100);
            running.addAll(got);
            Map<String, Long> after = counts(running);
            Map<String, Integer> waiting = trial().views().pending(MAIL, Set.copyOf(KeyPart.KEYS), 1_000);
            assertThat(running.size()).as("slots in use").isEqualTo(waiting.isEmpty() ? running.size() : 10);
            boolean deprived = waiting.keySet().stream().anyMatch(key -> after.getOrDefault(key, 0L) < 4);
            after.forEach((key, jobs) -> assertThat(deprived && jobs > 4 && jobs > before.getOrDefault(key, 0L))
                    .as("key %s has %s, of %s", key, jobs, after).isFalse());
            while (!running.isEmpty() && random.nextInt(3) > 0) {
                node.done(running.remove(random.nextInt(running.size())));
            }
        }
    }
}
