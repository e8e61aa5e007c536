package dev.orderly.job.bulk;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.job.bulk.BulkRequest.Action;
import dev.orderly.job.bulk.BulkRequest.Selection;
import dev.orderly.job.bulk.BulkStatus.Phase;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobIdRange;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.search.SearchPage;
import dev.orderly.store.StoreException;
import dev.orderly.text.VisibleText;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One operation, on its thread. */
final class BulkRun {
    /** Jobs of a part. */
    static final int PART = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(BulkRun.class);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(1);
    private static final Duration AGAIN = Duration.ofMillis(500);
    private static final int TRIES = 20;
    private static final List<JobState> CANCELLABLE = List.of(JobState.DEAD, JobState.WAITING, JobState.DELAYED,
            JobState.RUNNING);

    private final Subject subject;
    private final JobClient jobs;
    private final JobFinder finder;
    private final Time time;
    private final Consumer<BulkStatus> ended;
    private final AtomicReference<Progress> progress = new AtomicReference<>(
            new Progress(Phase.RUNNING, 0, 0, null, null));
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch over = new CountDownLatch(1);

    /** What is done, and what was known before. */
    record Subject(UUID id, BulkRequest request, BulkCount expected, Instant startedAt) {}

    private record Progress(Phase phase, long looked, long changed, @Nullable Instant endedAt,
            @Nullable String failure) {
        Progress plus(int moreLooked, int moreChanged) {
            return new Progress(phase, looked + moreLooked, changed + moreChanged, null, null);
        }

        Progress end(Phase how, Instant at, @Nullable String why) {
            return new Progress(how, looked, changed, at, why);
        }
    }

    BulkRun(Subject subject, JobClient jobs, JobFinder finder, Time time, Consumer<BulkStatus> ended) {
        this.subject = subject;
        this.jobs = jobs;
        this.finder = finder;
        this.time = time;
        this.ended = ended;
    }

    UUID id() {
        return subject.id;
    }

    boolean isRunning() {
        return progress.get().phase == Phase.RUNNING;
    }

    BulkStatus status() {
        Progress now = progress.get();
        return new BulkSnapshot(subject.id, subject.request, now.phase, now.looked, now.changed, subject.expected,
                subject.startedAt, now.endedAt, now.failure);
    }

    void start() {
        Thread.ofVirtual().name("orderly-bulk-" + subject.id).start(this::run);
    }

    void stop() {
        stopping.set(true);
    }

    /** Waits for the end, until a deadline. */
    void await(long deadline) {
        try {
            if (!over.await(Math.max(0, deadline - time.nanos()), TimeUnit.NANOSECONDS)) {
                LOG.warn("Bulk operation {} did not stop in time: {}", subject.id, status().summary());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * The searches that together find the jobs of an operation. A search for jobs that can be cancelled is one for each
     * state, so that an index finds the dead letters among many ended jobs.
     */
    static List<JobSearch> searches(JobSearch asked) {
        return asked.state() != null ? List.of(asked) : CANCELLABLE.stream().map(asked::inState).toList();
    }

    private void run() {
        try {
            switch (subject.request.selection()) {
                case Selection.Named named -> runParts(named.ids());
                case Selection.Found found -> runSearches(found.search());
            }
            end(stopping.get() ? Phase.STOPPED : Phase.DONE, null);
        } catch (StoreException e) {
            end(Phase.FAILED, e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("Bulk operation {} failed", subject.id, e);
            end(Phase.FAILED, e.toString());
        } finally {
            over.countDown();
        }
    }

    private void end(Phase how, @Nullable String why) {
        progress.updateAndGet(now -> now.end(how, time.now(), why));
        BulkStatus status = status();
        LOG.info("Bulk operation {} on {}: {}", subject.id, VisibleText.of(subject.request.words()),
                VisibleText.of(status.summary()));
        try {
            ended.accept(status);
        } catch (RuntimeException e) {
            LOG.warn("The end of bulk operation {} was not recorded: {}", subject.id, e.getMessage());
        }
    }

    private void runSearches(JobSearch asked) {
        List<JobId> newest = again(() -> finder.ids(JobSearch.ALL, null, 1)).jobs();
        if (newest.isEmpty()) {
            return;
        }
        JobIdRange ids = asked.ids();
        JobIdRange started = new JobIdRange(ids.first(), Math.min(ids.last(), newest.getFirst().sequence()),
                ids.prefix());
        for (JobSearch search : searches(asked)) {
            JobSearch known = search.withIds(started);
            JobId before = null;
            do {
                JobId from = before;
                long began = time.nanos();
                SearchPage<JobId> page = again(() -> finder.ids(known, from, PART));
                change(page.jobs());
                before = page.next();
                pause(began);
            } while (before != null && !stopping.get());
        }
    }

    private void runParts(List<JobId> ids) {
        for (int from = 0; from < ids.size() && !stopping.get(); from += PART) {
            long began = time.nanos();
            change(ids.subList(from, Math.min(ids.size(), from + PART)));
            pause(began);
        }
    }

    /** Leaves others as much time as the part took. */
    private void pause(long began) {
        Duration took = Duration.ofNanos(time.nanos() - began);
        time.park(time.deadline(took.compareTo(PAUSE_MAX) < 0 ? took : PAUSE_MAX));
    }

    private void change(List<JobId> ids) {
        if (ids.isEmpty()) {
            return;
        }
        if (subject.request.action() == Action.REDRIVE) {
            int redriven = queues().mapToInt(queue -> again(() -> jobs.redrive(queue, ids, ids.size()))).sum();
            progress.updateAndGet(now -> now.plus(ids.size(), redriven));
            return;
        }
        for (JobId id : ids) {
            if (stopping.get()) {
                return;
            }
            CancelResult result = again(() -> jobs.cancel(id));
            boolean changed = switch (result) {
                case CANCELLED, SIGNALLED, REQUESTED -> true;
                case ENDED, UNKNOWN -> false;
            };
            progress.updateAndGet(now -> now.plus(1, changed ? 1 : 0));
        }
    }

    /** The queues that may have the jobs: that of the search, or all with dead letters. */
    private Stream<QueueName> queues() {
        return subject.request.selection() instanceof Selection.Found(JobSearch search) && search.queue() != null
                ? Stream.of(search.queue())
                : again(jobs::queues).stream().filter(status -> status.view().dead() > 0)
                        .map(status -> status.view().queue()).toList().stream();
    }

    /** Repeats a call while the store fails, for some seconds. To repeat a change is harmless. */
    private <T> T again(Supplier<T> call) {
        for (int tries = 1;; tries++) {
            try {
                return call.get();
            } catch (StoreException.Unavailable | StoreException.OutcomeUnknown e) {
                if (tries == TRIES || stopping.get()) {
                    throw e;
                }
                LOG.debug("Bulk operation {} tries again: {}", subject.id, e.getMessage());
                time.park(time.deadline(AGAIN));
            }
        }
    }

    /** The progress at one moment. */
    private record BulkSnapshot(UUID id, BulkRequest request, Phase phase, long looked, long changed,
            BulkCount expected,
            Instant startedAt, @Nullable Instant endedAt, @Nullable String failure) implements BulkStatus {
        @Override
        public String summary() {
            String did = (request.action() == BulkRequest.Action.REDRIVE ? "redriven " : "cancelled ") + changed
                    + " of "
                    + looked + " found";
            return phase.text() + ", " + did + (failure == null ? "" : ": " + failure);
        }
    }
}
