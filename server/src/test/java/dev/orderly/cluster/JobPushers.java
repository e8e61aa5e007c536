package dev.orderly.cluster;

import dev.orderly.Orderly;
import dev.orderly.flow.TokenBucket;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Nodes that only push, each on a thread of its own, at a steady pace: single jobs and in bulk, half into the standard
 * queue and half into groups that all of them push to, and some into a queue with limits and keys. Each numbers its
 * jobs upwards. A push without an answer is repeated under the same dedupe id until it is answered.
 */
final class JobPushers implements AutoCloseable {
    private static final int GROUPS = 300;
    private static final int BULK = 60;
    /** One job of so many is pushed into the queue with limits. */
    private static final int LIMITED_EACH = 12;
    private static final Duration OUTAGE = Duration.ofMinutes(1);

    private final List<Orderly> nodes = new ArrayList<>();
    private final Set<String> pushed = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> running = new ArrayList<>();
    private final AtomicLong slowest = new AtomicLong();
    private final Time time = Time.system();

    JobPushers(String url, int pushers) {
        for (int n = 0; n < pushers; n++) {
            nodes.add(JobNode.open(PostgresStore.at(url)));
        }
    }

    /** Starts pushing; {@code jobs} is the number of jobs of all pushers together. */
    void start(int jobs, int perSecond, long seed) {
        int each = jobs / nodes.size();
        for (int n = 0; n < nodes.size(); n++) {
            Pusher pusher = new Pusher(nodes.get(n), "p" + n, new Random(seed + n));
            TokenBucket pace = new TokenBucket(
                    TokenBucket.Pace.of(time, perSecond / nodes.size(), Duration.ofSeconds(1), BULK));
            running.add(threads.submit(() -> pusher.push(each, pace)));
        }
    }

    /** The ids of accepted pushes. */
    Set<String> pushed() {
        return Set.copyOf(pushed);
    }

    /** The longest time from a push to its answer. */
    Duration slowest() {
        return Duration.ofNanos(slowest.get());
    }

    /** One of the nodes, for queries to the store. */
    Orderly node() {
        return nodes.getFirst();
    }

    /** Waits until all jobs are pushed; throws the error that stopped a pusher. */
    void finish(Duration patience) throws Exception {
        for (Future<?> each : running) {
            each.get(patience.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        nodes.forEach(Orderly::close);
    }

    private final class Pusher {
        private final Orderly orderly;
        private final JobQueue<String> standard;
        private final JobQueue<String> fifo;
        private final JobQueue<String> limited;
        private final String name;
        private final Random random;

        Pusher(Orderly orderly, String name, Random random) {
            this.orderly = orderly;
            this.standard = JobNode.standard(orderly);
            this.fifo = JobNode.fifo(orderly);
            this.limited = JobNode.limited(orderly);
            this.name = name;
            this.random = random;
        }

        void push(int jobs, TokenBucket pace) {
            int number = 0;
            while (number < jobs && !Thread.currentThread().isInterrupted()) {
                int count = random.nextInt(4) == 0 ? Math.min(jobs - number, 2 + random.nextInt(BULK - 2)) : 1;
                List<PushRequest> burst = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    while (!pace.take() && !Thread.currentThread().isInterrupted()) {
                        time.park(time.deadline(Duration.ofMillis(5)));
                    }
                    burst.add(request(number++));
                }
                push(burst);
            }
        }

        private PushRequest request(int number) {
            if (random.nextInt(LIMITED_EACH) == 0) {
                String payload = JobNode.LIMITED_PUSHER + name + " " + number;
                return orderly.jobs().request(limited, payload).withDedupeId(payload);
            }
            String payload = name + " " + number;
            return random.nextBoolean()
                    ? orderly.jobs().request(standard, payload).withDedupeId(payload)
                    : orderly.jobs().request(fifo, payload).withGroup("g" + random.nextInt(GROUPS));
        }

        private void push(List<PushRequest> burst) {
            long began = time.nanos();
            long deadline = time.deadline(OUTAGE);
            while (!isPushed(burst)) {
                if (time.reached(deadline)) {
                    throw new AssertionError("The store has taken no push for " + OUTAGE);
                }
                time.park(time.deadline(Duration.ofMillis(100)));
            }
            slowest.accumulateAndGet(time.nanos() - began, Math::max);
        }

        private boolean isPushed(List<PushRequest> burst) {
            try {
                orderly.jobs().pushAll(burst).stream().map(Pusher::id).map(JobId::toString).forEach(pushed::add);
                return true;
            } catch (StoreException.Unavailable | StoreException.OutcomeUnknown _) {
                return false;
            }
        }

        private static JobId id(PushResult result) {
            return switch (result) {
                case PushResult.Accepted(JobId id, boolean _) -> id;
                case PushResult.Duplicate(JobId id) -> id;
                case PushResult.Replaced(JobId id) -> id;
                case PushResult.DebounceReused reused -> throw new AssertionError(reused);
                case PushResult.DedupeReused reused -> throw new AssertionError(reused);
                case PushResult.KeyReused reused -> throw new AssertionError(reused);
            };
        }
    }
}
