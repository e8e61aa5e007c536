package dev.orderly.testkit;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.limit.LimitTable;
import dev.orderly.job.limit.StartAllowance;
import dev.orderly.job.store.JobSequence;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.NodeLiveness;
import dev.orderly.store.StoreException;
import dev.orderly.time.StoredTime;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The data of the memory store, behind one lock: work inside {@link #locked} is atomic. */
final class MemoryTable {
    private static final long SALT = 0x0DE51;

    /** Done and cancelled jobs, the earliest end first. */
    final TreeSet<MemoryJob> finished = new TreeSet<>(MemoryJob.BY_END);
    /** Dead letters, the earliest death first. */
    final TreeSet<MemoryJob> deadLetters = new TreeSet<>(MemoryJob.BY_END);
    final Map<NodeId, MemoryNode> nodes = new HashMap<>();
    /** Dead nodes whose jobs have not all been given back. */
    final Set<MemoryNode> fallen = new LinkedHashSet<>();
    final MemoryKeys keys;
    final StoredTime time;
    final LimitTable limits = new LimitTable();
    final MemoryBatches.Table batches;
    final NodeLiveness liveness;
    private final Time clock;
    private final Time leaseClock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<JobId, MemoryJob> jobs = new HashMap<>();
    private final Map<QueueName, MemoryQueue> queues = new TreeMap<>();
    private final JobSequence sequence;
    private boolean closed;

    /** @param clock clock for the liveness of nodes; only its monotonic part is used */
    MemoryTable(Time clock) {
        this(clock, new MemoryKeys(), new JobSequence(0), new StoredTime(Instant.EPOCH), new MemoryBatches.Table());
    }

    private MemoryTable(Time clock, MemoryKeys keys, JobSequence sequence, StoredTime time,
            MemoryBatches.Table batches) {
        this.clock = clock;
        this.leaseClock = Time.steady(clock, Instant.MIN);
        this.liveness = new NodeLiveness(clock);
        this.keys = keys;
        this.time = time;
        this.sequence = sequence;
        this.batches = batches;
    }

    /** The present, by the store's clock, for leases. */
    Instant leaseNow() {
        return leaseClock.now();
    }

    <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            if (closed) {
                throw new StoreException.Unavailable("The memory store is closed", null);
            }
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Closes this table, and returns the data that another process finds: the durable part, with claims of dead nodes.
     */
    MemoryTable survivors() {
        lock.lock();
        try {
            closed = true;
            MemoryTable next = new MemoryTable(clock, keys, sequence, time, batches);
            queues.values().forEach(queue -> next.queues.put(queue.name, queue.emptied()));
            next.limits.restore(limits);
            next.fallen.addAll(fallen);
            nodes.values().stream().filter(node -> !node.dead && !node.running.isEmpty()).forEach(node -> {
                node.die();
                next.fallen.add(node);
            });
            new TreeMap<>(jobs).values().forEach(job -> {
                job.progress = null;
                next.enter(job);
            });
            return next;
        } finally {
            lock.unlock();
        }
    }

    MemoryJob insert(NewJob pushed, Instant now) {
        MemoryJob job = new MemoryJob(JobId.of(sequence.next(now), SALT), pushed, now);
        enter(job);
        batches.pushed(job);
        return job;
    }

    @Nullable
    MemoryJob find(JobId id) {
        return jobs.get(id);
    }

    MemoryQueue queue(QueueName name) {
        return queues.computeIfAbsent(name, fresh -> new MemoryQueue(fresh, () -> leaseNow().toEpochMilli()));
    }

    Collection<MemoryJob> jobs() {
        return jobs.values();
    }

    Collection<MemoryQueue> queues() {
        return queues.values();
    }

    /** What the limit of a queue lets start now. */
    StartAllowance room(QueueName queue) {
        return limits.room(queue, this::running, leaseNow().toEpochMilli());
    }

    /** Puts the limits of keys and groups in force. */
    void limitKeys() {
        queues.values().forEach(queue -> queue.limitKeys(limits.ofKeys(queue.name)));
    }

    int running(QueueName queue) {
        return queue(queue).in(JobState.RUNNING).size();
    }

    Set<QueueName> paused() {
        return queues.values().stream().filter(queue -> queue.paused).map(queue -> queue.name)
                .collect(Collectors.toSet());
    }

    /** The only way to change a job: removes it from every index, changes it, and adds it again. */
    void change(MemoryJob job, Consumer<MemoryJob> change) {
        JobState before = job.state;
        leave(job);
        change.accept(job);
        enter(job);
        batches.changed(job, before);
    }

    void remove(MemoryJob job) {
        leave(job);
        jobs.remove(job.id);
    }

    private void enter(MemoryJob job) {
        jobs.put(job.id, job);
        queue(job.pushed.queue()).enter(job);
        if (job.finished()) {
            finished.add(job);
        } else if (job.state == JobState.DEAD) {
            deadLetters.add(job);
        }
    }

    private void leave(MemoryJob job) {
        queue(job.pushed.queue()).leave(job);
        if (job.finished()) {
            finished.remove(job);
        } else if (job.state == JobState.DEAD) {
            deadLetters.remove(job);
        }
    }
}
