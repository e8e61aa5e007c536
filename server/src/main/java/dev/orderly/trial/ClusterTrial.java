package dev.orderly.trial;

import dev.orderly.time.Time;
import dev.orderly.trial.TrialResult.Disturbance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * One trial: clients push over all nodes, and repeat a push under its dedupe id until it is answered; commands disturb
 * the cluster at random moments; then everything has {@link #DRAIN} to end.
 */
public final class ClusterTrial {
    /** A lease, a start, and the retries of what failed meanwhile. */
    public static final Duration DRAIN = Duration.ofMinutes(2);

    private static final Duration COMMAND = Duration.ofMinutes(5);
    private static final Duration REPEAT = Duration.ofMillis(200);
    private static final int CLIENTS = 8;
    private static final int GROUPS = 20;
    /** One accepted push of so many is sent again: its answer must be the same job. */
    private static final int REPEAT_EACH = 20;

    private final TrialPlan plan;
    private final List<TrialNode> nodes;
    private final TrialSignatures signatures;
    private final RandomGenerator.SplittableGenerator random;
    private final Time time;
    private final String trial;
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final Set<Integer> accepted = ConcurrentHashMap.newKeySet();
    private final Set<Integer> ended = ConcurrentHashMap.newKeySet();
    private final Queue<Long> ends = new ConcurrentLinkedQueue<>();
    private final List<Disturbance> disturbances = new ArrayList<>();

    /** What a cluster holds of the trial's queues. */
    private record Held(long pending, long dead) {
        static final Held UNKNOWN = new Held(-1, -1);
    }

    /** @param trial its name, in which no other one's jobs have their dedupe ids */
    public ClusterTrial(TrialPlan plan, List<TrialNode> nodes, TrialSignatures signatures, String trial, Time time) {
        this.plan = plan;
        this.nodes = List.copyOf(nodes);
        this.signatures = signatures;
        this.random = new SplittableRandom(plan.seed());
        this.time = time;
        this.trial = trial;
    }

    /**
     * Runs it. Blocks for its length, and for at most {@link #DRAIN} and a command's end more.
     *
     * @throws IOException if its files exist or cannot be written, or its handler's address cannot be used
     */
    public TrialResult run() throws IOException {
        try (TrialHistory history = new TrialHistory(plan.history(), plan.edn(), time);
                TrialHandler _ = new TrialHandler(plan.listen(), new TrialHandler.Expected(trial, signatures),
                        history, this::ended, time);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            history.record("plan", Map.of("seed", plan.seed(), "signatures", signatures.isChecked()));
            long end = time.deadline(plan.length());
            long drained = time.deadline(plan.length().plus(DRAIN));
            List<Future<?>> clients = new ArrayList<>();
            for (int n = 0; n < CLIENTS; n++) {
                RandomGenerator own = random.split();
                clients.add(threads.submit(() -> push(history, own, end, drained)));
            }
            try {
                disturb(history, end);
                for (Future<?> client : clients) {
                    client.get();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            } finally {
                threads.shutdownNow();
            }
            Held held = drain(drained);
            history.record("drained", Map.of("pending", held.pending, "dead", held.dead));
            return new TrialResult(numbers.get(), accepted.size(), open(), failed.get(), held.pending, held.dead,
                    ends.stream().sorted().toList(), disturbances);
        }
    }

    private void ended(int number, boolean well, long micros) {
        if (well) {
            ended.add(number);
            ends.add(micros);
        } else {
            failed.incrementAndGet();
        }
    }

    private int open() {
        return (int) accepted.stream().filter(number -> !ended.contains(number)).count();
    }

    private void push(TrialHistory history, RandomGenerator own, long end, long last) {
        Duration pace = Duration.ofSeconds(CLIENTS).dividedBy(plan.rate());
        while (goesOn(end)) {
            long next = time.deadline(pace);
            int number = numbers.getAndIncrement();
            String group = own.nextInt(4) == 0 ? "" : "g" + own.nextInt(GROUPS);
            while (!push(history, number, group, nodes.get(own.nextInt(nodes.size()))) && goesOn(last)) {
                pause(time.deadline(REPEAT));
            }
            if (own.nextInt(REPEAT_EACH) == 0) {
                push(history, number, group, nodes.get(own.nextInt(nodes.size())));
            }
            pause(next);
        }
    }

    /** Whether the push was answered. Whatever else came back, the job may be there or not. */
    private boolean push(TrialHistory history, int number, String group, TrialNode node) {
        Map<String, String> query = new LinkedHashMap<>(Map.of("dedupe", trial + "-" + number, "dedupe-for", "1d"));
        if (!group.isEmpty()) {
            query.put("group", group);
        }
        history.record("push", Map.of("n", number, "group", group, "node", node.address()));
        try {
            String job = node.push(group.isEmpty() ? TrialPlan.STANDARD : TrialPlan.FIFO, query,
                    ("{\"trial\":\"" + trial + "\",\"n\":" + number + "}").getBytes(StandardCharsets.UTF_8))
                    .path("id").asString("");
            if (job.isEmpty()) {
                throw new NodeFailure(new IOException("The answer names no job"));
            }
            history.record("accepted", Map.of("n", number, "job", job));
            accepted.add(number);
            return true;
        } catch (NodeFailure e) {
            history.record("failed", Map.of("n", number, "reason", String.valueOf(e.getMessage())));
            return false;
        }
    }

    /** A failure of a node to answer. */
    public static class NodeFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        public NodeFailure(Throwable cause) {
            super(cause.getMessage(), cause);
        }
    }

    private void disturb(TrialHistory history, long end) {
        while (!plan.commands().isEmpty() && goesOn(end)) {
            long next = time
                    .deadline(plan.every().dividedBy(2).plusMillis(random.nextLong(plan.every().toMillis() + 1)));
            pause(next - end > 0 ? end : next);
            if (goesOn(end)) {
                String command = plan.commands().get(random.nextInt(plan.commands().size()));
                int id = disturbances.size() + 1;
                long from = history.record("disturb", Map.of("id", id, "command", command));
                int exit = ShellCommand.run(command, List.of(), plan.output(), COMMAND);
                long until = history.record("disturbed", Map.of("id", id, "exit", exit));
                disturbances.add(new Disturbance(command, from, until, exit));
            }
        }
    }

    private Held drain(long last) {
        Held held = held();
        while (goesOn(last) && (open() > 0 || held.pending != 0)) {
            pause(time.deadline(REPEAT));
            held = held();
        }
        return held;
    }

    private Held held() {
        Held held = Held.UNKNOWN;
        for (int n = 0; n < nodes.size() && held.equals(Held.UNKNOWN); n++) {
            held = held(nodes.get(n));
        }
        return held;
    }

    private static Held held(TrialNode node) {
        try {
            List<JsonNode> queues = Stream.of(TrialPlan.FIFO, TrialPlan.STANDARD).map(node::queue).toList();
            return new Held(queues.stream().mapToLong(ClusterTrial::pending).sum(),
                    queues.stream().mapToLong(queue -> queue.at("/jobs/dead").asLong()).sum());
        } catch (NodeFailure _) {
            return Held.UNKNOWN;
        }
    }

    /** Jobs of a queue, by the API's answer, that have not ended. */
    public static long pending(JsonNode queue) {
        return Stream.of("waiting", "delayed", "running", "leased").mapToLong(each -> queue.path("jobs").path(each)
                .asLong(0)).sum();
    }

    private boolean goesOn(long deadline) {
        return !time.reached(deadline) && !Thread.currentThread().isInterrupted();
    }

    private void pause(long deadline) {
        while (goesOn(deadline)) {
            time.park(deadline);
        }
    }
}
