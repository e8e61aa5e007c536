package dev.orderly.room.gate;

import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.PresenceTable;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.token.Ticket;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The visitors who are connected to this gate while they wait. Each round keeps them present, asks for those who are
 * called, and tells each how it stands, the more seldom the longer it still takes.
 */
final class ConnectedVisitors {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectedVisitors.class);
    /** Longer than a round. */
    private static final Duration PRESENT = Duration.ofSeconds(2);
    private static final Duration OFTEN = Duration.ofSeconds(1);
    private static final Duration SELDOM = Duration.ofSeconds(15);
    /** After this the same is said again, so that connections in between are not taken for dead. */
    private static final Duration SILENT = Duration.ofSeconds(20);

    private final RoomCache cache;
    private final Outage outage;
    private final VisitorRequests calls;
    private final Time time;
    private final ConcurrentMap<RoomListener, Listening> all = new ConcurrentHashMap<>();
    private long version;
    private @Nullable RoomState before;
    /** Those who were called when the last round was made, by place. */
    private List<Listening> called = List.of();

    /** Changed by the rounds only, but for the asking that is over. */
    private static final class Listening {
        final Ticket ticket;
        final RoomListener listener;
        private Instant nextAt = Instant.EPOCH;
        private Instant lastAt = Instant.EPOCH;
        private long seenVersion = -1;
        private @Nullable LinePosition last;
        private volatile boolean asking;
        private final ReentrantLock calling = new ReentrantLock();
        private boolean over;

        Listening(Ticket ticket, RoomListener listener) {
            this.ticket = ticket;
            this.listener = listener;
        }
    }

    ConnectedVisitors(RoomCache cache, VisitorRequests calls, Time time) {
        this.cache = cache;
        this.outage = cache.outage();
        this.calls = calls;
        this.time = time;
    }

    void add(Ticket ticket, RoomListener listener) {
        keepPresent(ticket, time.now());
        all.put(listener, new Listening(ticket, listener));
    }

    void remove(RoomListener listener) {
        all.remove(listener);
    }

    /** Before each report to the store: what it hears holds until the next one. */
    void keepPresent(Instant now) {
        all.values().forEach(one -> keepPresent(one.ticket, now));
    }

    /** Tells each how it stands, and asks the store for those who are called. */
    void round(Instant now) {
        RoomState state = cache.state();
        noteChange(state);
        boolean away = outage.isOn();
        Set<Long> mayEnter = away ? mayEnter(now) : Set.of();
        List<Listening> door = new ArrayList<>();
        for (Listening one : all.values()) {
            if (one.ticket.epoch() < state.epoch() || state.voided().containsKey(one.ticket.visitor())
                    || !now.isBefore(one.ticket.expiresAt())) {
                finish(one, RoomListener::ended);
                continue;
            }
            boolean ofThis = cache.isOfThisLine(one.ticket);
            if (ofThis && mayEnter.contains(one.ticket.place())) {
                finish(one, RoomListener::turn);
                continue;
            }
            if (ofThis && one.ticket.place() <= state.line().cursor() && !away && state.mode() != RoomMode.REJECT) {
                door.add(one);
            }
            tell(one, now);
        }
        door.sort(Comparator.comparingLong(one -> one.ticket.place()));
        called = door;
        ask(door.size());
    }

    /** How many of those who are called are connected. */
    int atDoor() {
        return called.size();
    }

    /** Asks the store for so many of those who are called, the lowest places first. */
    void ask(int most) {
        called = called.stream().filter(one -> all.get(one.listener) == one).toList();
        called.stream().limit(most).forEach(this::ask);
    }

    private void keepPresent(Ticket ticket, Instant now) {
        cache.presence().seen(ticket, now.plus(PRESENT).plus(PresenceTable.SLACK));
    }

    /** What concerns everybody changed: mode, message, reason. Then nobody waits for the next telling. */
    private void noteChange(RoomState state) {
        RoomState known = before;
        if (known == null || known.mode() != state.mode() || known.slowed() != state.slowed()
                || !String.valueOf(known.message()).equals(String.valueOf(state.message()))) {
            version++;
        }
        before = state;
    }

    private void ask(Listening one) {
        if (one.asking) {
            return;
        }
        one.asking = true;
        var _ = calls.claimKept(one.ticket).thenAccept(result -> {
            one.asking = false;
            switch (result) {
                case AdmissionResult.Entered _ -> finish(one, RoomListener::turn);
                case AdmissionResult.Spent _ -> finish(one, RoomListener::ended);
                case AdmissionResult.Waits _ -> {
                }
            }
        });
    }

    private void tell(Listening one, Instant now) {
        if (one.seenVersion == version && now.isBefore(one.nextAt)) {
            return;
        }
        LinePosition standing = cache.standing(one.ticket);
        boolean silent = !now.isBefore(one.lastAt.plus(SILENT));
        if (silent || one.seenVersion != version || !standing.equals(one.last)) {
            call(one, false, listener -> listener.stands(standing));
            one.last = standing;
            one.lastAt = now;
        }
        one.seenVersion = version;
        Duration tenth = standing.poll().dividedBy(2);
        one.nextAt = now.plus(tenth.compareTo(OFTEN) < 0 ? OFTEN : tenth.compareTo(SELDOM) > 0 ? SELDOM : tenth);
    }

    /** The places that this gate may let in on its own account. */
    private Set<Long> mayEnter(Instant now) {
        int budget = outage.budget(now);
        return budget == 0
                ? Set.of()
                : new HashSet<>(cache.presence().first(cache.state(), budget, now));
    }

    private void finish(Listening one, Consumer<RoomListener> last) {
        if (all.remove(one.listener, one)) {
            call(one, true, last);
        }
    }

    /** One call at a time, and none after the last. A listener that fails harms nobody else. */
    private void call(Listening one, boolean last, Consumer<RoomListener> what) {
        one.calling.lock();
        try {
            if (!one.over) {
                one.over = last;
                what.accept(one.listener);
            }
        } catch (RuntimeException e) {
            one.over = true;
            all.remove(one.listener);
            LOG.warn("A listener of room {} failed and is not told any more: {}", cache.name(), e.toString());
        } finally {
            one.calling.unlock();
        }
    }
}
