package dev.orderly.room.crowd;

import dev.orderly.Internal;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The places that were taken at one gate in the present hour and the one before, by address, network and sign-in. A
 * network is the /24 of an IPv4 address or the /48 of an IPv6 address. Of each, {@value #KEPT} are kept for each hour;
 * {@code TopCounts} says what that guarantees. Nothing is stored: what is older than two hours, and what a process
 * knew that ended, is forgotten. Thread-safe, never blocks for long.
 */
@Internal(to = "dev.orderly")
public final class PlaceCounts {
    private static final int KEPT = 1_000;
    private static final Duration SPAN = Duration.ofHours(1);

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<PlaceBand, LongAdder> totals = new EnumMap<>(PlaceBand.class);
    /** Places that are being taken, by network. */
    private final Map<String, Integer> underWay = new HashMap<>();
    private Hour present;
    private @Nullable Hour former;

    private static final class Hour {
        private final Instant begin;
        /** By the monotonic clock, which does not step. */
        private final long start;
        private final TopCounts addresses = new TopCounts(KEPT);
        private final TopCounts networks = new TopCounts(KEPT);
        private final TopCounts signIns = new TopCounts(KEPT);
        private long places;

        Hour(Instant begin, long start) {
            this.begin = begin;
            this.start = start;
        }
    }

    /** What is counted by. */
    enum By {
        ADDRESS, NETWORK, SIGN_IN;

        private TopCounts of(Hour hour) {
            return switch (this) {
                case ADDRESS -> hour.addresses;
                case NETWORK -> hour.networks;
                case SIGN_IN -> hour.signIns;
            };
        }
    }

    public PlaceCounts(Time time) {
        Objects.requireNonNull(time, "time");
        this.time = time;
        this.present = new Hour(time.now(), time.nanos());
        for (PlaceBand band : PlaceBand.values()) {
            totals.put(band, new LongAdder());
        }
    }

    /** Counts a place that is being taken for its network, until {@link #end}: many may ask at once. */
    public void begin(String address) {
        change(address, 1);
    }

    /** Ends what {@link #begin} began, after a place that was taken is counted. */
    public void end(String address) {
        change(address, -1);
    }

    private void change(String address, int by) {
        String network = network(address);
        lock.lock();
        try {
            underWay.compute(network, (_, before) -> {
                int after = (before == null ? 0 : before) + by;
                return after > 0 ? after : null;
            });
        } finally {
            lock.unlock();
        }
    }

    /** Counts a place that was taken from an address. */
    public void count(String address) {
        Objects.requireNonNull(address, "address");
        if (address.isEmpty()) {
            return;
        }
        String network = network(address);
        long nth;
        lock.lock();
        try {
            Hour hour = turn();
            hour.places++;
            hour.addresses.add(address);
            nth = hour.networks.add(network) + (former == null ? 0 : former.networks.atLeast(network));
        } finally {
            lock.unlock();
        }
        adder(PlaceBand.of(nth)).increment();
    }

    /** Counts a place that was taken by a user. */
    public void countSignIn(String user) {
        Objects.requireNonNull(user, "user");
        lock.lock();
        try {
            turn().signIns.add(user);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The places that the network of an address took at least, in the present hour and the one before, and those that
     * it is taking.
     */
    public long ofNetwork(String address) {
        Objects.requireNonNull(address, "address");
        String network = network(address);
        lock.lock();
        try {
            Hour hour = turn();
            return hour.networks.atLeast(network) + (former == null ? 0 : former.networks.atLeast(network))
                    + underWay.getOrDefault(network, 0);
        } finally {
            lock.unlock();
        }
    }

    /** The places of a band since the start of this gate. */
    public long total(PlaceBand band) {
        Objects.requireNonNull(band, "band");
        return adder(band).sum();
    }

    /** Forgets what is too old, also while nobody takes places. */
    public void tidy() {
        lock.lock();
        try {
            turn();
        } finally {
            lock.unlock();
        }
    }

    /** Adds the takers with the most places to a sum over gates. */
    void addTo(PlaceSum sum, int most) {
        lock.lock();
        try {
            turn();
            add(present, sum, most);
            if (former != null) {
                add(former, sum, most);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void add(Hour hour, PlaceSum sum, int most) {
        if (hour.places > 0) {
            sum.add(hour.begin, hour.places);
            for (By by : By.values()) {
                TopCounts counts = by.of(hour);
                sum.add(by, counts.top(most), counts.errorBeyond(most));
            }
        }
    }

    /** The present hour, after what is older than the one before was forgotten. Called under the lock. */
    private Hour turn() {
        long now = time.nanos();
        long span = SPAN.toNanos();
        long past = now - present.start;
        if (past >= span) {
            former = past < 2 * span ? present : null;
            present = former == null
                    ? new Hour(time.now(), now)
                    : new Hour(time.now().minusNanos(past - span), present.start + span);
        }
        return present;
    }

    private LongAdder adder(PlaceBand band) {
        return Objects.requireNonNull(totals.get(band));
    }

    /** The network of an address as {@code ClientAddress} writes it; any other text is a network of its own. */
    public static String network(String address) {
        Objects.requireNonNull(address, "address");
        int colons = 0;
        for (int at = 0; at < address.length(); at++) {
            if (address.charAt(at) == ':' && ++colons == 3) {
                return address.contains("::") ? address : address.substring(0, at) + "::/48";
            }
        }
        int dot = address.lastIndexOf('.');
        boolean dotted = colons == 0 && address.chars().filter(sign -> sign == '.').count() == 3;
        return dotted ? address.substring(0, dot) + ".0/24" : address;
    }
}
