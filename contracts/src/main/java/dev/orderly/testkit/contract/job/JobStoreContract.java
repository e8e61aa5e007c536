package dev.orderly.testkit.contract.job;

import dev.orderly.Store;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.testkit.contract.input.RandomRuns;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Every sentence of {@link JobStore} and {@link JobViews} as a test. A store is tested by a subclass that opens it:
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
 * <p>The subjects are interfaces, so that one class inherits all of them. One subject runs random commands from a few
 * fixed seeds; the system property {@value RandomRuns#SEEDS} or the variable {@code ORDERLY_SEEDS} asks for more: a
 * count, or a single seed written as {@code #seed}.
 */
public abstract class JobStoreContract
        implements
            PushPart,
            DedupePart,
            UniquePart,
            DebouncePart,
            TermsPart,
            ClaimPart,
            SettlePart,
            UnreadPart,
            CancelPart,
            FencePart,
            LeasePart,
            StepPart,
            BatchPart,
            BatchRunPart,
            EventPart,
            FifoPart,
            HaltPart,
            UpkeepPart,
            LivenessPart,
            SuspectPart,
            ViewsPart,
            ForgetPart,
            LimitPart,
            KeyPart,
            KeySettingPart,
            GroupRatePart,
            CostPart,
            SharePart,
            PausedRunPart,
            ThrottlePart,
            TextPart,
            ClockPart,
            NthCallPart,
            RandomPart {
    private @Nullable JobTrial trial;

    /**
     * An empty store. Closed by the contract.
     *
     * @param clock the clock by which the store finds nodes dead, also after {@link #reopen}
     */
    protected abstract Store open(Time clock);

    /**
     * The store as a new process finds it after the process of {@code killed} was killed: nothing may be flushed, given
     * back or signed off. The contract does not use {@code killed} again.
     */
    protected abstract Store reopen(Store killed);

    /** The maximum delay of views. By default far more than the second that they may lag. */
    protected Duration viewsLag() {
        return Duration.ofSeconds(5);
    }

    @BeforeEach
    public void begin() {
        trial = new JobTrial(this::open, this::reopen, viewsLag());
        trial.begin();
    }

    @AfterEach
    public void end() {
        trial().end();
    }

    /** The store under test, with the vocabulary of the tests. */
    @Override
    public JobTrial trial() {
        return Objects.requireNonNull(trial, "No test has begun");
    }
}
