package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.schedule.PastRun;
import dev.orderly.schedule.ScheduleDefinition;
import dev.orderly.schedule.SchedulePause;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A schedule, with the state of its last runs. */
@Doc(name = "Schedule")
record ScheduleJson(String schedule,
        @Doc("The timing, in cron fields or words, such as every 7 minutes after the end.") String cron,
        @Doc("The time zone of the timing.") String zone, @Doc("The queue of its jobs.") String queue,
        @Doc("The group of its jobs; null on a standard queue.") @Nullable String group,
        @Doc("The next instant; null if none comes, as while it is paused, and if it follows the end of the run under"
                + " way.") @Nullable Instant next,
        @Doc("Whether the next instant follows the end of the run under way, as of a timing such as every 7 minutes"
                + " after the end.") boolean awaitsEnd,
        @Doc(LAST) @Nullable Instant last,
        @Doc("The last instant that was skipped, since a run was under way.") @Nullable Instant lastSkipped,
        @Doc("The job of the last run, scheduled or manual.") @Nullable JobId lastJob,
        @Doc("The state of that job; null if it is no longer stored.") @Nullable JobState lastState,
        @Nullable Pause paused,
        @Doc(value = "The next instants; empty while it is paused. A timing that counts from the end of each run has"
                + " one at most.", facets = "maxItems: " + UPCOMING) List<Instant> upcoming,
        @Doc(value = "The last runs, the newest first.", facets = "maxItems: 20") List<Run> runs,
        @Doc("The longest time by which a run begins after its instant; null for none.") @Nullable Duration jitter,
        @Nullable Made made) {
    private static final int UPCOMING = 5;
    static final String LAST = "The last instant that pushed a job.";

    /** All schedules. */
    @Doc(name = "Schedules")
    record All(List<ScheduleJson> schedules,
            @Doc("The schedules of the store that no live node declares: nobody fires"
                    + " them.") List<Undeclared> undeclared) {
        static All of(List<ScheduleJson> schedules, List<ScheduleState> undeclared) {
            return new All(schedules, undeclared.stream().map(Undeclared::of).toList());
        }
    }

    /** A schedule that no live node declares. */
    record Undeclared(String schedule,
            @Doc("The timing, in cron fields or words, and its time zone.") String timing,
            @Doc(LAST) @Nullable Instant last, @Nullable JobId lastJob) {
        private static Undeclared of(ScheduleState state) {
            return new Undeclared(state.name().value(), state.timing(), state.fired(), state.job());
        }
    }

    /** The pause of a schedule. */
    record Pause(String by, Instant at) {
        private static @Nullable Pause of(@Nullable SchedulePause pause) {
            return pause == null ? null : new Pause(pause.by(), pause.at());
        }
    }

    /** Who made a schedule. */
    @Doc(name = "MadeSchedule", value = "Who made or changed the schedule at run time; null for one of the"
            + " configuration or a program.")
    record Made(String by, Instant at) {
        private static @Nullable Made of(ScheduleDefinition definition) {
            return definition.isEmpty() ? null : new Made(definition.by(), definition.at());
        }
    }

    /** A run, or a skipped instant. */
    @Doc(name = "PastRun")
    record Run(@Doc("Null for a run by hand.") @Nullable Instant instant, @Doc("The push, or the skip.") Instant at,
            @Doc("Null for a skipped instant.") @Nullable JobId job,
            @Doc("`unknown`: the job was forgotten before its end was recorded.") PastRun.Outcome outcome,
            @Nullable Instant endedAt,
            @Doc(value = "Number of instants in a row that were skipped, of which this is the last.",
                    facets = "minimum: 1") @OmitNull @Nullable Integer skips) {
        private static Run of(PastRun run) {
            return new Run(run.instant(), run.at(), run.job(), run.outcome(), run.endedAt(),
                    run.skips() == 0 ? null : Integer.valueOf(run.skips()));
        }
    }

    /** A schedule that was forgotten. */
    @Doc(name = "ForgottenSchedule")
    record Forgotten(String schedule, boolean forgotten) {}

    /** @param definition what was made at run time under its name */
    static ScheduleJson of(ScheduleView view, ScheduleDefinition definition) {
        return new ScheduleJson(view.name().value(), view.timing().text(), view.timing().zone().getId(),
                view.queue().value(), view.group(), view.next(), view.awaitsEnd(), view.last(), view.lastSkipped(),
                view.lastJob(), view.lastState(), Pause.of(view.pause()), view.upcoming(UPCOMING),
                view.runs().stream().map(Run::of).toList(),
                view.timing().jitter().isZero() ? null : view.timing().jitter(), Made.of(definition));
    }
}
