package dev.orderly.job;

import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.FatalErrors;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.store.StoreException;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs claimed jobs: a line is one job of a standard queue, or some jobs of one group one after the other.
 *
 * <p>Each line has a thread of its own, and a platform thread while no more than {@value #PLATFORM_THREADS} run at once:
 * on virtual threads, as many handlers as there are cores could keep everything else that runs on those from running.
 */
final class LineRunner {
    private static final Logger LOG = LoggerFactory.getLogger(LineRunner.class);

    private static final int PLATFORM_THREADS = 512;

    private final CachedThreads threads = new CachedThreads("job", PLATFORM_THREADS);
    private final ClaimedBytes bytes;
    private final JobEngine engine;
    private final EngineOptions options;
    private final PayloadCodec codec;
    private final RunningJobs running;
    private final Settler settler;

    LineRunner(JobEngine engine, EngineOptions options, PayloadCodec codec, RunningJobs running, Settler settler) {
        this.engine = engine;
        this.options = options;
        this.bytes = new ClaimedBytes(options.claimBytes());
        this.codec = codec;
        this.running = running;
        this.settler = settler;
    }

    /** Starts the line and returns at once. If that throws, none of its jobs is held any more. */
    void start(DeclaredQueue queue, Handler<Object> handler, List<ClaimedJob> line) {
        queue.lineStarted();
        running.lineStarted(line);
        bytes.lineStarted(line);
        try {
            threads.execute(() -> {
                try {
                    run(queue, handler, line);
                } finally {
                    ended(queue, line);
                }
            });
        } catch (Throwable e) {
            line.forEach(job -> running.settled(job.attempt()));
            ended(queue, line);
            throw e;
        }
    }

    /** How many bytes of payload may be claimed beside those of the lines that run. */
    long freeBytes() {
        return bytes.free();
    }

    private void ended(DeclaredQueue queue, List<ClaimedJob> line) {
        bytes.lineEnded(line);
        queue.lineEnded();
        running.lineEnded();
        engine.lineEnded(queue);
    }

    /**
     * A job of a group starts only when the one before it is settled for good and that is durable, else a crash could
     * run the earlier one again after the later one.
     */
    private void run(DeclaredQueue queue, Handler<Object> handler, List<ClaimedJob> line) {
        for (int i = 0; i < line.size(); i++) {
            ClaimedJob claimed = line.get(i);
            Ended ended = attempt(queue, handler, claimed);
            CompletableFuture<SettleResult> settled = settle(queue, claimed, ended);
            boolean last = i == line.size() - 1;
            if (!last && (!isFinal(ended.as) || engine.isStopping() || !accepted(settled, claimed, ended))) {
                for (ClaimedJob rest : line.subList(i + 1, line.size())) {
                    var _ = settle(queue, rest, new Ended(new Ending.GiveBack(), false));
                }
                return;
            }
        }
    }

    /**
     * How an attempt ended.
     *
     * @param apart whether the handler may have let the store note it already
     */
    private record Ended(Ending as, boolean apart) {}

    private Ended attempt(DeclaredQueue queue, Handler<Object> handler, ClaimedJob claimed) {
        Object payload;
        try {
            payload = codec.decode(claimed.payload(), queue.type);
        } catch (Unprocessable e) {
            return new Ended(dead(queue, claimed, failureOf(e)), false);
        }
        Job job = new Job(claimed, engine, options.time().deadline(queue.options.timeout()));
        Throwable thrown = null;
        job.began(Thread.currentThread());
        running.began(job);
        engine.changed(claimed.id());
        long began = options.time().nanos();
        try (MDC.MDCCloseable _ = MDC.putCloseable("job", claimed.id().toString())) {
            ScopedValue.where(Job.CURRENT, job).call(() -> UserScope.call(job.userId().map(UserId::new), () -> {
                handler.handle(payload, job);
                return true;
            }));
        } catch (Throwable e) { // whatever a handler throws ends its attempt, never this node's work
            thrown = e;
            FatalErrors.report("a handler of queue " + queue.name, e);
        } finally {
            job.ended();
            running.ended(job);
            queue.runs.took(Duration.ofNanos(options.time().nanos() - began));
        }
        engine.reportProgress(job);
        return new Ended(ending(queue, job, thrown), job.settledApart());
    }

    private Ending ending(DeclaredQueue queue, Job job, @Nullable Throwable thrown) {
        Reason reason = job.signal().reason().orElse(null);
        if (reason == Reason.LEASE_LOST) {
            return new Ending.GiveBack();
        }
        if (reason == Reason.TIMEOUT) {
            Duration timeout = queue.options.timeout();
            return failed(queue, job.claimed(), new Failure("Timed out after " + timeout,
                    thrown == null ? "The handler returned after its time." : stackOf(thrown)), null);
        }
        return switch (thrown) {
            case null -> job.wish();
            case Throwable _ when reason == Reason.STOPPING -> new Ending.GiveBack();
            case Throwable _ when reason == Reason.CANCELLED -> new Ending.Cancelled("Cancelled while it ran");
            case Unprocessable e -> dead(queue, job.claimed(), failureOf(e));
            case RetryLater e -> failed(queue, job.claimed(), failureOf(e), e.delay());
            case Throwable e -> failed(queue, job.claimed(), failureOf(e), null);
        };
    }

    private Ending failed(DeclaredQueue queue, ClaimedJob job, Failure failure, @Nullable Duration ownDelay) {
        int failures = job.failures() + 1;
        Duration delay = queue.options.retry().delayAfter(failures, options.random()).orElse(null);
        if (delay == null) {
            return dead(queue, job, failure);
        }
        Duration wait = ownDelay == null ? delay : ownDelay;
        LOG.warn("Job {} of {} failed ({} of {}), again in {}: {}", job.id(), queue.name, failures,
                queue.options.retry().attempts(), wait, failure.summary());
        return new Ending.Retry(options.time().now().plus(wait), failure);
    }

    private static Ending dead(DeclaredQueue queue, ClaimedJob job, Failure failure) {
        boolean halt = queue.name.isFifo() && queue.options.onDead() == OnDead.HALT;
        LOG.error("Job {} of {} is a dead letter{}: {}", job.id(), queue.name,
                halt ? " and halts its group " + job.group() : "", failure.summary());
        return new Ending.Dead(failure, halt);
    }

    private CompletableFuture<SettleResult> settle(DeclaredQueue queue, ClaimedJob job, Ended ended) {
        return settler.settle(job.attempt(), ended.as).whenComplete((result, failure) -> {
            running.settled(job.attempt());
            if (failure != null) {
                LOG.error("The ending of job {} was not stored; upkeep will give the job back: {}", job.id(),
                        failure.getMessage());
            } else if (result == SettleResult.LEASE_LOST && !ended.apart) {
                LOG.warn("Attempt {} of job {} came too late: the job was given to another", job.attempt().number(),
                        job.id());
            } else {
                engine.settled(queue, ended.as);
                engine.changed(job.id());
            }
        });
    }

    private boolean accepted(CompletableFuture<SettleResult> settled, ClaimedJob job, Ended ended) {
        try {
            return settled.join() == SettleResult.ACCEPTED || (ended.apart && isOver(job));
        } catch (CompletionException | StoreException e) {
            return false; // the first is logged where it happened; after the second the rest is given back
        }
    }

    /** Whether this very attempt was the last. */
    private boolean isOver(ClaimedJob job) {
        return engine.find(job.id())
                .filter(view -> view.state().isEnd() && view.attempt() == job.attempt().number()).isPresent();
    }

    /** Whether the next job of the group may follow. */
    static boolean isFinal(Ending ending) {
        return switch (ending) {
            case Ending.Done _,Ending.Cancelled _ -> true;
            case Ending.Dead dead -> !dead.halt();
            case Ending.Retry _,Ending.Snooze _,Ending.GiveBack _ -> false;
        };
    }

    private static Failure failureOf(Throwable thrown) {
        String message = thrown.getMessage();
        String type = thrown.getClass().getSimpleName();
        boolean own = thrown instanceof Unprocessable || thrown instanceof RetryLater;
        return new Failure(own && message != null ? message : message == null ? type : type + ": " + message,
                stackOf(thrown));
    }

    private static String stackOf(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
