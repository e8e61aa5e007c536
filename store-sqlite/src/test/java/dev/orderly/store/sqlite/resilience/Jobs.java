package dev.orderly.store.sqlite.resilience;

import dev.orderly.Store;
import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Pushes, claims and settlements on a store that may fail, with the acknowledged jobs. */
final class Jobs {
    static final QueueName MAIL = new QueueName("mail");
    static final QueueName ORDERS = new QueueName("orders.fifo");
    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final NodeId NODE = new NodeId("node");

    final List<JobId> acknowledged = new ArrayList<>();
    private final Store store;

    Jobs(Store store) {
        this.store = store;
        store.jobs().beat(NODE);
    }

    JobId push(QueueName queue) {
        return push(queue, 1);
    }

    /** @param bytes size of the payload */
    JobId push(QueueName queue, int bytes) {
        NewJob job = new NewJob(queue, queue.isFifo() ? "g" : null, Priority.NORMAL, null,
                Payload.text("x".repeat(bytes)), Map.of(), null, null, null);
        JobId id = store.jobs().push(List.of(job), NOW).getFirst().id();
        acknowledged.add(id);
        return id;
    }

    List<ClaimedJob> claim(QueueName queue, int limit) {
        return store.jobs().claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(queue, limit))), NOW).jobs();
    }

    List<SettleResult> done(List<ClaimedJob> jobs) {
        return store.jobs().settle(
                jobs.stream().map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(),
                NOW);
    }

    /** The exception of a call; null if it succeeds. */
    static @Nullable StoreException failure(Runnable call) {
        try {
            call.run();
            return null;
        } catch (StoreException e) {
            return e;
        }
    }

    /** Repeats the call until it succeeds: the store recovers within seconds. */
    static void eventually(Runnable call) {
        Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(50)).atMost(Duration.ofSeconds(60))
                .until(() -> failure(call) == null);
    }
}
