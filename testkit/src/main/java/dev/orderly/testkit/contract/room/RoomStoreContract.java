package dev.orderly.testkit.contract.room;

import dev.orderly.Store;
import dev.orderly.room.store.RoomStore;
import dev.orderly.testkit.contract.input.RandomRuns;
import dev.orderly.testkit.contract.job.JobStoreContract;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Every sentence of {@link RoomStore} as a test. A store proves itself by a subclass that says how it is opened, as with
 * {@link JobStoreContract}.
 *
 * <p>One of the subjects takes random commands from a few fixed seeds; the system property {@value RandomRuns#SEEDS} or
 * the variable {@code ORDERLY_SEEDS} asks for more.
 */
public abstract class RoomStoreContract
        implements
            RoomLinePart,
            RoomDoorPart,
            RoomLimitPart,
            RoomPassPart,
            RoomOperatorPart,
            RoomFaultPart,
            RoomTextPart,
            RoomWeatherPart,
            RoomTablePart,
            RoomRandomPart {
    private @Nullable RoomTrial trial;

    /** A store that holds nothing. Closed by the contract. */
    protected abstract Store open();

    /**
     * What a new process finds after the one with this store open was killed: nothing may be flushed or said goodbye on
     * the way. The contract does not use {@code killed} again.
     */
    protected abstract Store reopen(Store killed);

    @BeforeEach
    public void begin() {
        trial = new RoomTrial(this::open, this::reopen);
        trial.begin();
    }

    @AfterEach
    public void end() {
        trial().end();
    }

    /** The store under test, and the words in which the tests speak to it. */
    @Override
    public RoomTrial trial() {
        return Objects.requireNonNull(trial, "No test has begun");
    }
}
