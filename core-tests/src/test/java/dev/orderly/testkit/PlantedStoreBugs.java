package dev.orderly.testkit;

import dev.orderly.job.EventResult;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobState;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.limit.GroupRates;
import dev.orderly.job.limit.KeyTurns;
import dev.orderly.job.limit.LimitTable;
import dev.orderly.job.limit.StartAllowance;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.StartWindow;
import dev.orderly.job.store.StartWindow.Slot;
import dev.orderly.job.store.StepReport;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Bugs of the store in memory, for {@code Mutant}: a method that has the name of one of the store's runs in its place,
 * or, without a result, before it.
 */
public final class PlantedStoreBugs {
    private static final Map<MemoryTable, Map<QueueName, StartAllowance>> COUNTED = new WeakHashMap<>();

    private PlantedStoreBugs() {}

    /** Counts before the lock: what is free is what was free before the last claim of the queue. */
    static StartAllowance room(MemoryTable table, QueueName queue) {
        return Objects.requireNonNullElse(
                COUNTED.computeIfAbsent(table, _ -> new HashMap<>()).put(queue, counted(table, queue)),
                counted(table, queue));
    }

    private static StartAllowance counted(MemoryTable table, QueueName queue) {
        return table.limits.room(queue, name -> table.queue(name).in(JobState.RUNNING).size(),
                table.leaseNow().toEpochMilli());
    }

    /** Counts no leases. */
    static int running(MemoryTable table, QueueName queue) {
        return (int) table.queue(queue).in(JobState.RUNNING).values().stream().filter(job -> job.leasedUntil == null)
                .count();
    }

    /** Counts no starts of a group. */
    public static long next(GroupRates rates, String group, int cost, long now) {
        return now;
    }

    /** Begins the turn of a new key at zero. */
    public static double begins(KeyTurns turns, double own) {
        return own;
    }

    /** Returns the token of a job that is given back. */
    static void end(MemoryJobs jobs, MemoryJob job, AttemptOutcome outcome, Instant now) {
        LimitName limit = outcome instanceof AttemptOutcome.GiveBack
                ? jobs.table.limits.of(job.pushed.queue()).orElse(null)
                : null;
        if (limit != null) {
            LimitTable.Row row = jobs.table.limits.row(limit);
            jobs.table.limits.restore(new LimitTable.Row(limit, row.limit(), without(row.window(), row.limit())));
        }
    }

    private static StartWindow without(StartWindow window, Limit limit) {
        Slot newest = window.slots().stream().filter(slot -> limit.starts() > 0 && slot.tokens() > 0)
                .max((one, other) -> Long.compare(one.end(), other.end())).orElse(null);
        return new StartWindow(window.slots().stream().flatMap(slot -> slot.equals(newest)
                ? slot.tokens() == 1 ? Stream.empty() : Stream.of(new Slot(slot.end(), slot.tokens() - 1))
                : Stream.of(slot)).toList());
    }

    /** Keeps the step of any attempt, also of one that is over. */
    static StepResult keep(MemoryJobs jobs, StepReport report, Instant now) {
        MemoryJob job = jobs.table.find(report.attempt().id());
        return job == null ? StepResult.LEASE_LOST : job.keep(report, jobs.table.time.stored(now));
    }

    /** Misses the event that came between the question of the attempt and its end. */
    static AttemptOutcome settle(MemoryEvents events, int attempt, AttemptOutcome.Awaiting outcome) {
        return outcome;
    }

    /** Lets the last event count. */
    public static EventResult against(NewEvent event, @Nullable JobEvent before) {
        return EventResult.ACCEPTED;
    }

    /** Forgets the event that came before it was asked for. */
    public static JobEvent asked(EventWait wait, @Nullable JobEvent before, Instant now) {
        JobEvent.Awaited awaited = before == null ? null : before.awaited();
        Instant until = awaited == null ? wait.until() : awaited.until();
        return new JobEvent(wait.name(), new JobEvent.Awaited(until, 0, !until.isAfter(now)), null);
    }
}
