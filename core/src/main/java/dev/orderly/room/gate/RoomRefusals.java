package dev.orderly.room.gate;

import dev.orderly.Internal;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How often this gate refused something to visitors of a room since its start, by cause, so that an operator finds the
 * setting that keeps visitors outside. Thread-safe.
 */
@Internal(to = "dev.orderly")
public final class RoomRefusals {
    private final Time time;
    private final Map<Cause, Count> counts = new EnumMap<>(Cause.class);

    /** The rule behind a refusal. */
    public enum Cause {
        /** An address had taken as many places as it may. */
        JOINS_PER_ADDRESS,
        /** A visitor only got a place, since the address has as many passes as it may that were not shown yet. */
        UNTAKEN_PER_ADDRESS,
        /** A pass did not count, since it was shown from too many addresses before. */
        ADDRESSES_PER_PASS,
        /** {@code X-Forwarded-For} of a peer that is no trusted proxy did not count. */
        FORWARDED_FOR_NOT_TRUSTED,
        /** No shown ticket, pass or invitation counted: forged, ended, used, revoked, of another room or epoch. */
        TOKEN,
        /** The check gave the visitor no place. */
        CHECK_REFUSED,
        /** The check gave the visitor a place only after a wait. */
        CHECK_SLOWED,
        /** The check gave no verdict, and the setting for that case decided. */
        CHECK_FAILED,
        /** The network of the visitor had taken many places: work or a wait came before the next. */
        PROOF_OF_WORK,
        /** Only users have places in the room, and the visitor was not signed in. */
        NOT_SIGNED_IN,
        /** A user asked for a second place, and got the one that the user has. */
        ONE_PER_USER,
        /** The mode of the room turned the visitor away. */
        MODE,
        /** The store was out of reach, so no place could be issued. */
        STORE
    }

    /** @param last the moment of the last refusal; null if there was none */
    public record Total(long count, @Nullable Instant last) {}

    private static final class Count {
        private final LongAdder number = new LongAdder();
        private final AtomicLong last = new AtomicLong();
    }

    RoomRefusals(Time time) {
        this.time = time;
        for (Cause cause : Cause.values()) {
            counts.put(cause, new Count());
        }
    }

    public void count(Cause cause) {
        Objects.requireNonNull(cause, "cause");
        Count count = of(cause);
        count.number.increment();
        long now = time.now().toEpochMilli();
        if (count.last.get() != now) { // a flood writes once a millisecond
            count.last.set(now);
        }
    }

    public Total total(Cause cause) {
        Objects.requireNonNull(cause, "cause");
        Count count = of(cause);
        long number = count.number.sum();
        return new Total(number, number == 0 ? null : Instant.ofEpochMilli(count.last.get()));
    }

    private Count of(Cause cause) {
        Count count = counts.get(cause);
        if (count == null) {
            throw new IllegalStateException("Every cause has a count");
        }
        return count;
    }
}
