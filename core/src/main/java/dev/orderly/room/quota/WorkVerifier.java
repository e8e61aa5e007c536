package dev.orderly.room.quota;

import dev.orderly.room.work.WorkSolution;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Verifies solutions one after the other, so that they take one processor of a gate at most, with {@value #PENDING}
 * that wait for it. Thread-safe, never blocks.
 */
public final class WorkVerifier {
    private static final int PENDING = 64;

    private final Executor executor;
    private final Semaphore free = new Semaphore(PENDING);
    private final ReentrantLock turn = new ReentrantLock(true);

    /** @param executor runs tasks that block and compute */
    public WorkVerifier(Executor executor) {
        this.executor = Objects.requireNonNull(executor, "executor");
    }

    /**
     * Verifies an authentic solution.
     *
     * @return whether it is right; null if too many wait
     */
    public @Nullable CompletionStage<Boolean> verify(WorkSolution solution, int cost) {
        Objects.requireNonNull(solution, "solution");
        if (!free.tryAcquire()) {
            return null;
        }
        try {
            return CompletableFuture.supplyAsync(() -> verified(solution, cost), executor)
                    .handle((right, failure) -> {
                        free.release();
                        return failure == null && right;
                    });
        } catch (RejectedExecutionException _) { // the gate stops
            free.release();
            return null;
        }
    }

    private boolean verified(WorkSolution solution, int cost) {
        turn.lock();
        try {
            return solution.isRight(cost);
        } finally {
            turn.unlock();
        }
    }
}
