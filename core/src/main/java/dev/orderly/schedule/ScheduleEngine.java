package dev.orderly.schedule;

import dev.orderly.flow.Loop;
import dev.orderly.job.JobClient;
import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.JobWorker;
import dev.orderly.job.NewJob;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefused;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schedules of one node: pushes a job at each instant, once over all nodes that declare the schedule. Thread-safe.
 *
 * <p>Of the instants that nobody was there for, only the last is made up for. An instant is skipped while the last job of
 * the schedule, of an instant or by hand, waits, is delayed or runs. While the store is away nothing fires. A clock that
 * is set back by up to {@link ScheduleState#OVERRUN_MAX} fires nothing again: the schedule waits until it comes to
 * instants it has not had. After a clock was further ahead than that, the schedule starts anew, so that it does not stay
 * silent for months.
 *
 * <p>If two nodes declare one schedule with different timings, the later declaration counts and the other node does
 * nothing for it.
 */
public final class ScheduleEngine {
    /** How long a run of a handler may take unless its options say otherwise; less if instants follow sooner. */
    public static final Duration TIMEOUT = Duration.ofMinutes(5);

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleEngine.class);
    // Clocks may be set meanwhile, and other nodes may act.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final Duration HARD_STOP = Duration.ofSeconds(5);
    private static final RetryPolicy ONCE = new RetryPolicy(1, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), 0);
    private static final int MOST_TRIES = 10;

    private final ScheduleStore store;
    private final JobClient jobs;
    private final JobWorker worker;
    private final ConcurrentMap<ScheduleName, DeclaredSchedule> schedules = new ConcurrentHashMap<>();
    private final Loop loop;

    public ScheduleEngine(ScheduleStore store, JobClient jobs, JobWorker worker, Time time) {
        this.store = store;
        this.jobs = jobs;
        this.worker = worker;
        this.loop = new Loop("schedules", time, this::round);
    }

    /** As {@link JobWorker#stalls}. */
    public List<String> stalls() {
        return loop.stall().stream().toList();
    }

    // ---- declaring

    /**
     * Declares a schedule that pushes a job. The job gets the params {@link ScheduledRun#SCHEDULE}, {@link
     * ScheduledRun#CRON} and {@link ScheduledRun#INSTANT}.
     *
     * @param job queue, payload, and a group if the queue is FIFO; all else is the schedule's own
     * @throws PushRefused if the job breaks a rule of its queue, as it does where the queue is not declared
     * @throws IllegalStateException if there is a schedule of this name
     */
    public void declare(ScheduleName name, Timing timing, PushRequest job) {
        DeclaredSchedule schedule = new DeclaredSchedule(name, timing, job);
        try {
            jobs.check(schedule.request(Instant.MAX, "check"));
        } catch (PushRefused e) {
            if (e.reason() != PushRefused.Reason.QUEUE_FULL) {
                throw e;
            }
        }
        if (schedules.putIfAbsent(name, schedule) != null) {
            throw new IllegalStateException("There is a schedule " + name + " already: give this one another name");
        }
        loop.ring();
    }

    /**
     * Declares a schedule that runs a handler, on any node that declares it. Its jobs are on a queue of their own, {@link
     * ScheduleName#queue()}.
     *
     * @param options of that queue, such as {@link #optionsFor}
     * @throws IllegalStateException if there is a schedule or a queue of this name
     */
    public void handle(ScheduleName name, Timing timing, QueueOptions options, ScheduledHandler handler) {
        String queue = name.queue().value();
        worker.<Payload>handle(jobs.queue(queue, Payload.class, options),
                (_, job) -> handler.handle(ScheduledRun.of(name, job)));
        declare(name, timing, PushRequest.of(queue, Payload.json("{}")));
    }

    /**
     * How handlers run unless asked otherwise: one at a time, one attempt, since the next instant is another, and no
     * longer than {@link #TIMEOUT} or than it is from one instant to the next.
     */
    public QueueOptions optionsFor(Timing timing) {
        return QueueOptions.STANDARD.withConcurrency(1).withRetry(ONCE)
                .withTimeout(DeclaredSchedule.interval(timing, jobs.now(), TIMEOUT));
    }

    // ---- looking and operating

    /** The schedules declared here, by name. */
    public List<ScheduleView> views() {
        Map<ScheduleName, ScheduleState> states = states();
        return schedules.values().stream().map(schedule -> view(schedule, states.get(schedule.name)))
                .sorted((a, b) -> a.name().compareTo(b.name())).toList();
    }

    public Optional<ScheduleView> view(ScheduleName name) {
        return Optional.ofNullable(schedules.get(name)).map(schedule -> view(schedule, states().get(name)));
    }

    /**
     * Pushes the schedule's job now, whatever its timing says, which stays as it is.
     *
     * @throws PushRefused if the queue is full
     */
    public RunResult run(ScheduleName name) {
        DeclaredSchedule schedule = schedules.get(name);
        if (schedule == null) {
            return new RunResult.Unknown(name);
        }
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Instant now = jobs.now();
            ScheduleState seen = look(schedule, now);
            JobId before = underWay(seen);
            if (before != null) {
                return new RunResult.UnderWay(before);
            }
            NewJob job = jobs.check(schedule.request(now, name + " by hand " + seen.version()));
            JobId pushed = store.take(seen, new ScheduleStep.Run(job), now).map(ScheduleState::job).orElse(null);
            if (pushed != null) {
                jobs.stored(job);
                return new RunResult.Started(pushed, job.queue());
            }
        }
        throw new StoreException.Unavailable("Schedule " + name + " changes all the time: try again", null);
    }

    // ---- life

    /** Starts firing. Once; needs a {@link JobWorker} on some node to run what is pushed. */
    public void start() {
        loop.start();
    }

    /** Fires nothing any more; waits for the step under way. Idempotent. */
    public void stop() {
        loop.stop(HARD_STOP);
    }

    /** Fires what is due now; how long until it makes sense to look again. */
    private Duration round() {
        Instant now = jobs.now();
        Duration wait = LONGEST_WAIT;
        for (DeclaredSchedule schedule : schedules.values()) {
            Duration own = round(schedule, now);
            wait = own.compareTo(wait) < 0 ? own : wait;
        }
        return wait;
    }

    private Duration round(DeclaredSchedule schedule, Instant now) {
        try {
            return step(schedule, now);
        } catch (StoreException e) {
            schedule.sees(null); // what was not answered may have been done
            schedule.trouble("store", "has to wait for the store: " + e.getMessage());
        } catch (PushRefused e) {
            schedule.trouble("refused", "has to wait: " + e.getMessage());
        } catch (RuntimeException e) { // what one schedule does wrong keeps no other from its work
            schedule.sees(null);
            LOG.error("Schedule {} failed; it goes on in {} s", schedule.name, LONGEST_WAIT.toSeconds(), e);
        }
        return LONGEST_WAIT;
    }

    private Duration step(DeclaredSchedule schedule, Instant now) {
        ScheduleState seen = schedule.state();
        if (seen == null) {
            seen = look(schedule, now);
            schedule.sees(seen);
        }
        if (!seen.timing().equals(schedule.timing.toString())) {
            schedule.sees(null);
            schedule.trouble("timing", "was declared as \"" + seen.timing() + "\" by another node later than as \""
                    + schedule.timing + "\" by this one: nothing fires here until both say the same");
            return LONGEST_WAIT;
        }
        if (seen.overran(now)) {
            LOG.warn("Schedule {} fired for {} while a clock was wrong: it starts anew at {}", schedule.name,
                    seen.reached(), now);
            schedule.sees(store.declare(schedule.name, schedule.timing.toString(), now));
            return Duration.ZERO;
        }
        Instant next = schedule.next();
        if (next == null) {
            return LONGEST_WAIT;
        }
        if (next.isAfter(now)) {
            return Duration.between(now, next);
        }
        take(schedule, seen, schedule.timing.latest(seen.reached(), now).orElse(next), now);
        return Duration.ZERO;
    }

    private void take(DeclaredSchedule schedule, ScheduleState seen, Instant due, Instant now) {
        JobId before = underWay(seen);
        NewJob job = before != null ? null : jobs.check(schedule.request(due, schedule.name + " " + due));
        ScheduleStep step = job == null ? new ScheduleStep.Skip(due) : new ScheduleStep.Fire(due, job);
        ScheduleState after = store.take(seen, step, now).orElse(null);
        if (after != null && job != null) {
            jobs.stored(job);
            LOG.debug("Schedule {} pushed job {} for {}", schedule.name, after.job(), due);
            schedule.trouble(null, "");
        } else if (after != null) {
            schedule.trouble("overlap", "skips " + due + " and what follows while job " + before + " is under way");
        }
        schedule.sees(after);
    }

    /** How the schedule stands in the store, which hears of it if it has not before. */
    private ScheduleState look(DeclaredSchedule schedule, Instant now) {
        ScheduleState known = schedule.told ? states().get(schedule.name) : null;
        if (known == null) {
            known = store.declare(schedule.name, schedule.timing.toString(), now);
            schedule.told = true;
        }
        return known;
    }

    private Map<ScheduleName, ScheduleState> states() {
        return store.states().stream().collect(Collectors.toMap(ScheduleState::name, Function.identity()));
    }

    private @Nullable JobId underWay(ScheduleState seen) {
        JobId last = seen.job();
        return last != null && jobs.find(last).filter(job -> !job.state().isEnd()).isPresent() ? last : null;
    }

    private ScheduleView view(DeclaredSchedule schedule, @Nullable ScheduleState known) {
        ScheduleState state = known != null
                ? known
                : ScheduleState.first(schedule.name, schedule.timing.toString(), jobs.now());
        JobId last = state.job();
        return new ScheduleView(schedule.name, schedule.timing, schedule.queue(), schedule.job.group(),
                schedule.timing.next(state.reached()).orElse(null), state.fired(), last,
                last == null ? null : jobs.find(last).map(JobView::state).orElse(null), state.skipped());
    }
}
