package dev.orderly.testkit.contract.job;

import dev.orderly.testkit.contract.input.RandomRuns;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random lists of commands, compared with the memory store. */
public interface RandomPart extends JobPart {
    int COMMANDS = 300;

    @Test
    @Tag("slow")
    default void randomCommandsHaveTheOutcomesOfTheModel() {
        new RandomRuns<>(seed -> JobCommand.random(seed, COMMANDS), this::failure).hold();
    }

    /** The failure of a run; null if it succeeds. */
    private @Nullable Throwable failure(List<JobCommand> commands) {
        JobTrial trial = trial().another();
        trial.begin();
        try {
            new JobRandomRun(trial).take(commands);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        } finally {
            trial.end();
        }
    }
}
