package dev.orderly.schedule;

import dev.orderly.Internal;
import dev.orderly.Registration;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedules of one node: pushes a job at each instant, once over all nodes that declare the schedule. Thread-safe.
 *
 * <p>A run begins within the {@link Timing#jitter jitter} after its instant, at the same moment on all nodes. If
 * several instants were missed, only the last is made up for. An instant is skipped while the previous job of the
 * schedule, of an instant or by hand, is waiting, delayed or running. While the store is out of reach nothing fires. If
 * a clock is set back by up to {@link ScheduleState#OVERRUN_MAX}, no instant fires twice: the schedule waits for the
 * first instant that has not fired. If a clock was further ahead than that, the schedule starts anew, so that it is not
 * silent for months.
 *
 * <p>A timing that {@link Timing#countsFromEnd counts from the end} skips nothing: its next instant follows the end of
 * the last run, of an instant or by hand. A dead and a cancelled job have ended; for a job that is no longer kept, the
 * moment at which a node finds that counts.
 *
 * <p>If two nodes declare a schedule with different timings, the later declaration counts for as long as its node
 * lives, and the other node fires nothing for it. When that node has stopped or is dead, the other one takes over.
 */
@Internal(to = "dev.orderly")
public final class ScheduleEngine implements Schedules {
    /** The default timeout of a handler's run; shorter if instants follow sooner. */
    public static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleEngine.class);
    // The wait is short because clocks may be set and other nodes may act meanwhile.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final RetryPolicy ONCE = new RetryPolicy(1, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), 0);
    private static final int MOST_TRIES = 10;

    /** Interval at which a pause, and the job of a run under way, is looked at. */
    private static final Duration LOOK = Duration.ofSeconds(2);
    /** The most looks of a round, so that many long runs do not delay the instants of other schedules. */
    private static final int LOOKS_MAX = 20;

    private final ScheduleStore store;
    private final NodeDeclarations declarations;
    private final Time time;
    private final JobClient jobs;
    private final JobWorker worker;
    private final ConcurrentMap<ScheduleName, DeclaredSchedule> schedules = new ConcurrentHashMap<>();
    private final DefinedSchedules defined;
    private final BackgroundLoop loop;
    /** Looks of the current round; used by the loop only. */
    private int looks;

    /**
     * @param node the declarer of the schedules, which sends heartbeats by {@code worker}
     * @param lifecycle its start starts firing, which needs a {@link JobWorker} on some node to run what is pushed; its
     *     end stops firing, waits for the current step, and withdraws the declarations of this node
     */
    public ScheduleEngine(ScheduleStore store, JobClient jobs, JobWorker worker, NodeId node, Time time,
            Lifecycle lifecycle) {
        Objects.requireNonNull(jobs, "jobs");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(worker, "worker");
        this.store = store;
        this.declarations = new NodeDeclarations(store, node, time, schedules);
        this.time = time;
        this.jobs = jobs;
        this.worker = worker;
        this.defined = new DefinedSchedules(new DefinedSchedules.Node() {
            @Override
            public Registration declare(ScheduleName name, ScheduleDefinition definition) {
                return declareOwn(new DeclaredSchedule(name, definition.timing(), definition.job()));
            }

            @Override
            public String obstacle(ScheduleName name, ScheduleDefinition definition) {
                String queue = definition.job().queue();
                return schedules.containsKey(name)
                        ? "this node declares one of that name, which counts here"
                        : jobs.options(new QueueName(queue)).isEmpty()
                                ? "queue " + queue + " is not declared here"
                                : "";
            }
        }, time);
        this.loop = new BackgroundLoop("schedules", time, this::round);
        lifecycle.of(loop::start, () -> {
            loop.stop(NodeTimes.STOP);
            declarations.withdraw();
        });
    }

    /** As {@link JobWorker#stalls}. */
    public List<String> stalls() {
        return loop.stall().stream().toList();
    }

    // ---- declaring

    /**
     * Declares a schedule that pushes a job. The job gets the params {@link ScheduledRun#SCHEDULE},
     * {@link ScheduledRun#CRON} and {@link ScheduledRun#INSTANT}. Closing the registration ends this node's
     * declaration, without a wait: it fires no further instant, and other nodes that declare the schedule go on.
     *
     * @param job queue, payload, and a group if the queue is FIFO; the schedule sets all else
     * @throws PushRefusedException if the job breaks a rule of its queue, or the queue is not declared
     * @throws IllegalStateException if this node has a schedule of this name already, or is stopped
     */
    public Registration declare(ScheduleName name, Timing timing, PushRequest job) {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(timing, "timing");
        worker.checkNotStopped("takes no schedule " + name);
        DeclaredSchedule schedule = new DeclaredSchedule(name, timing, job);
        check(schedule);
        return defined.givingWay(name, () -> declareOwn(schedule));
    }

    private Registration declareOwn(DeclaredSchedule schedule) {
        if (schedules.putIfAbsent(schedule.name, schedule) != null) {
            throw new IllegalStateException(
                    "There is a schedule " + schedule.name + " already: give this one another name");
        }
        loop.ring();
        return Registration.of(() -> {
            declarations.end(schedule);
            loop.ring();
        });
    }

    private void check(DeclaredSchedule schedule) {
        try {
            jobs.check(schedule.request(Instant.MAX, "check"));
        } catch (PushRefusedException e) {
            if (e.reason() != PushRefusedException.Reason.QUEUE_FULL) {
                throw e;
            }
        }
    }

    /**
     * Puts the schedules in force that were made at run time, in place of those before. A schedule of this name that
     * the configuration or the program declares counts instead, on the nodes that declare it.
     */
    public void define(Map<ScheduleName, ScheduleDefinition> all) {
        Objects.requireNonNull(all, "all");
        defined.define(all);
    }

    /**
     * Checks a schedule that is to be made.
     *
     * @throws PushRefusedException as {@link #declare} does
     */
    public void check(ScheduleName name, ScheduleDefinition definition) {
        Objects.requireNonNull(definition, "definition");
        Objects.requireNonNull(name, "name");
        check(new DeclaredSchedule(name, definition.timing(), definition.job()));
    }

    @Override
    public boolean isDeclared(ScheduleName name) {
        Objects.requireNonNull(name, "name");
        return schedules.containsKey(name) && !defined.has(name);
    }

    /**
     * Declares a schedule that runs a handler, on any node that declares it. Its jobs have a queue of their own,
     * {@link ScheduleName#queue()}. Closing the registration ends the declaration as that of {@link #declare} does, and
     * detaches the handler as {@link JobWorker#handle} says.
     *
     * @param options of that queue, such as {@link #optionsFor}; they replace those of an earlier registration
     * @throws IllegalStateException if this node has a schedule or a queue of this name already
     */
    public Registration handle(ScheduleName name, Timing timing, QueueOptions options, ScheduledHandler handler) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(timing, "timing");
        String queue = name.queue().value();
        if (jobs.options(name.queue()).isPresent() && !jobs.load(name.queue()).handled()) {
            jobs.change(name.queue(), options);
        }
        Registration handled = worker.<Payload>handle(jobs.queue(queue, Payload.class, options),
                (_, job) -> handler.handle(ScheduledRun.of(name, job)));
        try {
            Registration declared = declare(name, timing, PushRequest.of(queue, Payload.json("{}")));
            return Registration.of(() -> {
                declared.close();
                handled.close();
            });
        } catch (RuntimeException e) {
            handled.close();
            throw e;
        }
    }

    /**
     * The default options of a handler's queue: one run at a time; one attempt, since the next instant is another; a
     * timeout of the shortest interval between instants, at most {@link #TIMEOUT}.
     */
    public QueueOptions optionsFor(Timing timing) {
        return QueueOptions.STANDARD.withConcurrency(1).withRetry(ONCE)
                .withTimeout(timing.shortest(jobs.now(), TIMEOUT));
    }

    // ---- looking and operating

    @Override
    public List<ScheduleView> views() {
        Map<ScheduleName, ScheduleState> states = declarations.states();
        return schedules.values().stream().map(schedule -> view(schedule, states.get(schedule.name)))
                .sorted((a, b) -> a.name().compareTo(b.name())).toList();
    }

    @Override
    public List<ScheduleState> undeclared() {
        Set<ScheduleName> names = Set.copyOf(store.undeclared());
        if (names.isEmpty()) {
            return List.of();
        }
        return store.states().stream()
                .filter(state -> names.contains(state.name()) && !schedules.containsKey(state.name())).toList();
    }

    /** The names of {@link #undeclared}, as a started engine found them seconds ago. Answers from memory. */
    public List<ScheduleName> undeclaredLately() {
        return declarations.undeclared();
    }

    @Override
    public Optional<ScheduleView> view(ScheduleName name) {
        Objects.requireNonNull(name, "name");
        return Optional.ofNullable(schedules.get(name))
                .map(schedule -> view(schedule, declarations.states().get(name)));
    }

    @Override
    public RunResult run(ScheduleName name) {
        Objects.requireNonNull(name, "name");
        DeclaredSchedule schedule = schedules.get(name);
        if (schedule == null) {
            return new RunResult.Unknown(name);
        }
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Instant now = jobs.now();
            ScheduleState seen = declarations.look(schedule, now);
            JobId before = underWay(seen);
            if (before != null) {
                return new RunResult.UnderWay(before);
            }
            seen = ended(seen, now);
            NewJob job = jobs.check(schedule.request(now, name + " by hand " + seen.version()));
            JobId pushed = store.take(seen, new ScheduleStep.Run(job), now).map(ScheduleState::job).orElse(null);
            if (pushed != null) {
                jobs.stored(job);
                return new RunResult.Started(pushed, job.queue());
            }
        }
        throw changing(name);
    }

    @Override
    public Optional<ScheduleView> pause(ScheduleName name, String by) {
        Objects.requireNonNull(by, "by");
        Objects.requireNonNull(name, "name");
        return operate(name, (_, seen) -> seen.pause() != null
                ? null
                : new ScheduleStep.Pause(new SchedulePause(jobs.now(), by)));
    }

    @Override
    public Optional<ScheduleView> resume(ScheduleName name) {
        Objects.requireNonNull(name, "name");
        return operate(name, (schedule, seen) -> {
            Instant now = jobs.now();
            boolean passed = schedule.timing.next(seen.reached()).filter(next -> !next.isAfter(now)).isPresent();
            return seen.pause() == null ? null : new ScheduleStep.Resume(passed ? now : seen.reached());
        });
    }

    @Override
    public ForgetScheduleResult forget(ScheduleName name) {
        Objects.requireNonNull(name, "name");
        return declarations.forget(name);
    }

    private Optional<ScheduleView> operate(ScheduleName name,
            BiFunction<DeclaredSchedule, ScheduleState, @Nullable ScheduleStep> change) {
        DeclaredSchedule schedule = schedules.get(name);
        if (schedule == null) {
            return Optional.empty();
        }
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            ScheduleState seen = declarations.look(schedule, jobs.now());
            ScheduleStep step = change.apply(schedule, seen);
            ScheduleState after = step == null ? seen : store.take(seen, step, jobs.now()).orElse(null);
            if (after != null) {
                loop.ring();
                return Optional.of(view(schedule, after));
            }
        }
        throw changing(name);
    }

    private static StoreException changing(ScheduleName name) {
        return new StoreException.Unavailable("Schedule " + name + " is changed by other nodes all the time: try again",
                null);
    }

    // ---- firing

    /** Fires all schedules that are due; returns the time until the next round. */
    private Duration round() {
        Instant now = jobs.now();
        Duration wait = LONGEST_WAIT;
        looks = 0;
        declarations.check(now);
        settleDefined();
        for (DeclaredSchedule schedule : schedules.values()) {
            Duration own = round(schedule, now);
            wait = own.compareTo(wait) < 0 ? own : wait;
        }
        return wait;
    }

    private void settleDefined() {
        try {
            defined.settle(declarations::forget);
        } catch (StoreException e) {
            LOG.debug("Removed schedules are not forgotten yet: {}", e.getMessage());
        }
    }

    private Duration round(DeclaredSchedule schedule, Instant now) {
        try {
            return step(schedule, now);
        } catch (StoreException e) {
            schedule.sees(null); // a lost answer may mean that the step was taken
            schedule.trouble("store", "waits for the store: " + e.getMessage());
        } catch (PushRefusedException e) {
            schedule.trouble("refused", "cannot push its job: " + e.getMessage());
        } catch (RuntimeException e) { // one schedule's failure does not affect the others
            schedule.sees(null);
            LOG.error("Schedule {} failed; retry in {} s", schedule.name, LONGEST_WAIT.toSeconds(), e);
        }
        return LONGEST_WAIT;
    }

    private Duration step(DeclaredSchedule schedule, Instant now) {
        ScheduleState seen = schedule.state();
        if (seen == null) {
            seen = declarations.look(schedule, now);
            schedule.sees(seen);
        }
        if (!seen.timing().equals(schedule.timing.toString())) {
            return disagree(schedule, seen, now);
        }
        if (seen.overran(now)) {
            LOG.warn("Schedule {} fired for {} while a clock was wrong: it starts anew at {}", schedule.name,
                    seen.reached(), now);
            schedule.sees(declarations.repeat(schedule, now));
            return Duration.ZERO;
        }
        if ((seen.pause() != null || seen.history().underWay() != null) && mayLook(schedule)) {
            // another node may have ended the pause, or recorded the end
            boolean waits = seen.pause() != null || seen.awaitsEnd();
            seen = ended(waits ? declarations.look(schedule, now) : seen, now);
            schedule.sees(seen);
        }
        if (seen.pause() != null) {
            return LONGEST_WAIT;
        }
        Instant next = schedule.next();
        if (next == null || seen.awaitsEnd()) {
            return LONGEST_WAIT;
        }
        Instant start = schedule.timing.startOf(schedule.name, next);
        if (start.isAfter(now)) {
            return Duration.between(now, start);
        }
        if (seen.countsFromEnd()) { // its last run may have been redriven since its end
            if (underWay(seen) != null) {
                return LONGEST_WAIT;
            }
            ScheduleState after = ended(seen, now);
            if (!after.equals(seen)) {
                schedule.sees(after);
                return Duration.ZERO;
            }
        }
        take(schedule, seen, schedule.timing.latestStarted(schedule.name, seen.reached(), now).orElse(next), now);
        return Duration.ZERO;
    }

    /** Waits while another node that lives has declared another timing; takes over when it has stopped or is dead. */
    private Duration disagree(DeclaredSchedule schedule, ScheduleState seen, Instant now) {
        if (!mayLook(schedule)) {
            return LONGEST_WAIT;
        }
        ScheduleState after = declarations.repeat(schedule, now);
        schedule.sees(after);
        if (after.timing().equals(schedule.timing.toString())) {
            LOG.info(
                    "Schedule {} was \"{}\" by a node that is gone: it is \"{}\" from now on, as this node declares it",
                    schedule.name, seen.timing(), after.timing());
            schedule.trouble(null, "");
            return Duration.ZERO;
        }
        schedule.trouble("timing", "was declared as \"" + after.timing() + "\" by another node later than as \""
                + schedule.timing + "\" by this node: this node fires nothing until both declare the same timing, or"
                + " the other node has ended");
        return LONGEST_WAIT;
    }

    private void take(DeclaredSchedule schedule, ScheduleState seen, Instant due, Instant now) {
        JobId before = underWay(seen);
        NewJob job = before != null ? null : jobs.check(schedule.request(due, schedule.name + " " + due));
        ScheduleStep step = job == null ? new ScheduleStep.Skip(due) : new ScheduleStep.Fire(due, job);
        ScheduleState after = store.take(before == null ? ended(seen, now) : seen, step, now).orElse(null);
        if (after != null && job != null) {
            jobs.stored(job);
            LOG.debug("Schedule {} pushed job {} for {}", schedule.name, after.job(), due);
            schedule.trouble(null, "");
        } else if (after != null) {
            schedule.trouble("overlap", "skips " + due + " and what follows while job " + before + " is under way");
        }
        schedule.sees(after);
    }

    private boolean mayLook(DeclaredSchedule schedule) {
        if (looks >= LOOKS_MAX || !time.reached(schedule.nextLook)) {
            return false;
        }
        looks++;
        schedule.nextLook = time.deadline(LOOK);
        return true;
    }

    /**
     * The state with the end of its last run, which is recorded if the job has ended, anew if it was redriven, or is
     * forgotten. If another node changes the schedule meanwhile, the state as seen: a step from it has no effect.
     */
    private ScheduleState ended(ScheduleState seen, Instant now) {
        JobId last = seen.job();
        ScheduleStep.End end = last == null ? null : end(seen, jobs.find(last).orElse(null));
        return end == null ? seen : store.take(seen, end, now).orElse(seen);
    }

    /** The end of the last run that is not recorded yet; null if there is none. */
    private static ScheduleStep.@Nullable End end(ScheduleState seen, @Nullable JobView job) {
        PastRun last = seen.history().last();
        JobId run = last == null ? null : last.job();
        if (last == null || run == null) {
            return null;
        }
        PastRun end = withEnd(last, job);
        return end.equals(last) ? null : new ScheduleStep.End(run, end.outcome(), end.endedAt());
    }

    /** A run with its end, as the job tells it; null for a job that is no longer kept. */
    private static PastRun withEnd(PastRun run, @Nullable JobView job) {
        if (job == null) {
            return run.outcome() == PastRun.Outcome.UNDER_WAY ? run.ended(PastRun.Outcome.UNKNOWN, null) : run;
        }
        return switch (job.state()) {
            case WAITING, DELAYED, RUNNING -> run;
            case DONE -> run.ended(PastRun.Outcome.DONE, job.endedAt());
            case DEAD -> run.ended(PastRun.Outcome.DEAD, job.endedAt());
            case CANCELLED -> run.ended(PastRun.Outcome.CANCELLED, job.endedAt());
        };
    }

    private @Nullable JobId underWay(ScheduleState seen) {
        JobId last = seen.job();
        return last != null && jobs.find(last).filter(job -> !job.state().isEnd()).isPresent() ? last : null;
    }

    private ScheduleView view(DeclaredSchedule schedule, @Nullable ScheduleState known) {
        ScheduleState kept = known != null
                ? known
                : ScheduleState.first(schedule.name, schedule.timing.toString(), jobs.now());
        JobId last = kept.job();
        JobView job = last == null ? null : jobs.find(last).orElse(null);
        ScheduleStep.End end = end(kept, job);
        ScheduleState state = end == null ? kept : kept.after(end, null, jobs.now());
        return new ScheduleSnapshot(schedule.name, schedule.timing, schedule.queue(), schedule.job.group(),
                state.pause() == null && !state.awaitsEnd()
                        ? schedule.timing.next(state.reached()).orElse(null)
                        : null,
                state.fired(), last, job == null ? null : job.state(), state.skipped(), state.pause(),
                state.history().runs());
    }
}
