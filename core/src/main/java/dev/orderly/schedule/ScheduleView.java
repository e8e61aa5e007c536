package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The current state of a schedule, for pages and APIs. */
public interface ScheduleView {
    /** The name of the schedule. */
    ScheduleName name();

    /** Its timing. */
    Timing timing();

    /** The queue of its jobs. */
    QueueName queue();

    /** The group of its jobs; null on a standard queue. */
    @Nullable
    String group();

    /**
     * The next instant; null if none comes, as while it is paused, and before the end of the run under way if the
     * timing counts from it.
     */
    @Nullable
    Instant next();

    /** The last instant that pushed a job; null if none did. */
    @Nullable
    Instant last();

    /** The last job, of an instant or by hand; null if there was none. */
    @Nullable
    JobId lastJob();

    /** The state of the last job; null if there was none or it is no longer kept. */
    @Nullable
    JobState lastState();

    /** The last instant that was skipped because a run was under way; null if none was. */
    @Nullable
    Instant lastSkipped();

    /** Null while it fires. */
    @Nullable
    SchedulePause pause();

    /** Its last runs, the newest first, {@value ScheduleHistory#RUNS_MAX} at most. */
    List<PastRun> runs();

    /** Whether the next instant follows the end of the run under way, so that it is not known yet. */
    boolean awaitsEnd();

    /**
     * The next instants after {@link #next}, that one included, at most {@code most}; empty while it is paused. A
     * timing that counts from the end has one at most.
     */
    List<Instant> upcoming(int most);
}
