package dev.orderly.job.engine;

import dev.orderly.flow.CachedThreads;
import dev.orderly.flow.FatalErrors;
import dev.orderly.job.Batch;
import dev.orderly.job.Handler;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.Push;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.engine.AttachedBatchHandler.Called;
import dev.orderly.job.engine.ClaimedAhead.Claim;
import dev.orderly.job.engine.ClaimedAhead.GroupRun;
import dev.orderly.job.payload.UnreadablePayloadException;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.StoreException;
import dev.orderly.trace.LogContext;
import dev.orderly.trace.Tracer;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs claimed jobs. A group run is a sequence of jobs of one group, run one after the other; a job of a standard queue
 * is a group run of its own, or one of several that a {@link dev.orderly.job.BatchHandler} gets in one call.
 *
 * <p>Each handler has its own thread, a platform thread while at most {@link #PLATFORM_THREADS} run at once: on virtual
 * threads, as many busy handlers as there are cores could starve all other virtual threads, such as requests. While a
 * group run waits for the settlement of a job, its handler serves other group runs.
 */
final class GroupRunner {
    /** Consequences of attempts beyond their outcome. */
    interface Listener {
        /** The engine behind the batches of jobs. */
        Batch.Target batches();

        /** A member of a batch has ended for good, or may have. Must not block. */
        void memberEnded();

        /** The handler of a job is about to be called. Must not block. */
        void started(RunningJob job);

        /** A handler sends a message to the user of its job. Throws as {@link MessageTarget#send}. */
        void message(UserId user, Object value);

        /** A handler completes its job in a transaction. Throws as {@link dev.orderly.job.Job#completeIn}. */
        void complete(RunningJob job, CallersTransaction transaction);

        /** The steps of a job that is about to run. Must not block. */
        AttemptSteps steps(RunningJob job);

        /** The handler of these jobs has returned or thrown. May wait for the store. */
        void returned(List<RunningJob> jobs);

        /**
         * The store has accepted the outcome of an attempt. Must not block.
         *
         * @param last whether this node holds no further job of its group run
         */
        void settled(DeclaredQueue queue, JobId job, AttemptOutcome outcome, boolean last);
    }

    private static final Logger LOG = LoggerFactory.getLogger(GroupRunner.class);

    /** Heap per platform thread. The stack of a waiting thread needs a fraction of this, outside the heap. */
    private static final long HEAP_PER_THREAD = 256 << 10;
    private static final int PLATFORM_THREADS = Math.clamp(Runtime.getRuntime().maxMemory() / HEAP_PER_THREAD,
            512, 4_096);
    private static final Duration RECHECK = Duration.ofSeconds(1);

    private final CachedThreads threads;
    private final EngineOptions options;
    private final RunningJobs running;
    private final Settler settler;
    private final OutcomeRules outcomes;
    private final Push.Target pushes;
    private final Listener listener;
    private final Quarantine quarantine;
    private volatile Consumer<DeclaredQueue> ended = _ -> {};

    /** @param pushes target of pushes through {@link dev.orderly.job.Job#again} */
    GroupRunner(EngineOptions options, RunningJobs running, Settler settler, Push.Target pushes,
            Listener listener) {
        this.threads = new CachedThreads("job", PLATFORM_THREADS, options.time());
        this.options = options;
        this.running = running;
        this.settler = settler;
        this.outcomes = new OutcomeRules(options, settler);
        this.pushes = pushes;
        this.listener = listener;
        this.quarantine = new Quarantine(running, options.time());
    }

    /** Sets the callback at the end of each group run; it must not block. */
    void onEnded(Consumer<DeclaredQueue> callback) {
        ended = callback;
    }

    /** Whether this node may claim jobs now: not while a suspect runs alone. */
    boolean isOpen() {
        return quarantine.isOpen();
    }

    /**
     * Starts a group run with a permit of the queue, which it returns at its end. Returns at once. If it throws, the
     * node holds none of the jobs any more, and the permit is returned. At a stop, when the answer to a claim came
     * late, the jobs are given back, on this thread.
     *
     * @param claim the claim that got the jobs
     */
    void start(DeclaredQueue queue, List<ClaimedJob> jobs, Claim claim) {
        if (running.gate().isStopping()) {
            queue.release(1);
            settler.giveBackNow(jobs);
        } else {
            running.runStarted(jobs, claim.generation());
            start(run(queue, jobs, claim));
        }
    }

    private GroupRun run(DeclaredQueue queue, List<ClaimedJob> jobs, Claim claim) {
        return new GroupRun(queue, jobs, claim, options.time().nanos());
    }

    private void start(GroupRun run) {
        try {
            threads.execute(() -> work(run));
        } catch (Throwable e) {
            run.queue.release(1);
            leave(run);
            throw e;
        }
    }

    /** Keeps a group run that was claimed ahead until a handler of its queue is free. At a stop as {@link #start}. */
    void keep(DeclaredQueue queue, List<ClaimedJob> jobs, Claim claim) {
        if (running.gate().isStopping()) {
            settler.giveBackNow(jobs);
        } else {
            running.runStarted(jobs, claim.generation());
            queue.ahead.add(run(queue, jobs, claim));
        }
    }

    /** Starts kept group runs for which handlers are free. */
    void startKept(DeclaredQueue queue) {
        while (!queue.ahead.isEmpty() && queue.reserve(1) == 1) {
            GroupRun next = queue.ahead.poll();
            if (next == null) {
                queue.release(1);
            } else {
                start(next);
            }
        }
    }

    /** Gives back the kept group runs of a queue. */
    void giveBackKept(DeclaredQueue queue) {
        for (GroupRun run = queue.ahead.poll(); run != null; run = queue.ahead.poll()) {
            giveBackRest(run);
            leave(run);
        }
    }

    /**
     * Runs a group run, then kept ones of the same queue, on one thread and with one permit, which ends where more are
     * taken than the settings allow now.
     */
    private void work(GroupRun first) {
        DeclaredQueue queue = first.queue;
        boolean released = false;
        try {
            for (GroupRun run = first; run != null; run = released ? null : queue.ahead.poll()) {
                runOn(run);
                queue.ahead.ended();
                released = queue.releaseExcess();
            }
        } finally {
            if (!released) {
                queue.release(1);
            }
        }
        ended.accept(queue);
        startKept(queue); // kept after the last look
    }

    /** What became of the start of an attempt: what its handler is called with, or its end without a call. */
    private sealed interface Start permits Begun, Ended {}

    /** An attempt that signals reach. */
    private record Begun(RunningJob job, Object payload) implements Start {}

    /**
     * The outcome of an attempt.
     *
     * @param as the reported outcome
     * @param apart the outcome that the job has if the report is refused, since the handler, or a worker elsewhere, has
     *     settled it; null if neither can have
     */
    private record Ended(AttemptOutcome as, @Nullable AttemptOutcome apart) implements Start {
        Ended(AttemptOutcome as) {
            this(as, null);
        }

        /** Whether the next job of the group may start, if the outcome is the expected one. */
        boolean isFinal() {
            return (apart == null ? as : apart).isFinal();
        }

        AttemptOutcome answered(SettleResult result) {
            return apart == null || result == SettleResult.ACCEPTED ? as : apart;
        }
    }

    /**
     * Runs jobs until the run has ended or is parked. The run ends whatever is thrown; jobs whose outcome was not
     * reported are given back by the next reconciliation.
     */
    private void runOn(GroupRun run) {
        boolean parked = false;
        try {
            while (!parked && !run.hasEnded()) {
                if (run.queue.jobsPerCall() > 1) {
                    runTogether(run);
                } else {
                    parked = runNext(run);
                }
            }
        } catch (Throwable e) { // an internal error must not occupy the concurrency of the queue
            FatalErrors.report("running jobs of queue " + run.queue.name, e);
            LOG.error("Running jobs of {} failed; jobs whose outcome was not reported will be given back",
                    run.queue.name, e);
        } finally {
            if (!parked) {
                leave(run);
            }
        }
    }

    private void leave(GroupRun run) {
        run.jobs.subList(run.reported, run.jobs.size()).forEach(job -> running.settled(job.attempt()));
        running.runEnded(run.jobs);
        ended.accept(run.queue);
    }

    /**
     * Runs one job, and returns whether the run is parked. A job of a group starts only after the settlement of the job
     * before it is final and durable; otherwise a crash could run the earlier job again after the later job.
     */
    private boolean runNext(GroupRun run) {
        if (run.last != null && !accepted(run.last)) {
            giveBackRest(run);
            return false;
        }
        ClaimedJob claimed = run.jobs.get(run.reported);
        Ended ended = attempt(run, run.reported);
        run.last = new GroupRun.Report(claimed, ended.apart != null,
                settle(run.queue, claimed, ended, run.reported + 1 == run.jobs.size()));
        run.reported++;
        if (run.hasEnded()) {
            return false;
        }
        if (!ended.isFinal()) {
            giveBackRest(run);
            return false;
        }
        return park(run, run.last.answer());
    }

    private void giveBackRest(GroupRun run) {
        while (!run.hasEnded()) {
            ClaimedJob job = run.jobs.get(run.reported++);
            var _ = settle(run.queue, job, new Ended(new AttemptOutcome.GiveBack()), run.hasEnded());
        }
    }

    /**
     * Parks a run until a settlement is answered, if short jobs may use its handler meanwhile; otherwise the run would
     * soon wait for a handler. After true the run belongs to another thread.
     */
    private boolean park(GroupRun run, CompletableFuture<SettleResult> answer) {
        DeclaredQueue queue = run.queue;
        if (!queue.ahead.isOpen()) {
            return false;
        }
        queue.ahead.park();
        var _ = answer.whenComplete((_, _) -> {
            run.keptSince = options.time().nanos();
            queue.ahead.unpark(run);
            startKept(queue);
        });
        ended.accept(queue);
        return true;
    }

    private Ended attempt(GroupRun run, int index) {
        ClaimedJob claimed = run.jobs.get(index);
        Ended refused = quarantined(claimed, run.jobs.subList(index, run.jobs.size()));
        if (refused != null) {
            return refused;
        }
        try (LogContext log = LogContext.ofJob(claimed.queue().value(), claimed.id().toString(), claimed.group(),
                UserId.column(claimed.user()))) {
            return switch (begin(run, claimed, Thread.currentThread()::interrupt)) {
                case Ended ended -> ended;
                case Begun begun -> call(run.queue, begun, log.with(claimed.trace()));
            };
        } finally {
            quarantine.leave(claimed);
        }
    }

    /** Runs the jobs that are left in one call. Each is decided, begins, ends and is settled by itself. */
    private void runTogether(GroupRun run) {
        List<ClaimedJob> jobs = List.copyOf(run.jobs.subList(run.reported, run.jobs.size()));
        List<ClaimedJob> entered = new ArrayList<>();
        List<Start> starts = new ArrayList<>();
        List<Ended> ends = new ArrayList<>();
        Thread caller = Thread.currentThread();
        Set<AttemptId> going = ConcurrentHashMap.newKeySet(); // a job may be over by its signal and without a start
        jobs.forEach(job -> going.add(job.attempt()));
        Consumer<ClaimedJob> over = job -> {
            if (going.remove(job.attempt()) && going.isEmpty()) {
                caller.interrupt();
            }
        };
        try (LogContext _ = LogContext.ofQueue(run.queue.name.value())) {
            for (ClaimedJob job : jobs) {
                Ended refused = quarantined(job, jobs);
                if (refused == null) {
                    entered.add(job);
                    starts.add(begin(run, job, () -> over.accept(job)));
                } else {
                    starts.add(refused);
                }
                if (starts.getLast() instanceof Ended) {
                    over.accept(job);
                }
            }
            ends.addAll(callTogether(run.queue, starts));
        } finally {
            starts.forEach(this::left);
            entered.forEach(quarantine::leave);
            Thread.interrupted(); // clears an interrupt of jobs of which none has begun
        }
        for (Ended ended : ends) {
            int index = run.reported++;
            var _ = settle(run.queue, run.jobs.get(index), ended, run.hasEnded());
        }
    }

    /** The end of a job that may not start beside the others of this node; null if it may. */
    private @Nullable Ended quarantined(ClaimedJob claimed, List<ClaimedJob> rest) {
        return switch (quarantine.enter(claimed, rest)) {
            case GIVE_BACK -> new Ended(new AttemptOutcome.GiveBack());
            case LATER -> {
                long jitter = options.random().nextLong(RECHECK.toNanos());
                yield new Ended(new AttemptOutcome.Snooze(options.time().now().plus(RECHECK).plusNanos(jitter)));
            }
            case START -> null;
        };
    }

    /**
     * Begins an attempt, or ends it without a call. {@link #left} must follow a beginning.
     *
     * @param interrupt what a signal of the job does to its call
     */
    private Start begin(GroupRun run, ClaimedJob claimed, Runnable interrupt) {
        Object payload;
        try {
            payload = run.queue.format.decode(claimed.payload());
        } catch (UnreadablePayloadException e) {
            return new Ended(running.passedOver().outcome(run.queue, claimed, e));
        } catch (Unprocessable e) {
            return new Ended(OutcomeRules.dead(run.queue, claimed, JobAttempt.End.FAILED, JobFailure.of(e)));
        } catch (Throwable e) { // such as an error while the payload class is initialised
            FatalErrors.report("reading a payload of queue " + run.queue.name, e);
            return new Ended(outcomes.failed(run.queue, claimed, JobAttempt.End.FAILED, JobFailure.of(e), null));
        }
        RunningJob job = new RunningJob(claimed, options.time().deadline(OutcomeRules.timeout(run.queue, claimed)),
                pushes,
                listener);
        Begun begun = new Begun(job, payload);
        job.signal.interrupts(interrupt);
        running.began(job); // before the gate, so that what comes after the decision reaches the signal
        AttemptOutcome refusal;
        try {
            refusal = switch (running.gate().enter(run.queue, claimed, run.generation, run.claimedSince)) {
                case START -> null;
                case GIVE_BACK -> new AttemptOutcome.GiveBack();
                case CANCEL -> AttemptOutcome.Cancelled.onRequest();
                case EXPIRED -> AttemptOutcome.Cancelled.expired(claimed.terms().expiresAt());
            };
        } catch (Throwable e) {
            left(begun);
            throw e;
        }
        if (refusal != null) {
            left(begun);
            return new Ended(refusal);
        }
        return begun;
    }

    /** Takes an attempt off those that signals reach. On the thread of its call. */
    private void left(Start start) {
        if (start instanceof Begun(RunningJob job, Object _)) {
            job.signal.interrupts(null);
            Thread.interrupted(); // clears an interrupt that came before the line above
            job.end();
            running.ended(job);
        }
    }

    private Ended call(DeclaredQueue queue, Begun begun, LogContext log) {
        RunningJob job = begun.job;
        Throwable thrown = null;
        long began = options.time().nanos();
        try {
            Handler<Object> handler = queue.handler();
            if (handler == null) { // detached after the gate
                return new Ended(new AttemptOutcome.GiveBack());
            }
            listener.started(job);
            job.run(options.tracer(), log, () -> handler.handle(begun.payload, job));
        } catch (Throwable e) { // any exception of a handler ends its attempt, never the worker
            thrown = e;
            FatalErrors.report("a handler of queue " + queue.name, e);
        } finally {
            left(begun);
        }
        ran(queue, List.of(job), Duration.ofNanos(options.time().nanos() - began));
        return new Ended(outcomes.of(queue, job, thrown), job.settledApart());
    }

    /** Calls the handler with the jobs that have begun, and returns the ends of all. */
    private List<Ended> callTogether(DeclaredQueue queue, List<Start> starts) {
        List<Begun> begun = starts.stream().filter(Begun.class::isInstance).map(Begun.class::cast).toList();
        List<Called> called = begun.stream().map(each -> new Called(each.payload, each.job)).toList();
        AttachedBatchHandler handler = queue.handler() instanceof AttachedBatchHandler several
                && begun.size() <= several.most() ? several : null; // detached after the gate
        Iterator<@Nullable Throwable> thrown = handler == null || begun.isEmpty()
                ? Collections.emptyIterator()
                : thrown(queue, handler, begun, called).iterator();
        List<Ended> ends = new ArrayList<>();
        for (Start start : starts) {
            ends.add(switch (start) {
                case Ended ended -> ended;
                case Begun _ when handler == null -> new Ended(new AttemptOutcome.GiveBack());
                case Begun(RunningJob job, Object _) -> new Ended(outcomes.of(queue, job, thrown.next()),
                        job.settledApart());
            });
        }
        return ends;
    }

    /** Calls the handler with several jobs, and returns what it threw as far as each of them is concerned. */
    private List<@Nullable Throwable> thrown(DeclaredQueue queue, AttachedBatchHandler handler, List<Begun> begun,
            List<Called> called) {
        List<RunningJob> jobs = begun.stream().map(Begun::job).toList();
        jobs.forEach(listener::started);
        List<Tracer.Span> spans = jobs.stream().map(job -> job.span(options.tracer())).toList();
        Throwable thrown = null;
        long before = options.time().nanos();
        try {
            handler.batch().handle(List.copyOf(called));
        } catch (Throwable e) { // as of a single job
            thrown = e;
            FatalErrors.report("a handler of queue " + queue.name, e);
        } finally {
            begun.forEach(this::left);
        }
        List<@Nullable Throwable> owns = new ArrayList<>(); // once: what is said of a job from now on is too late
        for (Called each : called) {
            owns.add(each.thrown(thrown));
        }
        for (int index = 0; index < spans.size(); index++) {
            Throwable own = owns.get(index);
            if (own == null) {
                spans.get(index).end();
            } else {
                spans.get(index).failed(own.getClass().getName());
            }
        }
        ran(queue, jobs, Duration.ofNanos(options.time().nanos() - before));
        return owns;
    }

    /** Counts attempts that have run in one call. */
    private void ran(DeclaredQueue queue, List<RunningJob> jobs, Duration took) {
        for (RunningJob job : jobs) {
            queue.runs.took(took);
            options.observer().ran(queue.name, took);
            String key = job.claimed().terms().key();
            if (key != null) {
                queue.keys.ran(key, took.dividedBy(jobs.size()));
            }
        }
        listener.returned(jobs);
    }

    private CompletableFuture<SettleResult> settle(DeclaredQueue queue, ClaimedJob job, Ended ended, boolean last) {
        return settler.settle(job.attempt(), ended.as).whenComplete((result, failure) -> {
            running.settled(job.attempt());
            if (failure != null) {
                queue.unsettled.error("The outcome of job {} was not stored; the job will be given back: {}", job.id(),
                        JobFailure.messageOf(failure));
            } else if (result == SettleResult.LEASE_LOST && ended.apart == null) {
                queue.late.warn("Attempt {} of job {} was settled too late: the job was given to another node",
                        job.attempt().number(),
                        job.id());
            } else {
                if (result == SettleResult.ACCEPTED) {
                    OutcomeRules.accepted(queue, job.id(), ended.as);
                }
                if (job.terms().key() != null) {
                    queue.keys.settled(job.terms().key());
                }
                if (job.terms().isMember() && ended.as.isFinal()) {
                    listener.memberEnded();
                }
                listener.settled(queue, job.id(), ended.answered(result), last);
            }
        });
    }

    private boolean accepted(GroupRun.Report report) {
        try {
            boolean accepted = report.answer().join() == SettleResult.ACCEPTED;
            return report.apart() ? !accepted && settler.isLast(report.job().attempt()) : accepted;
        } catch (CompletionException | StoreException e) {
            return false; // the settlement logs the first; after the second the remaining jobs are given back
        }
    }
}
