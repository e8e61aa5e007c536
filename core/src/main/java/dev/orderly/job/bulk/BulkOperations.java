package dev.orderly.job.bulk;

import dev.orderly.OrderlyException;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.JobId;
import dev.orderly.job.bulk.BulkRequest.Selection;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bulk operations of one node. Each runs on a thread of its own, in parts of {@value BulkRun#PART} jobs with a
 * pause after each that is as long as the part took, so that the work of others goes on. An operation changes the jobs
 * that its search finds at their turn, newest first; jobs pushed after its start, and dead letters that die again, are
 * left out. It lives on its node: it stops when the node stops, and says how far it came. Thread-safe.
 */
public final class BulkOperations {
    /** The largest number of operations that run on a node together. */
    public static final int RUNNING_MAX = 4;
    /** The largest number of jobs that a count finds. */
    public static final int COUNT_MAX = 100_000;
    private static final int COUNT_LOOKED_MAX = 10 * JobFinder.LOOKED_MAX;
    private static final int REMEMBERED = 100;
    private static final Duration CLOSING = Duration.ofSeconds(20);

    private final JobClient jobs;
    private final JobFinder finder;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<UUID, BulkRun> runs = new LinkedHashMap<>();
    private boolean closed;

    /** @param lifecycle its end stops all operations and waits for their parts under way, at most 20 seconds */
    public BulkOperations(JobClient jobs, JobFinder finder, Time time, Lifecycle lifecycle) {
        Objects.requireNonNull(finder, "finder");
        Objects.requireNonNull(jobs, "jobs");
        Objects.requireNonNull(time, "time");
        this.jobs = jobs;
        this.finder = finder;
        this.time = time;
        lifecycle.of(() -> {}, this::end);
    }

    /** Too many operations run on this node, or it stops. */
    public static final class RefusedException extends OrderlyException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message, false);
        }
    }

    /** The number of jobs that an operation would change now: a bounded count, and no change. Blocks. */
    public BulkCount count(BulkRequest request) {
        return switch (request.selection()) {
            case Selection.Named named -> new BulkCount(named.ids().size(), false);
            case Selection.Found found -> count(found.search());
        };
    }

    private BulkCount count(JobSearch asked) {
        long found = 0;
        long looked = 0;
        for (JobSearch search : BulkRun.searches(asked)) {
            JobId before = null;
            do {
                SearchPage<JobId> page = finder.ids(search, before, JobFinder.PAGE_MAX);
                found += page.jobs().size();
                looked += page.looked();
                before = page.next();
                if (before != null && (found >= COUNT_MAX || looked >= COUNT_LOOKED_MAX)) {
                    return new BulkCount(found, true);
                }
            } while (before != null);
        }
        return new BulkCount(found, false);
    }

    /**
     * Starts an operation.
     *
     * @param expected the count that the caller has seen, or of now
     * @param ended called with its last status, on its thread
     * @throws RefusedException if {@value #RUNNING_MAX} operations run on this node, or it stops
     */
    public BulkStatus start(BulkRequest request, BulkCount expected, Consumer<BulkStatus> ended) {
        Objects.requireNonNull(expected, "expected");
        Objects.requireNonNull(ended, "ended");
        Objects.requireNonNull(request, "request");
        BulkRun run = new BulkRun(new BulkRun.Subject(UUID.randomUUID(), request, expected, time.now()), jobs, finder,
                time, ended);
        lock.lock();
        try {
            if (closed) {
                throw new RefusedException("This node stops: start the operation at another");
            }
            if (runs.values().stream().filter(BulkRun::isRunning).count() >= RUNNING_MAX) {
                throw new RefusedException(
                        RUNNING_MAX + " bulk operations run on this node: wait for one, or stop one");
            }
            runs.put(run.id(), run);
            forgetOldest();
        } finally {
            lock.unlock();
        }
        run.start();
        return run.status();
    }

    private void forgetOldest() {
        List<UUID> over = runs.values().stream().filter(run -> !run.isRunning()).map(BulkRun::id)
                .limit(Math.max(0, runs.size() - REMEMBERED)).toList();
        over.forEach(runs::remove);
    }

    /** The running and the last operations, the newest first. */
    public List<BulkStatus> all() {
        lock.lock();
        try {
            List<BulkStatus> all = new ArrayList<>();
            runs.values().forEach(run -> all.add(run.status()));
            return all.reversed();
        } finally {
            lock.unlock();
        }
    }

    /** An operation of this node; empty if it runs elsewhere, never ran, or is forgotten. */
    public Optional<BulkStatus> find(UUID id) {
        Objects.requireNonNull(id, "id");
        return Optional.ofNullable(run(id)).map(BulkRun::status);
    }

    /** Stops an operation after its part under way; has no effect on one that has ended. */
    public Optional<BulkStatus> stop(UUID id) {
        Objects.requireNonNull(id, "id");
        BulkRun run = run(id);
        if (run == null) {
            return Optional.empty();
        }
        run.stop();
        return Optional.of(run.status());
    }

    private @Nullable BulkRun run(UUID id) {
        lock.lock();
        try {
            return runs.get(id);
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        List<BulkRun> running;
        lock.lock();
        try {
            closed = true;
            running = runs.values().stream().filter(BulkRun::isRunning).toList();
        } finally {
            lock.unlock();
        }
        long deadline = time.deadline(CLOSING);
        running.forEach(BulkRun::stop);
        running.forEach(run -> run.await(deadline));
    }
}
