package dev.orderly.testkit.contract.job;

import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.testkit.contract.input.RandomRuns;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random lists of commands, compared with the memory store. */
public interface RandomPart extends JobPart {
    int COMMANDS = 300;
    /** Commands between two copies. */
    int SPAN = 35;

    @Test
    @Tag("slow")
    default void randomCommandsHaveTheOutcomesOfTheModel() {
        new RandomRuns<>(seed -> RandomJobStep.random(seed, COMMANDS), commands -> failure(trial().another(), commands))
                .hold();
    }

    /**
     * Random commands on a store that is copied again and again.
     *
     * @param kinds the stores of a run in turn, each a copy of the one before
     * @param viewsLag the maximum delay of views
     */
    static RandomRuns<?> overCopies(List<? extends MovingStore.Kind> kinds, Duration viewsLag) {
        return new RandomRuns<>(seed -> RandomJobStep.copying(seed, COMMANDS, SPAN),
                commands -> failure(new JobTrial(time -> MovingStore.open(kinds, time),
                        MovingStore::reopened, viewsLag), commands));
    }

    /** The failure of a run; null if it succeeds. */
    private static @Nullable Throwable failure(JobTrial trial, List<RandomJobStep> commands) {
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
