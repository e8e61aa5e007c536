package dev.orderly.live;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports to the store which users are connected to this node, and passes on which users came online or went offline by
 * that over all nodes. While the store is out of reach, changes are pending. The changes of a user alternate, so a
 * count of them suffices.
 */
final class OnlineReporter {
    private static final Logger LOG = LoggerFactory.getLogger(OnlineReporter.class);
    /**
     * Dead nodes are detected after 30 s, so 4 s leave one second until the other nodes report it: 35 s are promised.
     */
    private static final Duration BEAT = Duration.ofSeconds(4);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int REPORT_MAX = 10_000;

    private final LiveNode node;
    private final OnlineChanges presence;
    private final Time time;
    private final BackgroundLoop loop;
    private final AtomicBoolean started = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    /** Changes that the store has not acknowledged. */
    private final Map<UserId, Long> pending = new LinkedHashMap<>();
    /** Users connected here as far as the store knows. */
    private final Set<UserId> reported = new HashSet<>();
    private boolean stopped;
    /** Used by the loop only. */
    private long nextBeat;
    private boolean failing;

    OnlineReporter(LiveNode node, OnlineChanges presence, Time time) {
        this.node = node;
        this.presence = presence;
        this.time = time;
        this.nextBeat = time.nanos();
        this.loop = new BackgroundLoop("presence", time, this::step);
    }

    /** Idempotent. */
    void start() {
        if (started.compareAndSet(false, true)) {
            loop.start();
        }
    }

    /**
     * Records that the user's first connection to this node was opened, or the last one closed, in turns. Never blocks.
     */
    void changed(UserId user) {
        lock.lock();
        try {
            if (stopped) {
                return;
            }
            pending.merge(user, 1L, Long::sum);
        } finally {
            lock.unlock();
        }
        start();
        loop.ring();
    }

    /** A line for the operator if presence has not been shared with the other nodes for long. */
    Optional<String> stall() {
        return loop.stall();
    }

    /** Removes all users of this node from the shared presence; later changes are ignored. */
    void stop() {
        lock.lock();
        try {
            if (stopped) {
                return;
            }
            stopped = true;
        } finally {
            lock.unlock();
        }
        loop.stop(PATIENCE);
        try {
            node.presence().leave(node.id()).forEach(user -> presence.changed(user, false));
        } catch (StoreException e) {
            LOG.warn("The users of this node stay online until the other nodes find it dead: {}", e.getMessage());
        }
    }

    private Duration step() {
        try {
            if (time.reached(nextBeat)) {
                beat();
            }
            while (report()) {
                // until nothing is pending
            }
            failing = false;
            return Duration.ofNanos(Math.max(1, nextBeat - time.nanos()));
        } catch (StoreException e) {
            if (!failing) {
                LOG.warn("Presence is not shared with the other nodes while the store fails; retrying: {}",
                        e.getMessage());
            }
            failing = true;
            return RETRY;
        }
    }

    private void beat() {
        OnlineUserStore.Beat beat = node.presence().beat(node.id(), NodeTimes.DEAD_AFTER);
        nextBeat = time.deadline(BEAT);
        if (!beat.known()) {
            reportAllAgain();
        }
        beat.offline().forEach(user -> presence.changed(user, false));
    }

    /** The store does not know this node, so each reported user has to be reported again before later changes. */
    private void reportAllAgain() {
        lock.lock();
        try {
            reported.forEach(user -> pending.merge(user, 1L, Long::sum));
            reported.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Reports a part of the pending changes; false if there were none. */
    private boolean report() {
        Set<UserId> came = new HashSet<>();
        Set<UserId> left = new HashSet<>();
        lock.lock();
        try {
            pending.keySet().stream().limit(REPORT_MAX)
                    .forEach(user -> (reported.contains(user) ? left : came).add(user));
        } finally {
            lock.unlock();
        }
        if (came.isEmpty() && left.isEmpty()) {
            return false;
        }
        OnlineUserStore.Noted answer = node.presence().note(node.id(), came, left);
        if (!answer.known()) {
            beat();
            return true;
        }
        lock.lock();
        try {
            reported.addAll(came);
            reported.removeAll(left);
            came.forEach(this::acknowledged);
            left.forEach(this::acknowledged);
        } finally {
            lock.unlock();
        }
        answer.changed().forEach(user -> presence.changed(user, came.contains(user)));
        return true;
    }

    private void acknowledged(UserId user) {
        pending.computeIfPresent(user, (_, changes) -> changes == 1 ? null : changes - 1);
    }
}
