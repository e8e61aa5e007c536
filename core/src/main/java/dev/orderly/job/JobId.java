package dev.orderly.job;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/**
 * The identity of a job: a UUIDv7 (RFC 9562, method 1 with 15 counter bits) whose first 63 free bits are the job's
 * {@linkplain #sequence() sequence number}. Ids of one store therefore sort in push order.
 *
 * <p>Not a secret and not a capability: the remaining bits are salt that keeps ids of different stores apart.
 */
public record JobId(UUID value) implements Comparable<JobId> {
    /** The number of low bits of a sequence number that are a counter; the bits above are Unix milliseconds. */
    public static final int COUNTER_BITS = 15;

    private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;
    private static final long COUNTER_LOW = 0x7;
    private static final long SALT_BITS = (1L << 59) - 1;

    public JobId {
        if (value.version() != 7 || value.variant() != 2) {
            throw new IllegalArgumentException("Job id " + value + " is not a UUIDv7");
        }
    }

    /**
     * The id of the job with this sequence number.
     *
     * @param sequence 48 bits of Unix milliseconds, {@value #COUNTER_BITS} bits of counter
     * @param salt any 64 bits, the same for all ids of a store
     */
    public static JobId of(long sequence, long salt) {
        long counter = sequence & COUNTER_MASK;
        long high = sequence >>> COUNTER_BITS << 16 | 0x7000L | counter >>> 3;
        long low = 0x8000000000000000L | (counter & COUNTER_LOW) << 59 | (mix(sequence ^ salt) & SALT_BITS);
        return new JobId(new UUID(high, low));
    }

    /**
     * Reads the text form, 36 characters.
     *
     * @throws IllegalArgumentException if the text is not a UUIDv7; the message quotes the text
     */
    public static JobId parse(String text) {
        Objects.requireNonNull(text, "text");
        UUID uuid;
        try {
            uuid = UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("\"" + shortened(text) + "\" is not a job id: expected a UUIDv7", e);
        }
        return new JobId(uuid);
    }

    /** The 63-bit number that orders the jobs of one store by push: larger is later. Not consecutive. */
    public long sequence() {
        long high = value.getMostSignificantBits();
        long low = value.getLeastSignificantBits();
        return high >>> 16 << COUNTER_BITS | (high & 0xFFF) << 3 | (low >>> 59 & COUNTER_LOW);
    }

    /**
     * The time of the push, to the millisecond; later than the actual time if sequence numbers ran ahead of the clock.
     */
    public Instant pushedAt() {
        return Instant.ofEpochMilli(value.getMostSignificantBits() >>> 16);
    }

    @Override
    public int compareTo(JobId other) {
        int high = Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
        return high != 0
                ? high
                : Long.compareUnsigned(value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
    }

    @Override
    public String toString() {
        return value.toString();
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood 2014): spreads every input bit over the output. */
    private static long mix(long bits) {
        long z = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
