package dev.orderly.room.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.VisitorId;
import dev.orderly.room.work.WorkSolution;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The bound of what verifying work costs a gate. */
class WorkVerifierTest {
    private static final WorkSolution WRONG = new WorkSolution(new VisitorId(1, 2), Instant.EPOCH, "", 0,
            "00".repeat(32));

    @Test
    void anExecutorThatRefusesMakesItBusyAndNotSmaller() {
        List<Runnable> tasks = new ArrayList<>();
        boolean[] refuses = {true};
        WorkVerifier verifier = new WorkVerifier(task -> {
            if (refuses[0]) {
                throw new RejectedExecutionException("stopped");
            }
            tasks.add(task);
        });
        for (int n = 0; n < 100; n++) {
            assertThat(verifier.verify(WRONG, 1_000)).isNull();
        }
        refuses[0] = false;
        for (int n = 0; n < 64; n++) {
            assertThat(verifier.verify(WRONG, 1_000)).isNotNull();
        }
        assertThat(verifier.verify(WRONG, 1_000)).isNull();
        tasks.removeFirst().run();
        assertThat(verifier.verify(WRONG, 1_000)).isNotNull();
    }

    @Test
    void aFailureIsNoProofAndFreesItsTurn() {
        WorkVerifier verifier = new WorkVerifier(Runnable::run);
        WorkSolution broken = new WorkSolution(new VisitorId(1, 2), Instant.EPOCH, "", 0, "no key");
        for (int n = 0; n < 100; n++) {
            assertThat(Objects.requireNonNull(verifier.verify(broken, 1_000)).toCompletableFuture().join()).isFalse();
        }
    }
}
