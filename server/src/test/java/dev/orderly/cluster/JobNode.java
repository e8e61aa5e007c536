package dev.orderly.cluster;

import dev.orderly.ForwardingStore;
import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.KeyRule;
import dev.orderly.job.Limit;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * A node whose handlers record the start and the end of each attempt, and the store's answer to each ending. It stops
 * gracefully on SIGTERM.
 *
 * <p>A payload is {@code PUSHER NUMBER}. Some attempts fail, by a chance that depends on seed, payload and attempt
 * only, and jobs of certain numbers always fail.
 */
final class JobNode {
    static final String STANDARD = "work";
    static final String FIFO = "work.fifo";
    static final String LIMITED = "work-limited";
    /** Names of pushers into the limited queue begin so. */
    static final String LIMITED_PUSHER = "limited-";
    static final Limit LIMIT = Limit.concurrency(6).rate(80, Duration.ofSeconds(2));
    static final Limit PER_KEY = Limit.concurrency(2).rate(20, Duration.ofSeconds(2));
    private static final int KEYS = 5;
    static final int ATTEMPTS = 5;
    private static final int DOOMED = 400;
    private static final int LONGEST_MILLIS = 5;
    /** Of the limited queue, whose slots are to be full at times. */
    private static final int LONGEST_LIMITED_MILLIS = 200;
    private static final double FAILS = 0.05;
    private static final RetryPolicy RETRY = new RetryPolicy(ATTEMPTS, Duration.ofMillis(50), 2,
            Duration.ofMillis(500), 0.25);

    private final NodeLog log;
    private final long seed;
    private final Time time = Time.system();

    private JobNode(NodeLog log, long seed) {
        this.log = log;
        this.seed = seed;
    }

    /** @param args log, JDBC URL, seed */
    public static void main(String[] args) throws IOException {
        NodeLog log = new NodeLog(Path.of(args[0]));
        JobNode node = new JobNode(log, Long.parseLong(args[2]));
        Orderly orderly = open(node.noted(PostgresStore.at(args[1])));
        orderly.handle(standard(orderly), node::run);
        orderly.handle(fifo(orderly), node::run);
        orderly.handle(limited(orderly), node::run);
        orderly.start();
        Runtime.getRuntime().addShutdownHook(new Thread(orderly::close));
        log.write("ready", Time.system().nanos());
        NodeLog.awaitParent();
    }

    /** Opens the store with retention long enough that no job is pruned before it was checked. */
    static Orderly open(Store store) {
        return Orderly.open(store, EngineOptions.defaults()
                .withKeep(new UpkeepRequest.Retention(Duration.ofDays(1), 10_000_000, Duration.ofDays(1))));
    }

    static StandardQueue<String> standard(Orderly orderly) {
        return orderly.queue(STANDARD, String.class, o -> o.withRetry(RETRY).withConcurrency(16));
    }

    static FifoQueue<String> fifo(Orderly orderly) {
        return orderly.fifo(FIFO, String.class, o -> o.withRetry(RETRY).withConcurrency(16));
    }

    /** A queue with limits over all nodes, whose keys are told by numbers. */
    static StandardQueue<String> limited(Orderly orderly) {
        return orderly.queue(LIMITED, String.class, o -> o.withRetry(RETRY).withConcurrency(16).withLimit(LIMIT)
                .withKey(KeyRule.by((String payload) -> key(Integer.parseInt(payload.split(" ", 2)[1]))))
                .withPerKey(PER_KEY));
    }

    static String key(int number) {
        return "key" + number % KEYS;
    }

    /** Whether the job of this number fails until its attempts are spent. */
    static boolean isDoomed(int number) {
        return number % DOOMED == DOOMED - 1;
    }

    private void run(String payload, Job<?> job) throws InterruptedException {
        String[] words = payload.split(" ", 2);
        log.write("start", time.nanos(), job.id(), job.attempt(), job.groupId().orElse("-"), job.sequenceNumber(),
                words[0], words[1]);
        String end = "interrupted";
        try {
            Random random = new Random(seed ^ payload.hashCode() * 31L + job.attempt());
            boolean limited = words[0].startsWith(LIMITED_PUSHER);
            pause(Duration.ofMillis(random.nextInt((limited ? LONGEST_LIMITED_MILLIS : LONGEST_MILLIS) + 1)));
            boolean fails = isDoomed(Integer.parseInt(words[1])) || random.nextDouble() < FAILS;
            end = fails ? "failed" : "ok";
            if (fails) {
                throw new IllegalStateException("Fails by plan");
            }
        } finally {
            log.write("end", time.nanos(), job.id(), job.attempt(), end);
        }
    }

    private void pause(Duration length) throws InterruptedException {
        long deadline = time.deadline(length);
        while (!time.reached(deadline)) {
            time.park(deadline);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** The store, with its answers to endings recorded after each answer. */
    private Store noted(Store store) {
        JobStore jobs = store.jobs();
        JobStore noted = (JobStore) Proxy.newProxyInstance(JobStore.class.getClassLoader(),
                new Class<?>[]{JobStore.class}, (_, method, arguments) -> {
                    try {
                        Object answer = method.invoke(jobs, arguments);
                        if (method.getName().equals("settle")) {
                            note((List<?>) arguments[0], (List<?>) answer);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new ForwardingStore(store) {
            @Override
            public JobStore jobs() {
                return noted;
            }
        };
    }

    private void note(List<?> settlements, List<?> results) {
        for (int i = 0; i < results.size(); i++) {
            Settlement settlement = (Settlement) settlements.get(i);
            log.write("settled", time.nanos(), settlement.attempt().id(), settlement.attempt().number(),
                    settlement.outcome().getClass().getSimpleName(),
                    results.get(i) == SettleResult.ACCEPTED ? "accepted" : "late");
        }
    }
}
