package dev.orderly.testkit.contract.input;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.BooleanSupplier;
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
     * The system property with a count of seeds, {@code #} and one seed, the first and the last, as in {@code
     * 1001-2000}, or the first of as many as meet something new, as in {@code 1-flat}; {@code ORDERLY_SEEDS} does the
     * same.
     */
    public static final String SEEDS = "orderly.seeds";

    private static final String FLAT = "flat";
    private static final int FIXED_SEEDS = 12;
    /** The maximum time for shortening a failing run. */
    private static final Duration SHORTENING = Duration.ofSeconds(30);

    public void hold() {
        hold(FIXED_SEEDS);
    }

    /** @param fixed number of seeds, unless {@value #SEEDS} asks for others */
    public void hold(int fixed) {
        hold(fixed, () -> {
            throw new IllegalArgumentException("These runs do not know when they meet nothing new: give -D" + SEEDS
                    + " a number of seeds, or the first and the last");
        });
    }

    /**
     * As {@link #hold(int)}.
     *
     * @param flat whether the runs so far make it unlikely that another one meets anything new
     */
    public void hold(int fixed, BooleanSupplier flat) {
        String asked = System.getProperty(SEEDS, Objects.requireNonNullElse(System.getenv("ORDERLY_SEEDS"), ""));
        for (PrimitiveIterator.OfLong seeds = seeds(asked, fixed, flat).iterator(); seeds.hasNext();) {
            long seed = seeds.nextLong();
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

    /**
     * The seeds of a run.
     *
     * @param asked as {@value #SEEDS}; empty for the fixed ones
     */
    static LongStream seeds(String asked, int fixed, BooleanSupplier flat) {
        if (asked.startsWith("#")) {
            return LongStream.of(Long.parseLong(asked.substring(1)));
        }
        int dash = asked.indexOf('-');
        if (dash > 0) {
            LongStream from = LongStream.iterate(Long.parseLong(asked.substring(0, dash)), seed -> seed + 1);
            String last = asked.substring(dash + 1);
            return last.equals(FLAT)
                    ? from.takeWhile(_ -> !flat.getAsBoolean())
                    : from.takeWhile(seed -> seed <= Long.parseLong(last));
        }
        return LongStream.rangeClosed(1, asked.isEmpty() ? fixed : Long.parseLong(asked));
    }
}
