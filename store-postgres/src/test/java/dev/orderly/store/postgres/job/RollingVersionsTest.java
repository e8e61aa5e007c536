package dev.orderly.store.postgres.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobAttempt.End;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.payload.PayloadChanges;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.postgres.Server;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Three nodes whose versions of an application roll forth and back under load. The new version renames a field, adds a
 * required one, and has a kind that the old one does not know. {@code -Dorderly.rolling.seconds} sets the time.
 */
class RollingVersionsTest {
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("orderly.rolling.seconds", 4));
    private static final QueueName EVENTS = new QueueName("events.fifo");
    private static final int NODES = 3;
    private static final int GROUPS = 8;

    private final PostgresOptions options = Server.fresh();
    private final Random random = new Random(7);
    private final AtomicReferenceArray<Node> nodes = new AtomicReferenceArray<>(NODES);
    private final Map<String, List<Integer>> pushed = new ConcurrentHashMap<>();
    private final Map<String, List<Integer>> ran = new ConcurrentHashMap<>();
    private final List<ReadWriteLock> locks = List.of(new ReentrantReadWriteLock(), new ReentrantReadWriteLock(),
            new ReentrantReadWriteLock());
    private final AtomicBoolean over = new AtomicBoolean();

    /** The old version. */
    sealed interface Event1 permits Placed1 {}

    record Placed1(String group, int number, String text) implements Event1 {}

    /** The new version. */
    sealed interface Event2 permits Placed2, Paid2 {}

    record Placed2(String group, int number, String title, int cents) implements Event2 {}

    record Paid2(String group, int number) implements Event2 {}

    /** A process of one version. */
    private interface Node {
        Orderly orderly();

        /** Pushes an event of a group. */
        void push(String group, int number);
    }

    @AfterEach
    void close() {
        for (int n = 0; n < NODES; n++) {
            stop(n);
        }
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void noJobDiesAndEveryGroupKeepsItsOrderWhileVersionsRollForthAndBack() throws Exception {
        for (int n = 0; n < NODES; n++) {
            nodes.set(n, start(n != 0));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> pushers = new ArrayList<>();
            for (int g = 0; g < GROUPS; g++) {
                String group = "g" + g;
                pushers.add(threads.submit(() -> pushAll(group)));
            }
            roll();
            over.set(true);
            for (Future<?> each : pushers) {
                each.get();
            }
        }
        stop(0);
        nodes.set(0, start(false)); // the new version is the last to be rolled out
        Orderly orderly = Objects.requireNonNull(nodes.get(0)).orderly();
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(unfinished(orderly)).isEmpty());
        assertThat(orderly.jobs().queues()).allSatisfy(queue -> assertThat(queue.view().dead()).isZero());
        pushed.forEach((group, numbers) -> {
            assertThat(numbers).as("pushes of " + group).hasSizeGreaterThan(10);
            assertThat(withoutRepeats(ran.getOrDefault(group, List.of()))).as(group)
                    .isSortedAccordingTo(Integer::compare).doesNotHaveDuplicates().containsAll(numbers);
        });
        assertThat(orderly.jobs().list(EVENTS, JobState.DONE, null, 1_000)).as("jobs that a node could not read")
                .anyMatch(job -> orderly.jobs().attempts(job.id()).stream()
                        .anyMatch(each -> each.end() == End.UNREADABLE));
    }

    /** A job that was interrupted runs again, before any later job of its group. */
    private static List<Integer> withoutRepeats(List<Integer> runs) {
        List<Integer> once = new ArrayList<>();
        for (int number : runs) {
            if (once.isEmpty() || once.getLast() != number) {
                once.add(number);
            }
        }
        return once;
    }

    private static List<String> unfinished(Orderly orderly) {
        return Stream.of(JobState.RUNNING, JobState.DELAYED, JobState.WAITING)
                .flatMap(state -> orderly.jobs().list(EVENTS, state, null, 10).stream())
                .map(job -> job + " " + orderly.why(job.id()) + " " + orderly.jobs().attempts(job.id())).toList();
    }

    private void roll() {
        Time time = Time.system();
        long end = time.deadline(TIME);
        boolean forth = false;
        for (int step = 0; !time.reached(end); step++) {
            int slot = step % NODES;
            forth = slot == 0 ? !forth : forth;
            stop(slot);
            nodes.set(slot, start(!forth));
            time.park(time.deadline(Duration.ofMillis(100 + random.nextInt(200))));
        }
    }

    private void stop(int slot) {
        Node node;
        locks.get(slot).writeLock().lock();
        try {
            node = nodes.getAndSet(slot, null);
        } finally {
            locks.get(slot).writeLock().unlock();
        }
        if (node != null) {
            node.orderly().close();
        }
    }

    private void pushAll(String group) {
        Time time = Time.system();
        for (int number = 0; !over.get(); number++) {
            int slot = number % NODES;
            locks.get(slot).readLock().lock();
            try {
                Node node = nodes.get(slot);
                if (node != null) {
                    node.push(group, number);
                    pushed.computeIfAbsent(group, _ -> new CopyOnWriteArrayList<>()).add(number);
                }
            } finally {
                locks.get(slot).readLock().unlock();
            }
            time.park(time.deadline(Duration.ofMillis(3)));
        }
    }

    private Node start(boolean old) {
        Orderly orderly = Orderly.open(PostgresStore.open(options), EngineOptions.defaults());
        return old ? oldNode(orderly) : newNode(orderly);
    }

    private void ran(String group, int number) {
        ran.computeIfAbsent(group, _ -> new CopyOnWriteArrayList<>()).add(number);
    }

    private Node oldNode(Orderly orderly) {
        FifoQueue<Event1> events = orderly.fifo(EVENTS.value(),
                PayloadTypes.of(Event1.class).kind("placed", Placed1.class));
        orderly.handle(events, (event, _) -> {
            Placed1 placed = (Placed1) event;
            ran(placed.group, placed.number);
        });
        orderly.start();
        return new Node() {
            @Override
            public Orderly orderly() {
                return orderly;
            }

            @Override
            public void push(String group, int number) {
                events.group(group).push(new Placed1(group, number, "old"));
            }
        };
    }

    private Node newNode(Orderly orderly) {
        FifoQueue<Event2> events = orderly.fifo(EVENTS.value(), PayloadTypes.of(Event2.class)
                .kind("placed", Placed2.class, PayloadChanges.NONE.rename("text", "title").byDefault("cents", 0))
                .kind("paid", Paid2.class));
        orderly.handle(events, (event, _) -> {
            switch (event) {
                case Placed2 placed -> ran(placed.group, placed.number);
                case Paid2 paid -> ran(paid.group, paid.number);
            }
        });
        orderly.start();
        return new Node() {
            @Override
            public Orderly orderly() {
                return orderly;
            }

            @Override
            public void push(String group, int number) {
                events.group(group).push(number % 2 == 0
                        ? new Placed2(group, number, "new", number)
                        : new Paid2(group, number));
            }
        };
    }
}
