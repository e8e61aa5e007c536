package dev.orderly.room.quota;

import dev.orderly.room.VisitorId;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The passes issued by this gate to each address and not shown yet. A client without cookies takes another pass with
 * each request: an address gets few at once, and the more it has, the shorter the next pass lives, so that their places
 * inside are soon free for others. Bounded: beyond {@value #ADDRESSES_MOST} addresses all are forgotten. Thread-safe.
 */
final class UnshownPasses {
    private static final int ADDRESSES_MOST = 200_000;
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    private final int most;
    private final Time time;
    private final ConcurrentMap<String, List<Given>> byAddress = new ConcurrentHashMap<>();
    private final ConcurrentMap<VisitorId, String> addresses = new ConcurrentHashMap<>();

    /** @param until in nanoseconds of the clock */
    private record Given(VisitorId visitor, long until) {}

    UnshownPasses(int most, Time time) {
        this.most = most;
        this.time = time;
    }

    /**
     * Reserves a pass for a visitor of this address.
     *
     * @param longest lifetime of the first pass that is not shown
     * @return lifetime of this pass; empty if the address has as many as it may
     */
    Optional<Duration> reserve(String address, VisitorId visitor, Duration longest) {
        Duration[] life = new Duration[1];
        byAddress.compute(address, (_, before) -> {
            List<Given> given = before == null ? new ArrayList<>(1) : new ArrayList<>(before);
            given.removeIf(each -> time.reached(each.until()));
            if (given.size() < most) {
                Duration share = longest.dividedBy(given.size() + 1L);
                Duration least = longest.compareTo(SHORTEST) < 0 ? longest : SHORTEST;
                life[0] = share.compareTo(least) < 0 ? least : share;
                given.add(new Given(visitor, time.deadline(life[0])));
            }
            return given;
        });
        if (life[0] != null) {
            addresses.put(visitor, address);
        }
        return Optional.ofNullable(life[0]);
    }

    /** Releases the reservation of a visitor who has shown the pass, or got none. */
    void release(VisitorId visitor) {
        String address = addresses.remove(visitor);
        if (address != null) {
            byAddress.computeIfPresent(address, (_, before) -> {
                List<Given> given = before.stream().filter(each -> !each.visitor().equals(visitor)).toList();
                return given.isEmpty() ? null : given;
            });
        }
    }

    void tidy() {
        byAddress.values().removeIf(given -> given.stream().allMatch(each -> time.reached(each.until())));
        addresses.values().removeIf(address -> !byAddress.containsKey(address));
        if (byAddress.size() > ADDRESSES_MOST) {
            byAddress.clear();
            addresses.clear();
        }
    }
}
