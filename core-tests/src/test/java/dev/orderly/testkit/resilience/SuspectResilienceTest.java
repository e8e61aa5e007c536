package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Processes that die again and again while many jobs run. */
class SuspectResilienceTest {
    private static final QueueOptions MANY = QueueOptions.STANDARD.withConcurrency(32);

    private final ManualNodes nodes = new ManualNodes();
    private int processes;

    @AfterEach
    void end() {
        nodes.close();
    }

    private int held(StandardQueue<String> queue) {
        return nodes.store.jobViews().list(queue.name(), JobState.RUNNING, null, 100).size();
    }

    private Orderly process() {
        return nodes.node("process-" + ++processes);
    }

    /** Kills as kill -9 does: nothing is settled or given back. */
    private void kill(Orderly process) {
        MemoryStore next = nodes.store.crash();
        process.stop();
        nodes.store = next;
    }

    @Test
    void threeKillsWhileTwentyJobsRunMakeNoDeadLetter() {
        List<JobId> ids = List.of();
        for (int kill = 1; kill <= 3; kill++) {
            Orderly process = process();
            StandardQueue<String> reports = process.queue("reports", String.class, _ -> MANY);
            AtomicInteger running = new AtomicInteger();
            process.handle(reports, (_, _) -> {
                running.incrementAndGet();
                new CountDownLatch(1).await();
            });
            ids = kill > 1 ? ids : reports.pushAll(IntStream.range(0, 20).mapToObj(n -> "r" + n).toList());
            process.start();
            int expected = kill == 1 ? 20 : 8;
            nodes.awaitTrue(() -> running.get() == expected && held(reports) == expected);
            kill(process);
        }
        Orderly last = process();
        AtomicInteger done = new AtomicInteger();
        last.handle(last.queue("reports", String.class, _ -> MANY), (_, _) -> done.incrementAndGet());
        last.start();
        ids.forEach(id -> nodes.awaitState(id, JobState.DONE));
        assertThat(done).hasValue(20);
    }

    @Test
    void aJobThatKillsItsProcessIsADeadLetterAfterThreeCrashesAloneAndTheOtherJobsAreDone() {
        Orderly first = process();
        StandardQueue<String> queue = first.queue("reports", String.class, _ -> MANY);
        List<JobId> ids = queue.pushAll(
                IntStream.range(0, 20).mapToObj(n -> n == 11 ? "poison" : "r" + n).toList());
        JobId poison = ids.get(11);
        Orderly process = first;
        int kills = 0;
        while (nodes.view(poison).state() != JobState.DEAD && kills < 6) {
            CountDownLatch poisoned = new CountDownLatch(1);
            List<String> running = new CopyOnWriteArrayList<>();
            boolean together = kills == 0;
            process.handle(process.queue("reports", String.class, _ -> MANY), (text, _) -> {
                running.add(text);
                if (text.equals("poison")) {
                    poisoned.countDown();
                }
                if (together || text.equals("poison")) {
                    new CountDownLatch(1).await();
                }
            });
            process.start();
            nodes.awaitTrue(() -> (poisoned.getCount() == 0 && (!together || running.size() == 20))
                    || nodes.view(poison).state() == JobState.DEAD);
            if (nodes.view(poison).state() != JobState.DEAD) {
                // One whose end is not durable yet would die beside it.
                nodes.awaitTrue(() -> together || running.stream().filter(text -> !text.equals("poison"))
                        .map(text -> ids.get(Integer.parseInt(text.substring(1))))
                        .allMatch(id -> nodes.view(id).state() == JobState.DONE));
                kill(process);
                kills++;
                process = process();
            }
        }
        assertThat(kills).as("once with all others, three times alone").isEqualTo(4);
        ids.stream().filter(id -> !id.equals(poison)).forEach(id -> nodes.awaitState(id, JobState.DONE));
        assertThat(nodes.view(poison).state()).isEqualTo(JobState.DEAD);
    }

    @Test
    void aSuspectRunsAloneOnItsNodeAndTheOtherJobsContinueAfterwards() {
        JobId suspect = null;
        for (int kill = 1; kill <= 2; kill++) {
            Orderly process = process();
            StandardQueue<String> queue = process.queue("reports", String.class, _ -> MANY);
            CountDownLatch inside = new CountDownLatch(1);
            process.handle(queue, (_, _) -> {
                inside.countDown();
                new CountDownLatch(1).await();
            });
            suspect = suspect == null ? queue.push("suspect") : suspect;
            process.start();
            nodes.awaitTrue(() -> inside.getCount() == 0);
            kill(process);
        }
        Orderly last = process();
        StandardQueue<String> queue = last.queue("reports", String.class, _ -> MANY);
        AtomicInteger beside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        last.handle(queue, (text, _) -> {
            if (text.equals("suspect")) {
                most.set(beside.get());
                inside.countDown();
                mayEnd.await();
            } else {
                most.accumulateAndGet(inside.getCount() == 0 && mayEnd.getCount() > 0 ? 1 : 0, Math::max);
                beside.incrementAndGet();
                beside.decrementAndGet();
            }
        });
        last.start();
        List<JobId> others = queue.pushAll(IntStream.range(0, 40).mapToObj(n -> "r" + n).toList());
        nodes.awaitTrue(() -> inside.getCount() == 0);
        JobId late = queue.push("late");
        for (int n = 0; n < 50; n++) {
            nodes.time.advance(Duration.ofMillis(50));
        }
        assertThat(nodes.view(late).state()).isEqualTo(JobState.WAITING);
        mayEnd.countDown();
        others.forEach(id -> nodes.awaitState(id, JobState.DONE));
        nodes.awaitState(late, JobState.DONE);
        assertThat(most).hasValue(0);
    }
}
