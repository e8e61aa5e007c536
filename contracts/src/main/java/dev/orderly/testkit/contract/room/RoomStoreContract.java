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
 * Every sentence of {@link RoomStore} as a test. The test of a store is a subclass that opens the store, as with {@link
 * JobStoreContract}.
 *
 * <p>One part runs random commands from a few fixed seeds; the system property {@value RandomRuns#SEEDS} or the
 * variable {@code ORDERLY_SEEDS} asks for more.
 */
public abstract class RoomStoreContract
        implements
            RoomLinePart,
            RoomDoorPart,
            RoomLimitPart,
            RoomPassPart,
            RoomMovePart,
            RoomRecordPart,
            RoomOperatorPart,
            RoomDrawPart,
            RoomTierPart,
            RoomTierDrawPart,
            RoomInvitationPart,
            RoomUserPart,
            RoomFaultPart,
            RoomNthCallPart,
            RoomTextPart,
            UnreachableGatePart,
            RoomTablePart,
            RoomRandomPart {
    private @Nullable RoomTrial trial;

    /** An empty store. The contract closes it. */
    protected abstract Store open();

    /**
     * The store as a new process finds it after the process of {@code killed} was killed: without any flush or orderly
     * close. The contract does not use {@code killed} again.
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

    /** The store under test, with short forms of its calls. */
    @Override
    public RoomTrial trial() {
        return Objects.requireNonNull(trial, "No test has begun");
    }
}
