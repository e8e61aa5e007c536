package dev.orderly.testkit.contract;

import dev.orderly.Store;
import dev.orderly.job.JobStore;
import dev.orderly.job.JobViews;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Every sentence of {@link JobStore} and {@link JobViews} as a test. A store proves itself by a subclass that says how
 * it is opened:
 *
 * {@snippet :
 * class MyStoreTest extends JobStoreContract {
 *     @Override
 *     protected Store open(Time clock) {
 *         return MyStore.at(anEmptyPlace(), clock);
 *     }
 *
 *     @Override
 *     protected Store reopen(Store killed) {
 *         abandonAsKillNineWould(killed);
 *         return MyStore.at(theSamePlace());
 *     }
 * }
 * }
 *
 * <p>The subjects are interfaces, so that one class inherits them all. One of them takes random commands from a few
 * fixed seeds; the system property {@value RandomRuns#SEEDS} or the variable {@code ORDERLY_SEEDS} asks for more: a
 * count, or one seed written as {@code #seed}.
 */
public abstract class JobStoreContract
        implements
            PushPart,
            DedupePart,
            ClaimPart,
            ClaimedBytesPart,
            SettlePart,
            FencePart,
            FifoPart,
            HaltPart,
            UpkeepPart,
            LivenessPart,
            SuspectPart,
            ViewsPart,
            TextPart,
            WeatherPart,
            RandomPart {
    private @Nullable Trial trial;

    /**
     * A store that holds nothing. Closed by the contract.
     *
     * @param clock the one that the store is to judge by which nodes are alive, also after {@link #reopen}
     */
    protected abstract Store open(Time clock);

    /**
     * What a new process finds after the one with this store open was killed: nothing may be flushed, given back or
     * said goodbye on the way. The contract does not use {@code killed} again.
     */
    protected abstract Store reopen(Store killed);

    /** How long views may take to show what was done. By default far more than the second they may lag by. */
    protected Duration viewsLag() {
        return Duration.ofSeconds(5);
    }

    @BeforeEach
    void begin() {
        trial = new Trial(this::open, this::reopen, viewsLag());
        trial.begin();
    }

    @AfterEach
    void end() {
        trial().end();
    }

    /** The store under test, and the words in which the tests speak to it. */
    @Override
    public Trial trial() {
        return Objects.requireNonNull(trial, "No test has begun");
    }
}
