package dev.orderly.job;

import java.util.List;

/**
 * What a round of upkeep did.
 *
 * @param givenBack jobs of dead nodes that wait again
 * @param poisoned jobs of dead nodes that became dead letters because their crashes reached the limit
 * @param pruned ended jobs and expired keys that were forgotten
 * @param more whether a limit was reached, so that another round should follow soon
 */
public record UpkeepReport(List<JobId> givenBack, List<JobId> poisoned, int pruned, boolean more) {
    public UpkeepReport {
        givenBack = List.copyOf(givenBack);
        poisoned = List.copyOf(poisoned);
    }
}
