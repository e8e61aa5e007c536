package dev.orderly.room.quota;

import dev.orderly.room.VisitorId;
import dev.orderly.room.token.Pass;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The addresses from which each pass was shown at this gate: the first few may show it, any other needs a pass of its
 * own. Addresses are compared by hash, so that two may rarely count as the same. Bounded: beyond {@value #PASSES_MOST}
 * passes all are forgotten. Thread-safe.
 */
final class PassAddresses {
    private static final int PASSES_MOST = 200_000;

    private final int most;
    private final ConcurrentMap<VisitorId, KnownAddresses> passes = new ConcurrentHashMap<>();

    /** @param addresses hashes of addresses */
    private record KnownAddresses(Set<Integer> addresses, Instant until) {
        boolean has(int address) {
            return addresses.contains(address);
        }
    }

    PassAddresses(int most) {
        this.most = most;
    }

    /** Whether the pass may be shown from this address. */
    boolean allow(Pass pass, String address) {
        int hash = address.hashCode();
        KnownAddresses known = passes.get(pass.visitor());
        if (known != null && known.has(hash) && !known.until().isBefore(pass.expiresAt())) {
            return true;
        }
        return passes.compute(pass.visitor(), (_, before) -> seen(before, hash, pass.expiresAt())).has(hash);
    }

    private KnownAddresses seen(@Nullable KnownAddresses before, int hash, Instant until) {
        if (before == null) {
            return new KnownAddresses(Set.of(hash), until);
        }
        Set<Integer> addresses = new HashSet<>(before.addresses());
        if (addresses.size() < most) {
            addresses.add(hash);
        }
        return new KnownAddresses(Set.copyOf(addresses), before.until().isAfter(until) ? before.until() : until);
    }

    /** Forgets passes that ended before this moment. */
    void tidy(Instant before) {
        passes.values().removeIf(seen -> seen.until().isBefore(before));
        if (passes.size() > PASSES_MOST) {
            passes.clear();
        }
    }
}
