package dev.orderly.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/**
 * Turns many small calls into few large ones. While one batch is under way the next one gathers; there is no timer, so
 * a lone call is not delayed.
 *
 * <p>One batch at a time, on a virtual thread of its own; items stay in the order of their submission. A batch that
 * throws fails each of its items with that exception. Thread-safe.
 *
 * @param <I> an item
 * @param <O> its outcome
 */
public final class Batcher<I, O> {
    private final Bounds<I> bounds;
    private final Flush<I, O> flush;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition left = lock.newCondition();
    private final ArrayDeque<Entry<I, O>> waiting = new ArrayDeque<>();
    private int waitingWeight;
    private boolean closed;

    /** Does a batch of one item or more; the outcomes stand in the items' order. */
    @FunctionalInterface
    public interface Flush<I, O> {
        List<O> flush(List<I> batch);
    }

    /**
     * How much may gather.
     *
     * @param batchMax the weight at which a batch takes no further item
     * @param waitingMax the weight at which submitters are held back
     * @param weight of an item, 1 or more
     */
    public record Bounds<I>(int batchMax, int waitingMax, ToIntFunction<I> weight) {}

    private record Entry<I, O>(I item, int weight, CompletableFuture<O> outcome) {}

    /** Starts at once. */
    public Batcher(String name, Bounds<I> bounds, Flush<I, O> flush) {
        this.bounds = bounds;
        this.flush = flush;
        this.thread = Thread.ofVirtual().name("orderly-" + name).start(this::run);
    }

    /**
     * Adds an item; its future completes on the batcher's thread, so what hangs on it must not block. Blocks only
     * while {@link Bounds#waitingMax()} is reached. After {@link #close} the future fails with {@link
     * IllegalStateException}.
     */
    public CompletableFuture<O> submit(I item) {
        Entry<I, O> entry = new Entry<>(item, bounds.weight().applyAsInt(item), new CompletableFuture<>());
        lock.lock();
        try {
            while (!closed && waitingWeight >= bounds.waitingMax()) {
                left.awaitUninterruptibly();
            }
            if (closed) {
                entry.outcome().completeExceptionally(new IllegalStateException("Closed: nothing more is taken"));
                return entry.outcome();
            }
            waiting.add(entry);
            waitingWeight += entry.weight();
            if (waiting.size() == 1) {
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
        return entry.outcome();
    }

    /**
     * As {@link #submit} for callers that must not block: where that would, the future fails at once with {@link
     * RejectedExecutionException}.
     */
    public CompletableFuture<O> offer(I item) {
        lock.lock();
        try {
            if (waitingWeight >= bounds.waitingMax()) {
                return CompletableFuture.failedFuture(new RejectedExecutionException(
                        waitingWeight + " wait already: try again later"));
            }
            return submit(item);
        } finally {
            lock.unlock();
        }
    }

    /** Takes no more, does what is waiting, and waits for that, at most {@code patience}. Idempotent. */
    public void close(Duration patience) {
        lock.lock();
        try {
            closed = true;
            arrived.signalAll();
            left.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        for (List<Entry<I, O>> batch = take(); !batch.isEmpty(); batch = take()) {
            flush(batch);
        }
    }

    /** The next batch; empty when closed and nothing is left. */
    private List<Entry<I, O>> take() {
        List<Entry<I, O>> batch = new ArrayList<>();
        lock.lock();
        try {
            while (waiting.isEmpty() && !closed) {
                arrived.awaitUninterruptibly();
            }
            for (int weight = 0; !waiting.isEmpty() && weight < bounds.batchMax();) {
                Entry<I, O> entry = waiting.remove();
                weight += entry.weight();
                batch.add(entry);
                waitingWeight -= entry.weight();
            }
            left.signalAll();
        } finally {
            lock.unlock();
        }
        return batch;
    }

    private void flush(List<Entry<I, O>> batch) {
        List<O> outcomes;
        try {
            outcomes = flush.flush(batch.stream().map(Entry::item).toList());
        } catch (RuntimeException | Error e) {
            batch.forEach(entry -> entry.outcome().completeExceptionally(e));
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).outcome().complete(outcomes.get(i));
        }
    }
}
