package dev.orderly.flow;

import dev.orderly.time.Time;
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
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Combines concurrent calls into group commits. While one is under way the next one collects items. A single call is
 * not delayed: there is no timer, except for patient items after a group commit, see {@link Patience}.
 *
 * <p>At most one group commit runs at a time, on a platform thread that lives while there is work and some seconds
 * more, and beside it at most one item of a {@link #call}. Submitted items keep their order. A group commit that
 * throws, or returns a wrong number of outcomes, fails each of its items, and never affects the next one. Thread-safe.
 *
 * @param <I> an item
 * @param <O> its outcome
 */
public final class GroupCommitter<I, O> {
    private final Bounds<I> bounds;
    private final Flush<I, O> flush;
    private final Executor executor;
    private final @Nullable Patience<I> patience;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition roomFreed = lock.newCondition();
    private final Wakeup pauseEnd = new Wakeup();
    private final Awaited idle = new Awaited();
    private final ArrayDeque<Entry<I, O>> waiting = new ArrayDeque<>();
    private int waitingWeight;
    /** Number of waiting items that end the pause. */
    private int urgent;
    private boolean busy;
    /** Whether a caller runs its own item. */
    private boolean leading;
    private boolean closed;

    /** Runs a group commit of one or more items; the outcomes have the order of the items. */
    @FunctionalInterface
    public interface Flush<I, O> {
        List<O> flush(List<I> items);
    }

    /**
     * Bounds of group commits and of waiting items.
     *
     * @param commitMax weight at which a group commit takes no further item
     * @param waitingMax weight of waiting items at which {@link #submit} blocks
     * @param weight weight of an item, 1 or more
     */
    public record Bounds<I>(int commitMax, int waitingMax, ToIntFunction<I> weight) {}

    /**
     * Items that may wait a moment after a group commit, so that more of them share the next one. The pause ends early
     * when an item that cannot wait arrives, when a full group commit waits, and at {@link GroupCommitter#close}. An
     * item that finds nothing under way is never delayed.
     *
     * @param pause longest time between the end of a group commit and the begin of the next
     * @param waits whether an item may wait
     */
    public record Patience<I>(Duration pause, Predicate<I> waits) {}

    private record Entry<I, O>(I item, int weight, boolean waits, CompletableFuture<O> outcome) {}

    /** A committer that runs group commits on a thread of the given name. */
    public GroupCommitter(String name, Time time, Bounds<I> bounds, Flush<I, O> flush) {
        this(time, bounds, flush, new CachedThreads(name, time), null);
    }

    /** A committer that runs group commits on a thread of the given name, with a pause between two. */
    public GroupCommitter(String name, Time time, Bounds<I> bounds, Patience<I> patience, Flush<I, O> flush) {
        this(time, bounds, flush, new CachedThreads(name, time), patience);
    }

    /**
     * A committer that runs group commits on an executor: for simulations, which decide when group commits run.
     *
     * @param executor gets a task when the first item arrives, and when an item arrives after the last task ended
     */
    public GroupCommitter(Time time, Bounds<I> bounds, Flush<I, O> flush, Executor executor) {
        this(time, bounds, flush, executor, null);
    }

    private GroupCommitter(Time time, Bounds<I> bounds, Flush<I, O> flush, Executor executor,
            @Nullable Patience<I> patience) {
        this.time = time.machine();
        this.patience = patience;
        this.bounds = bounds;
        this.flush = flush;
        this.executor = executor;
    }

    /**
     * Adds an item. Its future completes on the committer's thread, so its dependent actions must not block. Blocks
     * only while {@link Bounds#waitingMax()} is reached. After {@link #close} the future fails with
     * {@link IllegalStateException}.
     */
    public CompletableFuture<O> submit(I item) {
        return add(item, true);
    }

    /**
     * As {@link #submit}, but never blocks: when {@code submit} would block, the future fails at once with
     * {@link RejectedExecutionException}.
     */
    public CompletableFuture<O> offer(I item) {
        return add(item, false);
    }

    /**
     * Runs one item and returns its outcome; blocks until then. While nothing else is under way the calling thread runs
     * the item, as a group commit of one, which saves a single caller two thread switches. Items that arrive meanwhile
     * run beside it, so a caller that gets no processor time delays no other.
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
            FatalErrors.report("a group commit", e);
            throw new CompletionException(e);
        } finally {
            lock.lock();
            try {
                leading = false;
            } finally {
                lock.unlock();
            }
            idle.changed();
        }
    }

    /**
     * Whether the calling thread may run its item. An interrupted thread may not, since stores may refuse its calls.
     */
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
        Entry<I, O> entry = new Entry<>(item, bounds.weight().applyAsInt(item),
                patience != null && patience.waits().test(item), new CompletableFuture<>());
        boolean first;
        lock.lock();
        try {
            while (patient && !closed && waitingWeight >= bounds.waitingMax()) {
                roomFreed.awaitUninterruptibly();
            }
            if (closed) {
                return CompletableFuture
                        .failedFuture(new IllegalStateException("The committer is closed: submit before close()"));
            }
            if (waitingWeight >= bounds.waitingMax()) {
                return CompletableFuture.failedFuture(
                        new RejectedExecutionException(
                                "Items of weight " + waitingWeight + " wait already: try again later"));
            }
            waiting.add(entry);
            waitingWeight += entry.weight();
            if (!entry.waits()) {
                urgent++;
            }
            if (patience != null && !mayPause()) {
                pauseEnd.ring();
            }
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
        } catch (Throwable e) { // no task runs; the next item tries again
            giveUp(e);
        }
    }

    /** Refuses further items, and waits at most {@code patience} until the waiting items are done. Idempotent. */
    public void close(Duration patience) {
        lock.lock();
        try {
            closed = true;
            roomFreed.signalAll();
        } finally {
            lock.unlock();
        }
        pauseEnd.ring();
        idle.await(this::isIdle, time, patience);
    }

    private boolean isIdle() {
        lock.lock();
        try {
            return !busy && !leading;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            for (List<Entry<I, O>> entries = take(); !entries.isEmpty(); entries = take()) {
                flush(entries);
                pause();
            }
        } catch (Throwable e) {
            giveUp(e);
        }
    }

    /** Lets patient items gather. */
    private void pause() {
        if (patience == null) {
            return;
        }
        long end = time.deadline(patience.pause());
        while (pauses() && !time.reached(end) && !Thread.currentThread().isInterrupted()) {
            pauseEnd.await(time, end);
        }
    }

    private boolean pauses() {
        lock.lock();
        try {
            return mayPause();
        } finally {
            lock.unlock();
        }
    }

    /** Whether no waiting item ends the pause. The caller holds the lock. */
    private boolean mayPause() {
        return patience != null && urgent == 0 && waitingWeight < bounds.commitMax() && !closed;
    }

    /** The items of the next group commit; empty when no item waits: then the next item starts a new task. */
    private List<Entry<I, O>> take() {
        lock.lock();
        try {
            // Full capacity from the start: a lack of memory cannot lose an item between the two lists.
            List<Entry<I, O>> entries = new ArrayList<>(Math.min(waiting.size(), bounds.commitMax()));
            if (waiting.isEmpty()) {
                busy = false;
                idle.changed();
            }
            for (int weight = 0; !waiting.isEmpty() && weight < bounds.commitMax();) {
                Entry<I, O> entry = waiting.remove();
                weight += entry.weight();
                entries.add(entry);
                removed(entry);
            }
            roomFreed.signalAll();
            return entries;
        } finally {
            lock.unlock();
        }
    }

    private void removed(Entry<I, O> entry) {
        waitingWeight -= entry.weight();
        if (!entry.waits()) {
            urgent--;
        }
    }

    private void flush(List<Entry<I, O>> entries) {
        List<O> outcomes;
        try {
            outcomes = flushed(entries.stream().map(Entry::item).toList());
        } catch (Throwable e) {
            FatalErrors.report("a group commit", e);
            entries.forEach(entry -> fail(entry, e));
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            complete(entries.get(i), outcomes.get(i));
        }
    }

    private List<O> flushed(List<I> items) {
        List<O> outcomes = flush.flush(items);
        if (outcomes.size() != items.size()) {
            throw new IllegalStateException("A group commit of " + items.size() + " items has " + outcomes.size()
                    + " outcomes: return one for each item, in their order");
        }
        return outcomes;
    }

    /** Fails all waiting items, without allocating memory. */
    private void giveUp(Throwable why) {
        FatalErrors.report("a group commit", why);
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
                idle.changed();
            } else {
                removed(next);
            }
            roomFreed.signalAll();
            return next;
        } finally {
            lock.unlock();
        }
    }

    private static void fail(Entry<?, ?> entry, Throwable why) {
        try {
            entry.outcome().completeExceptionally(why);
        } catch (Throwable e) { // by a dependent action; the other items are completed all the same
            FatalErrors.report("a dependent action of a group commit", e);
        }
    }

    private void complete(Entry<I, O> entry, O outcome) {
        try {
            entry.outcome().complete(outcome);
        } catch (Throwable e) { // by a dependent action
            FatalErrors.report("a dependent action of a group commit", e);
        }
    }
}
