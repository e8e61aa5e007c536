package dev.orderly.testkit.contract;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random lists of commands, compared with the memory store. A list that fails is made as short as it goes. */
interface RandomPart extends Part {
    /** System property with a count of seeds, or {@code #} and one seed; {@code ORDERLY_SEEDS} does the same. */
    String SEEDS = "orderly.seeds";

    int COMMANDS = 250;
    int FIXED_SEEDS = 12;
    /** Bounds the time that a failing run takes. */
    Duration SHORTENING = Duration.ofSeconds(30);

    @Test
    default void randomCommandsHaveTheOutcomesOfTheModel() {
        for (long seed : seeds()) {
            List<Command> commands = Command.random(seed, COMMANDS);
            Throwable failure = failure(commands);
            if (failure != null) {
                List<Command> shortest = shorten(commands);
                Throwable clearest = Objects.requireNonNullElse(failure(shortest), failure);
                throw new AssertionError(report(seed, shortest, clearest), clearest);
            }
        }
    }

    /** Null if the run holds. */
    private @Nullable Throwable failure(List<Command> commands) {
        Trial trial = trial().another();
        trial.begin();
        try {
            new RandomRun(trial).take(commands);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        } finally {
            trial.end();
        }
    }

    /** Leaves out whatever the failure does not need: halves first, then smaller pieces, at last single commands. */
    private List<Command> shorten(List<Command> failing) {
        List<Command> shortest = failing;
        long deadline = Time.system().deadline(SHORTENING);
        for (int piece = failing.size() / 2; piece > 0; piece /= 2) {
            for (int from = 0; from < shortest.size() && !Time.system().reached(deadline);) {
                List<Command> without = new ArrayList<>(shortest);
                without.subList(from, Math.min(from + piece, without.size())).clear();
                if (failure(without) != null) {
                    shortest = without;
                } else {
                    from += piece;
                }
            }
        }
        return shortest;
    }

    private static String report(long seed, List<Command> commands, Throwable failure) {
        String list = commands.stream().map(command -> "  " + command).collect(Collectors.joining("\n"));
        return "Seed " + seed + " (again with -D" + SEEDS + "=#" + seed + "), shortened to " + commands.size()
                + " commands:\n" + list + "\n" + failure.getMessage();
    }

    private static long[] seeds() {
        String asked = System.getProperty(SEEDS, Objects.requireNonNullElse(System.getenv("ORDERLY_SEEDS"), ""));
        if (asked.startsWith("#")) {
            return new long[]{Long.parseLong(asked.substring(1))};
        }
        return LongStream.rangeClosed(1, asked.isEmpty() ? FIXED_SEEDS : Long.parseLong(asked)).toArray();
    }
}
