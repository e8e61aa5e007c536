package dev.orderly.trial;

import java.time.Duration;
import java.util.List;

/**
 * What a trial counted. Whether the rules held is for the referee to say.
 *
 * @param pushed jobs
 * @param accepted jobs of them, whose push was answered
 * @param open accepted jobs of which no run ended well
 * @param pending jobs that the cluster still holds; -1 if no node answered
 * @param dead letters in the cluster; -1 if no node answered
 * @param ends microseconds of the runs that ended well, ascending
 * @param disturbances in order
 */
public record TrialResult(int pushed, int accepted, int open, int failedRuns, long pending, long dead, List<Long> ends,
        List<Disturbance> disturbances) {
    /**
     * A command against the cluster.
     *
     * @param from microseconds of its start
     * @param until microseconds of its end
     * @param exit its exit code
     */
    public record Disturbance(String command, long from, long until, int exit) {}

    public TrialResult {
        ends = List.copyOf(ends);
        disturbances = List.copyOf(disturbances);
    }

    /** Whether everything that was pushed was accepted and done, and the cluster holds nothing of it. */
    public boolean drained() {
        return accepted == pushed && open == 0 && pending == 0 && dead == 0;
    }

    /** The longest time between two runs that ended well. */
    public Duration longestPause() {
        long longest = 0;
        for (int n = 1; n < ends.size(); n++) {
            longest = Math.max(longest, ends.get(n) - ends.get(n - 1));
        }
        return Duration.ofNanos(longest * 1_000);
    }

    public long failedCommands() {
        return disturbances.stream().filter(each -> each.exit != 0).count();
    }
}
