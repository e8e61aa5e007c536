package dev.orderly.testkit.jobsim;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Judges the limits over all nodes and of keys, by the starts of jobs and by what still runs.
 *
 * @param <J> a job
 */
final class LimitReferee<J> {
    /** Number of attempts of a job that run and are not fenced. */
    private final ToIntFunction<J> unfenced;
    private final Map<String, Seen<J>> limits = new HashMap<>();

    private static final class Seen<J> {
        /** The largest concurrency that may be in force; 0 for that of the declaration. */
        private int most;
        private final Set<J> running = new HashSet<>();
        /** A start for each of its tokens. */
        private final Deque<Long> starts = new ArrayDeque<>();
    }

    LimitReferee(ToIntFunction<J> unfenced) {
        this.unfenced = unfenced;
    }

    private Seen<J> seen(String limit) {
        return limits.computeIfAbsent(limit, _ -> new Seen<>());
    }

    /** An operator sets the concurrency of a limit: from now on it may be in force, also the one before. */
    void mayBe(String limit, int declared, int concurrency) {
        Seen<J> seen = seen(limit);
        seen.most = Math.max(concurrency, Math.max(declared, seen.most));
    }

    /** The concurrency of a limit that is in force on every node. */
    void is(String limit, int concurrency) {
        seen(limit).most = concurrency;
    }

    /**
     * Judges the start of a job that runs now; returns how it breaks a limit, or null.
     *
     * @param cost the tokens that it takes of each rate
     */
    @Nullable
    String started(J job, int cost, List<SimulatedQueues.Bound> bounds, long now) {
        for (SimulatedQueues.Bound bound : bounds) {
            Seen<J> seen = seen(bound.name());
            seen.running.add(job);
            seen.running.removeIf(other -> unfenced.applyAsInt(other) == 0);
            int running = seen.running.stream().mapToInt(unfenced).sum();
            int most = seen.most > 0 ? seen.most : bound.limit().concurrency();
            if (most > 0 && running > most) {
                return "is one of " + running + " that run at once under limit " + bound.name() + " of " + most;
            }
            seen.starts.addAll(Collections.nCopies(cost, now));
            long period = bound.limit().period().toNanos();
            while (!seen.starts.isEmpty() && now - seen.starts.element() >= period) {
                seen.starts.remove();
            }
            if (bound.limit().starts() > 0 && seen.starts.size() > bound.limit().starts()) {
                return "takes the last of " + seen.starts.size() + " tokens within " + period / 1e9 + " s under limit "
                        + bound.name() + " of " + bound.limit().starts();
            }
        }
        return null;
    }
}
