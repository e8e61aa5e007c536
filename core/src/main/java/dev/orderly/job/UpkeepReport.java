package dev.orderly.job;

import java.util.List;

/**
 * What a round of upkeep did.
 *
 * @param givenBack jobs of dead nodes that wait again
 * @param poisoned jobs of dead nodes that became dead letters because their crashes reached the limit
 * @param pruned ended jobs and expired keys that were forgotten
 * @param mended groups that stood otherwise than their jobs and were set right: more than 0 means a fault of the store
 * @param more whether a limit was reached, so that another round should follow soon
 */
public record UpkeepReport(List<JobId> givenBack, List<JobId> poisoned, int pruned, int mended, boolean more) {
    public UpkeepReport {
        givenBack = List.copyOf(givenBack);
        poisoned = List.copyOf(poisoned);
    }

    /** Of a round in which nothing had to be set right. */
    public UpkeepReport(List<JobId> givenBack, List<JobId> poisoned, int pruned, boolean more) {
        this(givenBack, poisoned, pruned, 0, more);
    }

    public UpkeepReport withMended(int groups) {
        return new UpkeepReport(givenBack, poisoned, pruned, groups, more);
    }
}
