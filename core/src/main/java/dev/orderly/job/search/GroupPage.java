package dev.orderly.job.search;

import dev.orderly.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Groups of a FIFO queue that have unsettled jobs or are halted.
 *
 * @param complete whether all groups of the queue were looked at. Otherwise the queue has more than
 *     {@link #NAMES_MAX}, and these were found among the oldest and newest jobs of the store
 * @param looked number of groups that were looked at
 * @param next the name after which a further page by name begins; null at the end, and in other orders
 */
public record GroupPage(List<Group> groups, boolean complete, int looked, @Nullable String next) {
    /** The largest number of groups of which an order is exact. */
    public static final int NAMES_MAX = 1_000;
    /** The largest number of jobs that one page counts. */
    public static final int COUNTED_MAX = 200_000;
    /** The largest number of jobs at each end of the store that are looked at in a queue of more groups. */
    public static final int SAMPLE_MAX = 10_000;

    public GroupPage {
        groups = List.copyOf(groups);
    }

    /** What a group does. */
    public enum Phase {
        /** Its next job can be claimed. */
        READY,
        /** A node, or a worker elsewhere, has jobs of it. */
        RUNNING,
        /** Its first job waits for its retry. */
        RETRYING,
        /** A dead letter halts it. Redriving or cancelling the dead letter resumes the group. */
        HALTED;

        /** The name in lower case, as in JSON. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A group.
     *
     * @param jobs the number of unsettled jobs
     * @param atLeast whether counting stopped at {@code jobs}
     * @param oldest the oldest unsettled job; null if there is none
     * @param haltedBy the oldest dead letter that halts the group; null if it is not halted
     * @param until moment at which the first job is retried; null if it does not wait for one
     */
    public record Group(String name, Phase phase, long jobs, boolean atLeast, @Nullable JobId oldest,
            @Nullable JobId haltedBy, @Nullable Instant until) {}
}
