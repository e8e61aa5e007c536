package dev.orderly.flow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Turns many small calls into few large ones. While one batch is under way the next one gathers; there is no timer, so
 * a lone call is not delayed.
 *
 * <p>One batch at a time, on a platform thread that lives while there is work and some seconds more, and beside it at most
 * one item of a {@link #call}; items that are submitted stay in their order. A batch that throws, or answers with a
 * wrong number of outcomes, fails each of its items; nothing that happens to one batch keeps the next from being done.
 * Thread-safe.
 *
 * @param <I> an item
 * @param <O> its outcome
 */
public final class Batcher<I, O> {
    private final Bounds<I> bounds;
    private final Flush<I, O> flush;
    private final Executor executor;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private final Condition idle = lock.newCondition();
    private final ArrayDeque<Entry<I, O>> waiting = new ArrayDeque<>();
    private int waitingWeight;
    private boolean busy;
    /** Whether a caller does its own item. */
    private boolean leading;
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

    /** With batches on a thread of that name. */
    public Batcher(String name, Bounds<I> bounds, Flush<I, O> flush) {
        this(bounds, flush, new CachedThreads(name));
    }

    /**
     * With batches where the caller wants them: for a simulation, which says itself when they are done.
     *
     * @param executor is given work when the first item arrives, and again when one arrives after that was done
     */
    public Batcher(Bounds<I> bounds, Flush<I, O> flush, Executor executor) {
        this.bounds = bounds;
        this.flush = flush;
        this.executor = executor;
    }

    /**
     * Adds an item; its future completes on the batcher's thread, so what hangs on it must not block. Blocks only
     * while {@link Bounds#waitingMax()} is reached. After {@link #close} the future fails with {@link
     * IllegalStateException}.
     */
    public CompletableFuture<O> submit(I item) {
        return add(item, true);
    }

    /**
     * As {@link #submit} for callers that must not block: where that would, the future fails at once with {@link
     * RejectedExecutionException}.
     */
    public CompletableFuture<O> offer(I item) {
        return add(item, false);
    }

    /**
     * Does one item and answers with its outcome; blocks until then. While nothing else is under way the caller's own thread
     * does it, as a batch of one: a lone caller is not slowed down by two changes of threads. What arrives meanwhile is done
     * beside it, so a caller that is not given a processor holds up nobody else.
     *
     * @throws CompletionException as the future of {@link #submit} does
     */
    public O call(I item) {
        if (!lead()) {
            return submit(item).join();
        }
        try {
            return flushed(List.of(item)).getFirst();
        } catch (Throwable e) {
            FatalErrors.report("a batch", e);
            throw new CompletionException(e);
        } finally {
            lock.lock();
            try {
                leading = false;
                idle.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** An interrupted thread does not lead: many a store refuses its calls. */
    private boolean lead() {
        boolean fit = !Thread.currentThread().isInterrupted();
        lock.lock();
        try {
            boolean leads = fit && !busy && !leading && !closed;
            leading |= leads;
            return leads;
        } finally {
            lock.unlock();
        }
    }

    private CompletableFuture<O> add(I item, boolean patient) {
        Entry<I, O> entry = new Entry<>(item, bounds.weight().applyAsInt(item), new CompletableFuture<>());
        boolean first;
        lock.lock();
        try {
            while (patient && !closed && waitingWeight >= bounds.waitingMax()) {
                left.awaitUninterruptibly();
            }
            if (closed) {
                return CompletableFuture.failedFuture(new IllegalStateException("Closed: nothing more is taken"));
            }
            if (waitingWeight >= bounds.waitingMax()) {
                return CompletableFuture.failedFuture(
                        new RejectedExecutionException(waitingWeight + " wait already: try again later"));
            }
            waiting.add(entry);
            waitingWeight += entry.weight();
            first = !busy;
            busy = true;
        } finally {
            lock.unlock();
        }
        if (first) {
            begin();
        }
        return entry.outcome();
    }

    private void begin() {
        try {
            executor.execute(this::run);
        } catch (Throwable e) { // nothing runs that would take them; the next item tries again
            giveUp(e);
        }
    }

    /** Takes no more, does what is waiting, and waits for that, at most {@code patience}. Idempotent. */
    public void close(Duration patience) {
        lock.lock();
        try {
            closed = true;
            left.signalAll();
            for (long nanos = patience.toNanos(); (busy || leading) && nanos > 0;) {
                nanos = idle.awaitNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (List<Entry<I, O>> batch = take(); !batch.isEmpty(); batch = take()) {
                flush(batch);
            }
        } catch (Throwable e) {
            giveUp(e);
        }
    }

    /** The next batch; empty when nothing is left, and then the next item starts anew. */
    private List<Entry<I, O>> take() {
        lock.lock();
        try {
            // Large enough from the start: no item is lost between the two lists for want of memory.
            List<Entry<I, O>> batch = new ArrayList<>(Math.min(waiting.size(), bounds.batchMax()));
            if (waiting.isEmpty()) {
                busy = false;
                idle.signalAll();
            }
            for (int weight = 0; !waiting.isEmpty() && weight < bounds.batchMax();) {
                Entry<I, O> entry = waiting.remove();
                weight += entry.weight();
                batch.add(entry);
                waitingWeight -= entry.weight();
            }
            left.signalAll();
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void flush(List<Entry<I, O>> batch) {
        List<O> outcomes;
        try {
            outcomes = flushed(batch.stream().map(Entry::item).toList());
        } catch (Throwable e) {
            FatalErrors.report("a batch", e);
            batch.forEach(entry -> fail(entry, e));
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            complete(batch.get(i), outcomes.get(i));
        }
    }

    private List<O> flushed(List<I> items) {
        List<O> outcomes = flush.flush(items);
        if (outcomes.size() != items.size()) {
            throw new IllegalStateException(outcomes.size() + " outcomes of a batch of " + items.size()
                    + ": which belongs to which cannot be known");
        }
        return outcomes;
    }

    /** Fails all that waits, which needs no memory. */
    private void giveUp(Throwable why) {
        FatalErrors.report("a batch", why);
        for (Entry<I, O> lost = lost(); lost != null; lost = lost()) {
            fail(lost, why);
        }
    }

    private @Nullable Entry<I, O> lost() {
        lock.lock();
        try {
            Entry<I, O> next = waiting.poll();
            if (next == null) {
                busy = false;
                idle.signalAll();
            } else {
                waitingWeight -= next.weight();
            }
            left.signalAll();
            return next;
        } finally {
            lock.unlock();
        }
    }

    private static void fail(Entry<?, ?> entry, Throwable why) {
        try {
            entry.outcome().completeExceptionally(why);
        } catch (Throwable e) { // of what hangs on it; the others are told all the same
            FatalErrors.report("what follows a batch", e);
        }
    }

    private void complete(Entry<I, O> entry, O outcome) {
        try {
            entry.outcome().complete(outcome);
        } catch (Throwable e) { // as above
            FatalErrors.report("what follows a batch", e);
        }
    }
}
