package dev.orderly.room.gate;

import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
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
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waiting visitors with a connection or a held request at this gate. Each round keeps them present, requests admissions
 * for called visitors, and sends each connected one its position: the longer the wait, the less often.
 */
final class ConnectedVisitors {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectedVisitors.class);
    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);
    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(15);
    /** An unchanged position is sent again after this time, so that proxies do not close the connection as idle. */
    private static final Duration REPEAT_AFTER = Duration.ofSeconds(20);
    /** A request is held until the first round after this time. */
    private static final Duration HOLD = Duration.ofSeconds(3);
    private static final int HELD_MOST = 256;

    private static final Comparator<Connection> BY_PLACE = Comparator
            .comparingLong(visitor -> visitor.ticket.place());

    private final RoomCache cache;
    private final Outage outage;
    private final VisitorRequests requests;
    private final Time time;
    private final ConcurrentMap<RoomListener, Connection> connected = new ConcurrentHashMap<>();
    /** Visitors with held requests: one request each. */
    private final Set<VisitorId> held = ConcurrentHashMap.newKeySet();
    /** Requests held since visitors were called last. */
    private final Queue<Connection> justHeld = new ConcurrentLinkedQueue<>();
    private long version;
    private @Nullable RoomState before;
    private @Nullable OpeningStatus closedBefore;
    /** Visitors who were called in the last round, by place. */
    private List<Connection> called = List.of();

    /** Changed by rounds; answers of the store also reset {@code asking} and, under the lock, set {@code over}. */
    private static final class Connection {
        /** Replaced when its lobby is drawn. */
        volatile Ticket ticket;
        final RoomListener listener;
        /** The end of a held request; null for a connection. */
        final @Nullable Instant heldUntil;
        private Instant nextAt = Instant.EPOCH;
        private Instant lastAt = Instant.EPOCH;
        private long seenVersion = -1;
        private @Nullable LinePosition last;
        private volatile boolean asking;
        private final ReentrantLock notifying = new ReentrantLock();
        private boolean over;

        Connection(Ticket ticket, RoomListener listener, @Nullable Instant heldUntil) {
            this.ticket = ticket;
            this.listener = listener;
            this.heldUntil = heldUntil;
        }
    }

    /** A held request, which its visitor repeats when it is over, for whatever reason. */
    private record Hold(Ticket ticket, CompletableFuture<Void> over) implements RoomListener {
        @Override
        public void update(LinePosition position) {
            // only the answer tells the position
        }

        @Override
        public void turn() {
            over.complete(null);
        }

        @Override
        public void ended() {
            over.complete(null);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        /** The same in each simulated run. */
        @Override
        public int hashCode() {
            return ticket.visitor().hashCode();
        }
    }

    ConnectedVisitors(RoomCache cache, VisitorRequests requests, Time time) {
        this.cache = cache;
        this.outage = cache.outage();
        this.requests = requests;
        this.time = time;
    }

    void add(Ticket ticket, RoomListener listener) {
        keepPresent(ticket, time.now());
        connected.put(listener, new Connection(ticket, listener, null));
    }

    /**
     * Holds the request of a called visitor until an admission is free for the visitor, the ticket is void or the time
     * is over. False beyond the bound, and for a visitor with a held request.
     */
    boolean hold(Ticket ticket, CompletableFuture<Void> over) {
        if (held.size() >= HELD_MOST || !held.add(ticket.visitor())) {
            return false;
        }
        Instant now = time.now();
        keepPresent(ticket, now);
        Hold hold = new Hold(ticket, over);
        Connection request = new Connection(ticket, hold, now.plus(HOLD));
        connected.put(hold, request);
        justHeld.add(request);
        var _ = over.whenComplete((_, _) -> {
            connected.remove(hold);
            held.remove(ticket.visitor());
        });
        return true;
    }

    /** Ends all held requests. */
    void release() {
        List.copyOf(connected.values()).stream().filter(each -> each.heldUntil != null)
                .forEach(each -> finish(each, RoomListener::ended));
    }

    /** The tickets of all visitors with a connection or a held request. */
    Stream<Ticket> tickets() {
        return connected.values().stream().map(each -> each.ticket);
    }

    void remove(RoomListener listener) {
        connected.remove(listener);
    }

    /**
     * Extends the presence of all connected visitors until after the next round. Called before each report to the
     * store.
     */
    void keepPresent(Instant now) {
        connected.values().forEach(visitor -> keepPresent(visitor.ticket, now));
    }

    /** Sends each visitor its position, and requests admissions for called visitors. */
    void round(Instant now) {
        RoomState state = cache.state();
        OpeningStatus closed = cache.closed(now);
        detectChange(state, closed);
        boolean away = outage.isOn();
        Set<Long> mayEnter = away && closed == null ? mayEnter(now) : Set.of();
        justHeld.clear();
        List<Connection> door = new ArrayList<>();
        for (Connection visitor : connected.values()) {
            visitor.ticket = cache.placed(visitor.ticket);
            if (visitor.ticket.epoch() < state.epoch() || cache.isVoid(visitor.ticket.visitor())
                    || !now.isBefore(visitor.ticket.expiresAt())
                    || (visitor.heldUntil != null && !now.isBefore(visitor.heldUntil))) {
                finish(visitor, RoomListener::ended);
                continue;
            }
            boolean ofThis = cache.isOfThisLine(visitor.ticket);
            if (ofThis && mayEnter.contains(visitor.ticket.place())) {
                finish(visitor, RoomListener::turn);
                continue;
            }
            if (ofThis && closed == null && visitor.ticket.place() <= state.lineOf(visitor.ticket.place()).cursor()
                    && !away
                    && state.mode() != RoomMode.REJECT) {
                door.add(visitor);
            }
            if (visitor.heldUntil == null) {
                update(visitor, now);
            }
        }
        door.sort(BY_PLACE);
        called = door;
        requestAdmission(door.size());
    }

    /** Called visitors who are connected, or whose requests are held. */
    int atDoor() {
        return called.size() + justHeld.size();
    }

    /** Requests admissions for at most this many called visitors, the lowest places first. */
    void requestAdmission(int most) {
        List<Connection> more = new ArrayList<>();
        for (Connection next = justHeld.poll(); next != null; next = justHeld.poll()) {
            more.add(next);
        }
        called = Stream.concat(called.stream(), more.stream())
                .filter(visitor -> connected.get(visitor.listener) == visitor).sorted(BY_PLACE).toList();
        called.stream().limit(most).forEach(this::requestAdmission);
    }

    private void keepPresent(Ticket ticket, Instant now) {
        cache.presence().seen(ticket, now.plus(PresenceTable.BETWEEN_ROUNDS).plus(PresenceTable.SLACK));
    }

    /** A change of mode, message, reason or opening concerns all visitors: it is sent at once. */
    private void detectChange(RoomState state, @Nullable OpeningStatus closed) {
        RoomState known = before;
        if (known == null || known.mode() != state.mode() || known.slowed() != state.slowed()
                || !Objects.equals(known.message(), state.message()) || !Objects.equals(closedBefore, closed)) {
            version++;
        }
        before = state;
        closedBefore = closed;
    }

    private void requestAdmission(Connection visitor) {
        if (visitor.asking) {
            return;
        }
        visitor.asking = true;
        var _ = requests.admitKept(visitor.ticket).thenAccept(result -> {
            visitor.asking = false;
            switch (result) {
                case AdmissionResult.Entered _ -> finish(visitor, RoomListener::turn);
                case AdmissionResult.Spent _ -> finish(visitor, RoomListener::ended);
                case AdmissionResult.Waits _ -> {
                }
            }
        });
    }

    private void update(Connection visitor, Instant now) {
        if (visitor.seenVersion == version && now.isBefore(visitor.nextAt)) {
            return;
        }
        LinePosition position = cache.position(visitor.ticket);
        boolean repeat = !now.isBefore(visitor.lastAt.plus(REPEAT_AFTER));
        if (repeat || visitor.seenVersion != version || !position.equals(visitor.last)) {
            notify(visitor, false, listener -> listener.update(position));
            visitor.last = position;
            visitor.lastAt = now;
        }
        visitor.seenVersion = version;
        Duration interval = position.poll().dividedBy(2);
        visitor.nextAt = now.plus(interval.compareTo(SHORTEST_INTERVAL) < 0
                ? SHORTEST_INTERVAL
                : interval.compareTo(LONGEST_INTERVAL) > 0 ? LONGEST_INTERVAL : interval);
    }

    /** The places that this gate may admit without the store. */
    private Set<Long> mayEnter(Instant now) {
        int budget = outage.budget(now);
        return budget == 0
                ? Set.of()
                : new HashSet<>(cache.presence().first(cache.state(), budget, now));
    }

    private void finish(Connection visitor, Consumer<RoomListener> last) {
        if (connected.remove(visitor.listener, visitor)) {
            notify(visitor, true, last);
        }
    }

    /** Makes one call at a time, and none after the last. A listener that throws is removed and affects no other. */
    private void notify(Connection visitor, boolean last, Consumer<RoomListener> event) {
        visitor.notifying.lock();
        try {
            if (!visitor.over) {
                visitor.over = last;
                event.accept(visitor.listener);
            }
        } catch (RuntimeException e) {
            visitor.over = true;
            connected.remove(visitor.listener);
            LOG.warn("A listener of room {} failed and is removed: {}", cache.name(), e.toString());
        } finally {
            visitor.notifying.unlock();
        }
    }
}
