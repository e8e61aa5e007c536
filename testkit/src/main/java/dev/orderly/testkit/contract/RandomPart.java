package dev.orderly.testkit.contract;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random lists of commands, compared with the memory store. */
interface RandomPart extends Part {
    int COMMANDS = 250;

    @Test
    @Tag("slow")
    default void randomCommandsHaveTheOutcomesOfTheModel() {
        new RandomRuns<>(seed -> Command.random(seed, COMMANDS), this::failure).hold();
    }

    /** The failure of a run; null if it succeeds. */
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
}
