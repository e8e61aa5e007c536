package dev.orderly.live;

import dev.orderly.flow.Loop;
import dev.orderly.job.Liveness;
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
 * Tells the store who is connected to this node, and passes on who came online or went offline by that, over all nodes.
 * While the store is away it remembers what is owed. A user's changes alternate, so a number of them is all there is to
 * remember.
 */
final class PresenceKeeper {
    private static final Logger LOG = LoggerFactory.getLogger(PresenceKeeper.class);
    /** With 30 s this leaves a second for the rest until others know of a death: 35 s are promised. */
    private static final Duration BEAT = Duration.ofSeconds(4);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int BATCH = 10_000;

    private final LiveNode node;
    private final Presence presence;
    private final Time time;
    private final Loop loop;
    private final AtomicBoolean started = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    /** Changes the store has not heard of. */
    private final Map<UserId, Long> owed = new LinkedHashMap<>();
    /** Who is connected here as far as the store knows. */
    private final Set<UserId> noted = new HashSet<>();
    private boolean stopped;
    /** The loop's own. */
    private long nextBeat;
    private boolean failing;

    PresenceKeeper(LiveNode node, Presence presence, Time time) {
        this.node = node;
        this.presence = presence;
        this.time = time;
        this.nextBeat = time.nanos();
        this.loop = new Loop("presence", time, this::step);
    }

    /** Idempotent. */
    void start() {
        if (started.compareAndSet(false, true)) {
            loop.start();
        }
    }

    /** The user's first connection to this node came, or the last one went; in turns. Never blocks. */
    void changed(UserId user) {
        lock.lock();
        try {
            if (stopped) {
                return;
            }
            owed.merge(user, 1L, Long::sum);
        } finally {
            lock.unlock();
        }
        start();
        loop.ring();
    }

    /** A line for the operator if the other nodes have not been told for long. */
    Optional<String> stall() {
        return loop.stall();
    }

    /** Nobody is connected here from now on. */
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
            LOG.warn("The users of this node count as online until others take it for dead: {}", e.getMessage());
        }
    }

    private Duration step() {
        try {
            if (time.reached(nextBeat)) {
                beat();
            }
            while (note()) {
                // until nothing is owed
            }
            failing = false;
            return Duration.ofNanos(Math.max(1, nextBeat - time.nanos()));
        } catch (StoreException e) {
            if (!failing) {
                LOG.warn("Other nodes do not hear who is online here, trying on: {}", e.getMessage());
            }
            failing = true;
            return AGAIN;
        }
    }

    private void beat() {
        PresenceStore.Beat beat = node.presence().beat(node.id(), Liveness.DEAD_AFTER);
        nextBeat = time.deadline(BEAT);
        if (!beat.known()) {
            oweAll();
        }
        beat.offline().forEach(user -> presence.changed(user, false));
    }

    /** The store knows nothing of this node: who was noted has to come again first. */
    private void oweAll() {
        lock.lock();
        try {
            noted.forEach(user -> owed.merge(user, 1L, Long::sum));
            noted.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is more to note. */
    private boolean note() {
        Set<UserId> came = new HashSet<>();
        Set<UserId> left = new HashSet<>();
        lock.lock();
        try {
            owed.keySet().stream().limit(BATCH).forEach(user -> (noted.contains(user) ? left : came).add(user));
        } finally {
            lock.unlock();
        }
        if (came.isEmpty() && left.isEmpty()) {
            return false;
        }
        PresenceStore.Noted answer = node.presence().note(node.id(), came, left);
        if (!answer.known()) {
            beat();
            return true;
        }
        lock.lock();
        try {
            noted.addAll(came);
            noted.removeAll(left);
            came.forEach(this::paid);
            left.forEach(this::paid);
        } finally {
            lock.unlock();
        }
        answer.changed().forEach(user -> presence.changed(user, came.contains(user)));
        return true;
    }

    private void paid(UserId user) {
        owed.computeIfPresent(user, (_, changes) -> changes == 1 ? null : changes - 1);
    }
}
