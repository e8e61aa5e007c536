package dev.orderly.room.gate;

import dev.orderly.room.Rate;
import dev.orderly.room.RateWindow;
import dev.orderly.room.RoomState;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The admissions of one gate without its store: for a minute it admits at the last rate, within what capacity and rate
 * had left. The gate can guarantee both only if all admissions go through it: it admits no visitor if gates of other
 * processes may still reach the store, or if there are several gates. Thread-safe.
 */
final class OutageAdmission {
    private final ReentrantLock lock = new ReentrantLock();
    private final RateWindow window = new RateWindow();
    private final Instant knownSince;
    private final boolean alone;
    private final List<AdmissionRequest> unrecorded = new ArrayList<>();
    /** Moments of certain and possible admissions that the last state may not include. */
    private final ArrayDeque<Instant> since = new ArrayDeque<>();
    /** Visitors whose passes were issued but not taken, and when: each counts once. */
    private final Map<VisitorId, Instant> untaken = new LinkedHashMap<>();
    private Instant outageSince = Instant.EPOCH;
    private int outageAdmitted;
    private RoomState last;

    /**
     * @param knownSince admissions before this moment are not known here
     * @param alone whether no other process can reach the store
     */
    OutageAdmission(RoomState state, Instant knownSince, boolean alone) {
        this.alone = alone;
        this.last = state;
        this.knownSince = knownSince;
    }

    /** Takes over a state from the store. */
    void update(RoomState state) {
        lock.lock();
        try {
            last = state;
            while (!since.isEmpty() && since.getFirst().isBefore(state.at())) {
                since.removeFirst();
            }
            window.keepTo(state.limits().rate());
        } finally {
            lock.unlock();
        }
    }

    /** Counts visitors whom the store admitted, or may have admitted. */
    void admitted(int visitors, Instant now) {
        lock.lock();
        try {
            for (int i = 0; i < visitors; i++) {
                window.add(now.toEpochMilli(), 1);
                since.addLast(now);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Counts a visitor whom the store admitted, or confirmed as admitted. An untaken pass counts when it is issued, not
     * again when it is taken.
     */
    void entered(AdmissionRequest request, Instant now) {
        lock.lock();
        try {
            untaken.values().removeIf(at -> now.isAfter(at.plus(TokenLifetimes.UNTAKEN)));
            boolean known = request.kind() == AdmissionRequest.Kind.UNTAKEN
                    ? untaken.putIfAbsent(request.visitor(), now) != null
                    : untaken.remove(request.visitor()) != null;
            if (!known) {
                admitted(1, now);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the gate admits at all in an outage that began at {@code lost}. */
    boolean isOpen(Instant lost, Instant now) {
        lock.lock();
        try {
            Rate rate = last.limits().rate();
            boolean known = rate == null || !now.isBefore(knownSince.plus(rate.period()));
            return alone && last.load().gates() <= 1 && last.mode().calls() && known
                    && !now.isAfter(lost.plus(StoreReachability.ADMITTING));
        } finally {
            lock.unlock();
        }
    }

    /** Further admissions allowed in an outage that began at {@code lost}. */
    int budget(Instant lost, Instant now) {
        lock.lock();
        try {
            if (!isOpen(lost, now)) {
                return 0;
            }
            double pace = last.pace().admitted60() / 60.0;
            long due = (long) (pace * Duration.between(lost, now).toMillis() / 1_000)
                    - (lost.equals(outageSince) ? outageAdmitted : 0);
            long room = last.limits().mostPasses().map(most -> most - last.load().active() - since.size()).orElse(
                    Integer.MAX_VALUE);
            return (int) Math.max(0, Math.min(due, Math.min(room, window.free(now.toEpochMilli()))));
        } finally {
            lock.unlock();
        }
    }

    /** Admits a visitor if the budget exceeds {@code before}; the store records it when it is back. */
    boolean admit(AdmissionRequest request, int before, Instant lost, Instant now) {
        lock.lock();
        try {
            if (budget(lost, now) <= before) {
                return false;
            }
            unrecorded.add(request);
            outageAdmitted = lost.equals(outageSince) ? outageAdmitted + 1 : 1;
            outageSince = lost;
            admitted(1, now);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Admissions that the store has not recorded yet. */
    List<AdmissionRequest> unrecorded() {
        lock.lock();
        try {
            return List.copyOf(unrecorded);
        } finally {
            lock.unlock();
        }
    }

    void recorded(List<AdmissionRequest> requests) {
        lock.lock();
        try {
            unrecorded.removeAll(requests);
        } finally {
            lock.unlock();
        }
    }
}
