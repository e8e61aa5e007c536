package dev.orderly.testkit.contract.room;

import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.testkit.contract.input.RandomRuns;
import dev.orderly.time.Time;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random lists of commands, compared with a model. */
public interface RoomRandomPart extends RoomPart {
    int COMMANDS = 300;
    /** Commands between two copies. */
    int SPAN = 35;

    @Test
    @Tag("slow")
    default void randomCommandsHaveTheOutcomesOfTheModel() {
        new RandomRuns<>(seed -> RandomRoomStep.random(seed, COMMANDS),
                commands -> failure(trial().another(), commands))
                .hold();
    }

    /**
     * Random commands on a store that is copied again and again.
     *
     * @param kinds the stores of a run in turn, each a copy of the one before
     */
    static RandomRuns<?> overCopies(List<? extends MovingStore.Kind> kinds) {
        return new RandomRuns<>(seed -> RandomRoomStep.copying(seed, COMMANDS, SPAN),
                commands -> failure(
                        new RoomTrial(() -> MovingStore.open(kinds, Time.system()), MovingStore::reopened), commands));
    }

    /** The failure of a run; null if it has the outcomes of the model. */
    private static @Nullable Throwable failure(RoomTrial trial, List<RandomRoomStep> commands) {
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
