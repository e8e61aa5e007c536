package dev.orderly.job.engine;

import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.FatalErrors;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.job.OnDead;
import dev.orderly.job.Push;
import dev.orderly.job.RetryLater;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobFailure;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.store.StoreException;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs claimed jobs: a line is one job of a standard queue, or some jobs of one group one after the other.
 *
 * <p>Each line has a thread of its own, and a platform thread while no more than {@link #PLATFORM_THREADS} run at once:
 * on virtual threads, as many handlers as there are cores could keep everything else that runs on those from running,
 * such as requests.
 */
final class GroupRunner {
    private static final Logger LOG = LoggerFactory.getLogger(GroupRunner.class);

    /** The stack of a thread that waits takes a fraction of this beside the heap. */
    private static final long HEAP_PER_THREAD = 256 << 10;
    private static final int PLATFORM_THREADS = Math.clamp(Runtime.getRuntime().maxMemory() / HEAP_PER_THREAD,
            512, 4_096);
    private static final Duration TURN = Duration.ofSeconds(1);

    private final CachedThreads threads = new CachedThreads("job", PLATFORM_THREADS);
    private final EngineOptions options;
    private final RunningJobs running;
    private final Settler settler;
    private final Push.Target pushes;
    private final RunListener listener;
    private final Quarantine quarantine;

    /** @param pushes takes what handlers push by {@link Job#queue} */
    GroupRunner(EngineOptions options, RunningJobs running, Settler settler, Push.Target pushes,
            RunListener listener) {
        this.options = options;
        this.running = running;
        this.settler = settler;
        this.pushes = pushes;
        this.listener = listener;
        this.quarantine = new Quarantine(running, options.time());
    }

    /** Whether this node takes jobs now. */
    boolean isOpen() {
        return quarantine.isOpen();
    }

    /**
     * Starts the line and returns at once. If that throws, none of its jobs is held any more.
     *
     * @param generation of the lease under which the line was claimed
     * @param ended is run when the line has ended; must not block
     */
    void start(DeclaredQueue queue, List<ClaimedJob> jobs, long generation, Runnable ended) {
        Line line = new Line(queue, Objects.requireNonNull(queue.handler()), jobs, generation, ended);
        queue.lineStarted();
        running.lineStarted(jobs);
        try {
            threads.execute(() -> runAndLeave(line));
        } catch (Throwable e) {
            leave(line, 0);
            throw e;
        }
    }

    /** What runs one after the other on one thread. */
    private record Line(DeclaredQueue queue, Handler<Object> handler, List<ClaimedJob> jobs, long generation,
            Runnable ended) {}

    /**
     * How an attempt ended.
     *
     * @param apart whether the handler may have let the store note it already
     */
    private record Ended(AttemptOutcome as, boolean apart) {
        Ended(AttemptOutcome as) {
            this(as, false);
        }
    }

    /** Whatever is thrown on the way, the line ends, and what was not reported goes back when holdings are compared. */
    private void runAndLeave(Line line) {
        int reported = 0;
        try {
            while (reported < line.jobs.size() && runNext(line, reported)) {
                reported++;
            }
            reported = line.jobs.size();
        } catch (Throwable e) { // an error of ours must not keep the line's place
            FatalErrors.report("what runs jobs of queue " + line.queue.name, e);
            LOG.error("Running jobs of {} failed; what was not reported goes back", line.queue.name, e);
        } finally {
            leave(line, reported);
        }
    }

    private void leave(Line line, int reported) {
        line.jobs.subList(reported, line.jobs.size()).forEach(job -> running.settled(job.attempt()));
        line.queue.lineEnded();
        running.lineEnded(line.jobs);
        line.ended.run();
    }

    /**
     * Runs one job; whether the next one follows. A job of a group starts only when the one before it is settled for good
     * and that is durable, else a crash could run the earlier one again after the later one.
     */
    private boolean runNext(Line line, int index) {
        ClaimedJob claimed = line.jobs.get(index);
        List<ClaimedJob> rest = line.jobs.subList(index + 1, line.jobs.size());
        Ended ended = attempt(line, index);
        CompletableFuture<SettleResult> settled = settle(line.queue, claimed, ended);
        if (!rest.isEmpty() && (!ended.as.isFinal() || running.isStopping() || !accepted(settled, claimed, ended))) {
            for (ClaimedJob other : rest) {
                var _ = settle(line.queue, other, new Ended(new AttemptOutcome.GiveBack()));
            }
            return false;
        }
        return true;
    }

    private Ended attempt(Line line, int index) {
        ClaimedJob claimed = line.jobs.get(index);
        return switch (quarantine.enter(claimed, line.jobs.subList(index, line.jobs.size()))) {
            case GIVE_BACK -> new Ended(new AttemptOutcome.GiveBack());
            case LATER -> {
                long jitter = options.random().nextLong(TURN.toNanos());
                yield new Ended(new AttemptOutcome.Snooze(options.time().now().plus(TURN).plusNanos(jitter)));
            }
            case START -> {
                try {
                    yield decodeAndRun(line, claimed);
                } finally {
                    quarantine.leave(claimed);
                }
            }
        };
    }

    private Ended decodeAndRun(Line line, ClaimedJob claimed) {
        Object payload;
        try {
            payload = line.queue.decode(claimed.payload());
        } catch (Unprocessable e) {
            return new Ended(dead(line.queue, claimed, JobFailure.of(e)));
        } catch (Throwable e) { // such as a payload class that fails to initialise
            FatalErrors.report("reading a payload of queue " + line.queue.name, e);
            return new Ended(failed(line.queue, claimed, JobFailure.of(e), null));
        }
        RunningJob job = new RunningJob(claimed, options.time().deadline(line.queue.options.timeout()), pushes,
                listener);
        Throwable thrown = null;
        job.signal.interrupts(Thread.currentThread());
        running.began(job);
        long began = options.time().nanos();
        try {
            if (!running.lease().covers(line.generation)) {
                job.signal.raise(Reason.LEASE_LOST);
                return new Ended(new AttemptOutcome.GiveBack());
            }
            handle(line, payload, job);
        } catch (Throwable e) { // whatever a handler throws ends its attempt, never this node's work
            thrown = e;
            FatalErrors.report("a handler of queue " + line.queue.name, e);
        } finally {
            job.signal.interrupts(null);
            Thread.interrupted(); // clears what came before
            running.ended(job);
        }
        line.queue.runs.took(Duration.ofNanos(options.time().nanos() - began));
        listener.returned(job);
        return new Ended(ending(line.queue, job, thrown), job.isSettledApart());
    }

    private void handle(Line line, Object payload, RunningJob job) throws Exception {
        listener.started(job);
        try (MDC.MDCCloseable _ = MDC.putCloseable("job", job.id().toString())) {
            ScopedValue.where(Job.CURRENT, job).call(() -> UserScope.call(job.userId().map(UserId::new), () -> {
                line.handler.handle(payload, job);
                return true;
            }));
        }
    }

    private AttemptOutcome ending(DeclaredQueue queue, RunningJob job, @Nullable Throwable thrown) {
        Reason reason = job.signal.reason().orElse(null);
        if (reason == Reason.LEASE_LOST) {
            return new AttemptOutcome.GiveBack();
        }
        if (reason == Reason.TIMEOUT) {
            Duration timeout = queue.options.timeout();
            return failed(queue, job.claimed(), new JobFailure("Timed out after " + timeout,
                    thrown == null ? "The handler returned after its time." : JobFailure.stackOf(thrown)), null);
        }
        return switch (thrown) {
            case null -> job.wish();
            case Throwable _ when reason == Reason.STOPPING -> new AttemptOutcome.GiveBack();
            case Throwable _ when reason == Reason.CANCELLED -> new AttemptOutcome.Cancelled("Cancelled while it ran");
            case Unprocessable e -> dead(queue, job.claimed(), JobFailure.of(e));
            case RetryLater e -> failed(queue, job.claimed(), JobFailure.of(e), e.delay());
            case Throwable e -> failed(queue, job.claimed(), JobFailure.of(e), null);
        };
    }

    private AttemptOutcome failed(DeclaredQueue queue, ClaimedJob job, JobFailure failure,
            @Nullable Duration ownDelay) {
        int failures = job.failures() + 1;
        Duration delay = queue.options.retry().delayAfter(failures, options.random()).orElse(null);
        if (delay == null) {
            return dead(queue, job, failure);
        }
        Duration wait = ownDelay == null ? delay : ownDelay;
        queue.failures.warn("Job {} of {} failed ({} of {}), again in {}: {}", job.id(), queue.name, failures,
                queue.options.retry().attempts(), wait, failure.summary());
        return new AttemptOutcome.Retry(options.time().now().plus(wait), failure);
    }

    private static AttemptOutcome dead(DeclaredQueue queue, ClaimedJob job, JobFailure failure) {
        boolean halt = queue.name.isFifo() && queue.options.onDead() == OnDead.HALT;
        queue.deadLetters.error("Job {} of {} is a dead letter{}: {}", job.id(), queue.name,
                halt ? " and halts its group " + job.group() : "", failure.summary());
        return new AttemptOutcome.Dead(failure, halt);
    }

    private CompletableFuture<SettleResult> settle(DeclaredQueue queue, ClaimedJob job, Ended ended) {
        return settler.settle(job.attempt(), ended.as).whenComplete((result, failure) -> {
            running.settled(job.attempt());
            if (failure != null) {
                queue.unsettled.error("The ending of job {} was not stored; the job will be given back: {}", job.id(),
                        JobFailure.messageOf(failure));
            } else if (result == SettleResult.LEASE_LOST && !ended.apart) {
                queue.late.warn("Attempt {} of job {} came too late: the job was given to another",
                        job.attempt().number(),
                        job.id());
            } else {
                listener.settled(queue, job.id(), ended.as);
            }
        });
    }

    private boolean accepted(CompletableFuture<SettleResult> settled, ClaimedJob job, Ended ended) {
        try {
            return settled.join() == SettleResult.ACCEPTED || (ended.apart && settler.isLast(job.attempt()));
        } catch (CompletionException | StoreException e) {
            return false; // the first is logged where it happened; after the second the rest is given back
        }
    }
}
