package dev.orderly.testkit.contract.room;

import dev.orderly.testkit.contract.input.RandomRuns;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random lists of commands, compared with a model. */
public interface RoomRandomPart extends RoomPart {
    int COMMANDS = 300;

    @Test
    @Tag("slow")
    default void randomCommandsHaveTheOutcomesOfTheModel() {
        new RandomRuns<>(seed -> RoomCommand.random(seed, COMMANDS), this::failure).hold();
    }

    /** The failure of a run; null if it has the outcomes of the model. */
    private @Nullable Throwable failure(List<RoomCommand> commands) {
        RoomTrial trial = trial().another();
        trial.begin();
        try {
            new RoomRandomRun(trial).take(commands);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e;
        } finally {
            trial.end();
        }
    }
}
