package dev.orderly.job.present;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.store.AttemptSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The course of a job over time, from its push to its end or to the present, as spans without gaps as far as moments
 * are kept.
 */
public final class JobTimeline {
    private final List<Span> spans = new ArrayList<>();
    private Instant reached;
    private @Nullable Instant due;

    private JobTimeline(Instant pushedAt) {
        reached = pushedAt;
    }

    /** The activity of a job in a span. */
    public enum Activity {
        /**
         * Could be claimed, or waited for earlier jobs of its group. After a redrive: the time as a dead letter, too.
         */
        WAITING,
        /** Was not due. */
        DELAYED,
        /** Was claimed. */
        RUNNING,
        /** Attempts of this time are not kept any more. */
        UNKNOWN;

        /** The name in JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A part of the time.
     *
     * @param to null while it lasts; of a delay the moment at which it ends, also in the future
     * @param attempt null unless the job was claimed
     */
    public record Span(Activity activity, Instant from, @Nullable Instant to, @Nullable JobAttempt attempt) {}

    /** @param attempts all known attempts, as {@link AttemptSnapshot#of} returns them */
    public static List<Span> of(JobView job, List<JobAttempt> attempts) {
        JobTimeline timeline = new JobTimeline(job.pushedAt());
        int number = 0;
        for (JobAttempt attempt : attempts) {
            timeline.add(attempt, attempt.number() > number + 1);
            number = attempt.number();
        }
        timeline.end(job);
        return List.copyOf(timeline.spans);
    }

    private void add(JobAttempt attempt, boolean afterUnkept) {
        Instant start = attempt.run().startedAt();
        Instant end = attempt.endedAt();
        if (start == null) {
            unknownUntil(end);
        } else {
            if (afterUnkept) {
                unknownUntil(start);
            } else {
                waitUntil(start);
            }
            spans.add(new Span(Activity.RUNNING, start, end, attempt));
            Instant until = end == null ? start : end;
            reached = until.isAfter(reached) ? until : reached;
        }
        due = attempt.nextAt();
    }

    private void unknownUntil(@Nullable Instant moment) {
        if (moment != null && moment.isAfter(reached)) {
            spans.add(new Span(Activity.UNKNOWN, reached, moment, null));
            reached = moment;
        }
    }

    /** Adds the delay, if any, and the wait behind it. */
    private void waitUntil(Instant moment) {
        if (due != null && due.isAfter(reached)) {
            Instant delayed = due.isBefore(moment) ? due : moment;
            spans.add(new Span(Activity.DELAYED, reached, delayed, null));
            reached = delayed;
        }
        if (moment.isAfter(reached)) {
            spans.add(new Span(Activity.WAITING, reached, moment, null));
            reached = moment;
        }
    }

    private void end(JobView job) {
        if (job.state() == JobState.DELAYED) {
            spans.add(new Span(Activity.DELAYED, reached, job.dueAt(), null));
        } else if (job.state() == JobState.WAITING) {
            spans.add(new Span(Activity.WAITING, reached, null, null));
        } else if (job.state().isEnd() && job.endedAt() != null) {
            waitUntil(job.endedAt());
        }
    }
}
