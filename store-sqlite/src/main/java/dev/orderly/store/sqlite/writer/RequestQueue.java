package dev.orderly.store.sqlite.writer;

import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Bounded queue of requests to the writer: any thread adds requests, the writer takes those of one group commit. */
public final class RequestQueue {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CAPACITY = 16_384;
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(1);

    private final Time time;
    private final Queue<Call<?>> calls = new ConcurrentLinkedQueue<>();
    private final Semaphore capacity = new Semaphore(CAPACITY);
    private volatile @Nullable Thread sleeper;
    private volatile @Nullable StoreException closed;

    public RequestQueue(Time time) {
        this.time = time;
    }

    /** Adds a request and waits for its answer. An interrupt withdraws a request that has not begun. */
    public <T> T ask(WriteRequest<T> request) {
        return ask(new Call<>(request, true));
    }

    /** As {@link #ask}, but an interrupt does not withdraw the request. */
    public <T> T askUninterruptibly(WriteRequest<T> request) {
        return ask(new Call<>(request, false));
    }

    private <T> T ask(Call<T> call) {
        long deadline = time.deadline(PATIENCE);
        enter(call, deadline);
        calls.add(call);
        Thread asleep = sleeper;
        if (asleep != null) {
            LockSupport.unpark(asleep);
        }
        // The queue may have been closed after the check in enter: then the writer may never take the request.
        StoreException reason = closed;
        if (reason != null && call.take()) {
            call.fail(reason);
        }
        return call.await(time, deadline);
    }

    private void enter(Call<?> call, long deadline) {
        if (closed != null) {
            throw closed;
        }
        boolean interrupted = false;
        try {
            for (boolean entered = capacity.tryAcquire(); !entered;) {
                try {
                    entered = capacity.tryAcquire(deadline - time.nanos(), TimeUnit.NANOSECONDS);
                    if (!entered) {
                        throw new StoreException.Unavailable(
                                CAPACITY + " requests wait for the store: send less, or try again later",
                                null);
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                    if (call.interruptible) {
                        throw new StoreException.Unavailable(
                                "The calling thread was interrupted before the store began",
                                e);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes requests of up to about {@code weight} jobs; waits up to 1 s for the first. For the writer. */
    void take(List<Call<?>> into, int weight) {
        if (calls.isEmpty()) {
            sleep();
        }
        int left = 0;
        int taken = 0;
        for (Call<?> call = calls.poll(); call != null; call = taken < weight ? calls.poll() : null) {
            left++;
            if (call.take()) {
                into.add(call);
                taken += call.request.weight();
            }
        }
        capacity.release(left);
    }

    private void sleep() {
        sleeper = Thread.currentThread();
        if (calls.isEmpty() && closed == null) {
            time.park(time.deadline(LONGEST_IDLE));
        }
        sleeper = null;
    }

    /** Closes the queue: later requests fail with this reason, waiting requests are still served. */
    public void close(StoreException reason) {
        if (closed == null) {
            closed = reason;
        }
        Thread asleep = sleeper;
        if (asleep != null) {
            LockSupport.unpark(asleep);
        }
    }

    Time time() {
        return time;
    }

    /** Requests that the writer has not taken yet. Approximate. */
    public int waiting() {
        return CAPACITY - capacity.availablePermits();
    }

    boolean isClosed() {
        return closed != null;
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** A request and the caller that waits for its answer. Made by the calling thread. */
    public static final class Call<T> {
        private enum Phase {
            WAITING, TAKEN, ANSWERED, ABANDONED
        }

        final WriteRequest<T> request;
        private final boolean interruptible;
        private final Thread caller = Thread.currentThread();
        private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.WAITING);
        private @Nullable Supplier<T> written;
        private @Nullable T answer;
        private @Nullable RuntimeException failure;

        public Call(WriteRequest<T> request, boolean interruptible) {
            this.request = request;
            this.interruptible = interruptible;
        }

        // The writer's side.

        /** Marks the request as begun; false if its caller gave up before. */
        public boolean take() {
            return phase.compareAndSet(Phase.WAITING, Phase.TAKEN);
        }

        /** Runs the part inside the transaction. */
        void write(WriterState state) throws SQLException {
            written = request.work().write(state);
        }

        /** Runs the part after the commit. */
        void answer(WriterState state) {
            if (written == null) {
                throw new IllegalStateException("Answered before it was written");
            }
            T made = written.get();
            answer = made;
            if (phase.compareAndSet(Phase.TAKEN, Phase.ANSWERED)) {
                LockSupport.unpark(caller);
            } else {
                request.takeBack().accept(state, made);
            }
        }

        /** Fails the request, unless it was answered. */
        void fail(RuntimeException reason) {
            if (phase.get() == Phase.ANSWERED) {
                return;
            }
            failure = reason;
            if (phase.compareAndSet(Phase.TAKEN, Phase.ANSWERED)
                    || phase.compareAndSet(Phase.WAITING, Phase.ANSWERED)) {
                LockSupport.unpark(caller);
            }
        }

        // The caller's side.

        /**
         * Waits for the answer until the deadline. An interrupt ends the wait only for an interruptible request that
         * the writer has not taken. Keeps the interrupt flag.
         */
        public T await(Time time, long deadline) {
            boolean interrupted = false;
            try {
                while (phase.get() != Phase.ANSWERED) {
                    interrupted |= Thread.interrupted();
                    if (interrupted && interruptible && phase.compareAndSet(Phase.WAITING, Phase.ABANDONED)) {
                        throw new StoreException.Unavailable(
                                "The calling thread was interrupted before the store began",
                                null);
                    }
                    if (time.reached(deadline)) {
                        giveUp();
                    } else {
                        time.park(deadline);
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            return result();
        }

        private void giveUp() {
            if (phase.compareAndSet(Phase.WAITING, Phase.ABANDONED)) {
                throw new StoreException.Unavailable(
                        "The store was too busy to begin the request: send less, or try again later", null);
            }
            if (phase.compareAndSet(Phase.TAKEN, Phase.ABANDONED)) {
                throw new StoreException.OutcomeUnknown(
                        "The store began the request and did not finish in time: check the disk",
                        null);
            }
        }

        private T result() {
            if (failure != null) {
                throw failure;
            }
            if (answer == null) {
                throw new IllegalStateException("Answered with nothing: " + request);
            }
            return answer;
        }
    }
}
