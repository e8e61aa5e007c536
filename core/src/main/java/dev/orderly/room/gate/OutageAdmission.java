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
 * What one gate may do without its store: for a minute it goes on letting in at the last rate, inside what capacity and
 * rate had left. It can answer for both only if all admissions go through it: nobody is let in if gates of other
 * processes may reach the store meanwhile, or with more gates than one. Thread-safe.
 */
final class OutageAdmission {
    private final ReentrantLock lock = new ReentrantLock();
    private final RateWindow window = new RateWindow();
    private final Instant knownSince;
    private final boolean alone;
    private final List<AdmissionRequest> letIn = new ArrayList<>();
    /** When answers came that the last state may not know of: admissions that are certain, and such as may be. */
    private final ArrayDeque<Instant> since = new ArrayDeque<>();
    /** Whose passes were given but not taken, and when: to be counted once. */
    private final Map<VisitorId, Instant> kept = new LinkedHashMap<>();
    private Instant countedSince = Instant.EPOCH;
    private int counted;
    private RoomState last;

    /**
     * @param knownSince before this moment admissions went unseen here
     * @param alone whether no other process can reach the store
     */
    OutageAdmission(RoomState state, Instant knownSince, boolean alone) {
        this.alone = alone;
        this.last = state;
        this.knownSince = knownSince;
    }

    /** The store said how the room stands. */
    void stands(RoomState state) {
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

    /** The store let visitors in, or may have. */
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

    /** The store let a visitor in, or said that one is in: one whose pass is kept is counted when that was given. */
    void entered(AdmissionRequest claim, Instant now) {
        lock.lock();
        try {
            kept.values().removeIf(at -> now.isAfter(at.plus(TokenLifetimes.UNTAKEN)));
            boolean known = claim.kind() == AdmissionRequest.Kind.KEPT
                    ? kept.putIfAbsent(claim.visitor(), now) != null
                    : kept.remove(claim.visitor()) != null;
            if (!known) {
                admitted(1, now);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many more may be let in now that the store has been away since {@code lost}. */
    int budget(Instant lost, Instant now) {
        lock.lock();
        try {
            Rate rate = last.limits().rate();
            boolean seen = rate == null || !now.isBefore(knownSince.plus(rate.period()));
            if (!alone || last.load().gates() > 1 || !last.mode().calls() || !seen
                    || now.isAfter(lost.plus(StoreReachability.COASTING))) {
                return 0;
            }
            double pace = last.pace().admitted60() / 60.0;
            long due = (long) (pace * Duration.between(lost, now).toMillis() / 1_000)
                    - (lost.equals(countedSince) ? counted : 0);
            long room = last.limits().mostPasses().map(most -> most - last.load().active() - since.size()).orElse(
                    Integer.MAX_VALUE);
            return (int) Math.max(0, Math.min(due, Math.min(room, window.free(now.toEpochMilli()))));
        } finally {
            lock.unlock();
        }
    }

    /** Lets one in if the budget has one beyond {@code before}; to be recorded when the store is back. */
    boolean letIn(AdmissionRequest claim, int before, Instant lost, Instant now) {
        lock.lock();
        try {
            if (budget(lost, now) <= before) {
                return false;
            }
            letIn.add(claim);
            counted = lost.equals(countedSince) ? counted + 1 : 1;
            countedSince = lost;
            admitted(1, now);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Those let in that the store does not know of. */
    List<AdmissionRequest> unrecorded() {
        lock.lock();
        try {
            return List.copyOf(letIn);
        } finally {
            lock.unlock();
        }
    }

    void recorded(List<AdmissionRequest> claims) {
        lock.lock();
        try {
            letIn.removeAll(claims);
        } finally {
            lock.unlock();
        }
    }
}
