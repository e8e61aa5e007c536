package dev.orderly.history.record;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.LogLimit;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistoryStore;
import dev.orderly.job.NodeId;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the figures of this node into the store, one call a minute, on threads of its own.
 *
 * <p>At each whole minute of the clock the figures are cut in memory; a second thread writes them. While the store is
 * out of reach, the last {@value #PENDING_MAX} minutes wait; older ones are dropped with a line in the log. A minute
 * belongs to the moment at which it began. When the clock is set back, minutes come again: they are written under
 * another source, so that they add to the earlier ones instead of replacing them. When the clock is set forward, the
 * minutes in between stay without figures.
 */
public final class HistoryWriter implements AutoCloseable {
    /** The most minutes that wait for the store. */
    public static final int PENDING_MAX = 120;

    /** How long minutes are kept: a day, and what a page needs until the next point. */
    static final Duration MINUTES_KEPT = Duration.ofHours(25);

    private static final Logger LOG = LoggerFactory.getLogger(HistoryWriter.class);
    private static final Duration ROOMS_EVERY = Duration.ofSeconds(5);
    private static final Duration QUEUES_EVERY = Duration.ofSeconds(30);
    private static final Duration PRUNE_EVERY = Duration.ofMinutes(10);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);
    private static final Duration LOG_EVERY = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int PRUNE_MOST = 20_000;

    private final HistoryStore store;
    private final HistorySampler sampler;
    private final Time time;
    private final NodeId node;
    private final Duration kept;
    private final BackgroundLoop cutting;
    private final BackgroundLoop writing;
    private final LogLimit failures;
    private final LogLimit losses;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Minute> pending = new ArrayDeque<>();
    private Instant open;
    private int stepsBack;
    private long queuesDue;
    private long pruneDue;

    /** A minute that is over. */
    private record Minute(String source, List<HistoryPart> parts) {}

    /**
     * @param time the clock that the nodes share
     * @param kept how long hours are kept
     */
    public HistoryWriter(HistoryStore store, HistorySampler sampler, Time time, NodeId node, Duration kept) {
        this.store = store;
        this.sampler = sampler;
        this.time = time;
        this.node = node;
        this.kept = kept;
        this.open = time.now().truncatedTo(ChronoUnit.MINUTES);
        this.cutting = new BackgroundLoop("history", time, this::cut);
        this.writing = new BackgroundLoop("history-writer", time, this::write);
        this.failures = new LogLimit(LOG, time, LOG_EVERY);
        this.losses = new LogLimit(LOG, time, LOG_EVERY);
        this.queuesDue = time.nanos();
        this.pruneDue = time.nanos();
    }

    /** Makes one round of each thread in the calling thread. Blocks. For tests, instead of {@link #start}. */
    public void step() {
        cut();
        write();
    }

    /** Begins to cut and to write. Called once. */
    public void start() {
        cutting.start();
        writing.start();
    }

    /** Lines for the operator if figures are not cut, or not written, for long. */
    public List<String> stalls() {
        return Stream.of(cutting.stall(), writing.stall()).flatMap(Optional::stream).toList();
    }

    /** Writes the minute that is not over, then ends. Blocks for one call of the store. Idempotent. */
    @Override
    public void close() {
        cutting.stop(PATIENCE);
        writing.stop(PATIENCE);
        sampler.readRooms();
        end(open);
        try {
            writePending();
        } catch (StoreException e) {
            LOG.warn("The last minutes of the history are lost: {}", e.getMessage());
        }
    }

    private Duration cut() {
        sampler.readRooms();
        Instant now = time.now();
        Instant minute = now.truncatedTo(ChronoUnit.MINUTES);
        if (!minute.equals(open)) {
            end(minute);
            writing.ring();
        }
        Duration rest = Duration.between(now, minute.plus(1, ChronoUnit.MINUTES));
        return rest.compareTo(ROOMS_EVERY) < 0 ? rest : ROOMS_EVERY;
    }

    /** Ends the open minute and opens the next. */
    private void end(Instant next) {
        List<HistoryPart> parts = sampler.recorder().cut(open);
        if (!parts.isEmpty()) {
            keep(new Minute(stepsBack == 0 ? node.value() : node.value() + "~" + stepsBack, parts));
        }
        if (next.isBefore(open)) {
            stepsBack++;
        }
        open = next;
    }

    private void keep(Minute minute) {
        lock.lock();
        try {
            pending.addLast(minute);
            if (pending.size() > PENDING_MAX) {
                pending.removeFirst();
                losses.warn("The history loses minutes that are older than {} minutes, since the store does not take"
                        + " them", PENDING_MAX);
            }
        } finally {
            lock.unlock();
        }
    }

    private Duration write() {
        try {
            if (time.reached(queuesDue)) {
                queuesDue = time.deadline(QUEUES_EVERY);
                sampler.readQueues(time.now());
            }
            writePending();
            prune();
        } catch (StoreException e) {
            failures.warn("The history waits for the store, for at most {} minutes: {}", PENDING_MAX, e.getMessage());
            return AFTER_FAILURE;
        }
        return QUEUES_EVERY;
    }

    private void writePending() {
        for (Minute minute = first(); minute != null; minute = first()) {
            store.append(minute.source, minute.parts);
            written(minute);
        }
    }

    private @Nullable Minute first() {
        lock.lock();
        try {
            return pending.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Another minute may be the first by now, if this one was dropped while it was written. */
    private void written(Minute minute) {
        lock.lock();
        try {
            pending.removeFirstOccurrence(minute);
        } finally {
            lock.unlock();
        }
    }

    private void prune() {
        if (time.reached(pruneDue)) {
            Instant now = time.now();
            Duration minutes = kept.compareTo(MINUTES_KEPT) < 0 ? kept : MINUTES_KEPT;
            int deleted = store.prune(now.minus(minutes), now.minus(kept), PRUNE_MOST);
            pruneDue = time.deadline(deleted < PRUNE_MOST ? PRUNE_EVERY : Duration.ZERO);
        }
    }
}
