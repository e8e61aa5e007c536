package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs with payloads of the maximum size. */
class ClaimedBytesResilienceTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int SIZE = 250_000;
    private static final int BOUND = 1 << 20;

    private final Semaphore mayEnd = new Semaphore(0);
    private final Orderly orderly = Orderly.open(new MemoryStore(),
            EngineOptions.defaults().withStopGrace(Duration.ZERO).withClaimBytes(BOUND));

    @AfterEach
    void end() {
        mayEnd.release(1_000);
        orderly.close();
    }

    private long running(String queue) {
        return orderly.jobs().list(new QueueName(queue), JobState.RUNNING, null, 1_000).size();
    }

    private boolean done(List<JobId> jobs) {
        return jobs.stream().allMatch(id -> orderly.jobs().find(id).orElseThrow().state() == JobState.DONE);
    }

    @Test
    void aNodeHoldsNoMorePayloadThanItsLimitAndAllGroupsAreDoneInOrder() {
        FifoQueue<byte[]> queue = orderly.fifo("large.fifo", byte[].class);
        List<Integer> order = new CopyOnWriteArrayList<>();
        orderly.handle(queue, (bytes, job) -> {
            mayEnd.acquire();
            if (job.groupId().orElseThrow().equals("g0")) {
                order.add((int) bytes[0]);
            }
        });
        List<JobId> jobs = IntStream.range(0, 60).mapToObj(n -> {
            byte[] payload = new byte[SIZE];
            payload[0] = (byte) n;
            return queue.group("g" + n % 6).push(payload);
        }).toList();
        orderly.start();
        await().atMost(LONG).until(() -> running("large.fifo") >= BOUND / SIZE);
        await().during(Duration.ofMillis(300)).atMost(LONG)
                .until(() -> running("large.fifo") * SIZE <= BOUND + SIZE);
        mayEnd.release(jobs.size());
        await().atMost(LONG).until(() -> done(jobs));
        assertThat(order).hasSize(10).isSorted();
    }

    @Test
    void smallJobsOfOtherQueuesContinueOnceThereIsRoom() {
        StandardQueue<byte[]> large = orderly.queue("large", byte[].class);
        StandardQueue<byte[]> small = orderly.queue("small", byte[].class);
        orderly.handle(large, (_, _) -> mayEnd.acquire());
        orderly.handle(small, (_, _) -> {});
        List<JobId> heavy = IntStream.range(0, 10).mapToObj(_ -> large.push(new byte[SIZE])).toList();
        orderly.start();
        await().atMost(LONG).until(() -> running("large") >= BOUND / SIZE);
        JobId light = small.push(new byte[10]);
        mayEnd.release(2);
        await().atMost(LONG).until(() -> done(List.of(light)));
        mayEnd.release(8);
        await().atMost(LONG).until(() -> done(heavy));
    }
}
