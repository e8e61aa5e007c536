package dev.orderly.testkit.contract.input;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs random lists of commands, one list for each requested seed. A failing list is shortened as far as possible.
 *
 * @param random the list of a seed
 * @param run runs a list; null if it succeeds
 */
public record RandomRuns<C>(LongFunction<List<C>> random, Function<List<C>, @Nullable Throwable> run) {
    /**
     * The system property with a count of seeds, {@code #} and one seed, or the first and the last, as in {@code
     * 1001-2000}; {@code ORDERLY_SEEDS} does the same.
     */
    public static final String SEEDS = "orderly.seeds";

    private static final int FIXED_SEEDS = 12;
    /** The maximum time for shortening a failing run. */
    private static final Duration SHORTENING = Duration.ofSeconds(30);

    public void hold() {
        hold(FIXED_SEEDS);
    }

    /** @param fixed number of seeds, unless {@value #SEEDS} asks for others */
    public void hold(int fixed) {
        for (long seed : seeds(fixed)) {
            List<C> commands = random.apply(seed);
            Throwable failure = run.apply(commands);
            if (failure != null) {
                List<C> shortest = shorten(commands);
                Throwable clearest = Objects.requireNonNullElse(run.apply(shortest), failure);
                throw new AssertionError(report(seed, shortest, clearest), clearest);
            }
        }
    }

    /** The failure of the first seed that fails, not shortened; null if all of them, 1 to {@code last}, hold. */
    public @Nullable Throwable failure(int last) {
        for (long seed = 1; seed <= last; seed++) {
            Throwable failure = run.apply(random.apply(seed));
            if (failure != null) {
                return failure;
            }
        }
        return null;
    }

    /** Removes commands that the failure does not need: halves first, then smaller pieces, at last single commands. */
    private List<C> shorten(List<C> failing) {
        List<C> shortest = failing;
        long deadline = Time.system().deadline(SHORTENING);
        for (int piece = failing.size() / 2; piece > 0; piece /= 2) {
            for (int from = 0; from < shortest.size() && !Time.system().reached(deadline);) {
                List<C> without = new ArrayList<>(shortest);
                without.subList(from, Math.min(from + piece, without.size())).clear();
                if (run.apply(without) != null) {
                    shortest = without;
                } else {
                    from += piece;
                }
            }
        }
        return shortest;
    }

    private static String report(long seed, List<?> commands, Throwable failure) {
        String list = commands.stream().map(command -> "  " + command).collect(Collectors.joining("\n"));
        return "Seed " + seed + " (again with -D" + SEEDS + "=#" + seed + "), shortened to "
                + commands.size() + " commands:\n" + list + "\n" + failure.getMessage();
    }

    private static long[] seeds(int fixed) {
        String asked = System.getProperty(SEEDS,
                Objects.requireNonNullElse(System.getenv("ORDERLY_SEEDS"), ""));
        if (asked.startsWith("#")) {
            return new long[]{Long.parseLong(asked.substring(1))};
        }
        int dash = asked.indexOf('-');
        if (dash > 0) {
            return LongStream.rangeClosed(Long.parseLong(asked.substring(0, dash)),
                    Long.parseLong(asked.substring(dash + 1))).toArray();
        }
        return LongStream.rangeClosed(1, asked.isEmpty() ? fixed : Long.parseLong(asked)).toArray();
    }
}
