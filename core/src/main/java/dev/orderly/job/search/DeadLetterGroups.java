package dev.orderly.job.search;

import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import java.util.List;

/**
 * Dead letters of one or all queues by queue and error, the largest groups first.
 *
 * @param complete whether these are all groups; otherwise there are more than {@link #GROUPS_MAX}, and any of them
 *     may be missing
 */
public record DeadLetterGroups(List<Group> groups, boolean complete) {
    /** The largest number of groups that are looked at. */
    public static final int GROUPS_MAX = 200;
    /** The largest number of dead letters that are counted in all. */
    public static final int COUNTED_MAX = 150_000;

    public DeadLetterGroups {
        groups = List.copyOf(groups);
    }

    /**
     * Dead letters of one queue with one error.
     *
     * @param shape what their summaries have in common
     * @param count the number of dead letters
     * @param atLeast whether counting stopped at {@code count}
     * @param first the dead letter that was pushed first
     * @param last the dead letter that was pushed last, an example of the group
     */
    public record Group(QueueName queue, ErrorFingerprint error, String shape, long count, boolean atLeast,
            JobView first, JobView last) {}
}
