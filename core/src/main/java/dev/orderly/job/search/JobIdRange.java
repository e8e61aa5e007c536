package dev.orderly.job.search;

import dev.orderly.job.JobId;
import dev.orderly.job.store.JobSequence;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * A range of job ids by their sequence numbers, both ends inclusive. Since an id begins with the time of the push, the
 * beginning of an id and a span of time are ranges.
 *
 * @param prefix the beginning of the text form, with its hyphens; empty for any
 */
public record JobIdRange(long first, long last, String prefix) {
    /** All ids. */
    public static final JobIdRange ALL = new JobIdRange(0, Long.MAX_VALUE, "");
    private static final int LENGTH = 36;
    private static final String HYPHENS = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

    /** The id alone. */
    public static JobIdRange of(JobId id) {
        return new JobIdRange(id.sequence(), id.sequence(), id.toString());
    }

    /**
     * The ids that begin with a text.
     *
     * @throws IllegalArgumentException if no id begins with it
     */
    public static JobIdRange startingWith(String text) {
        String prefix = text.strip().toLowerCase(Locale.ROOT);
        if (!isPrefix(prefix)) {
            throw new IllegalArgumentException("\"" + (text.length() <= 40 ? text : text.substring(0, 40) + "...")
                    + "\" is not the beginning of a job id: use hexadecimal digits and hyphens as in a UUIDv7");
        }
        return new JobIdRange(sequence(prefix, "0"), sequence(prefix, "f"), prefix);
    }

    /** Whether an id may begin with a text of lower case. */
    static boolean isPrefix(String text) {
        if (text.isEmpty() || text.length() > LENGTH) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char at = text.charAt(i);
            boolean hyphen = HYPHENS.charAt(i) == '-';
            if (hyphen != (at == '-') || (!hyphen && Character.digit(at, 16) < 0)) {
                return false;
            }
        }
        return text.length() <= 14 || text.charAt(14) == '7';
    }

    private static long sequence(String prefix, String filler) {
        String filled = prefix + HYPHENS.substring(prefix.length()).replace("x", filler);
        String valid = filled.substring(0, 14) + "7" + filled.substring(15, 19)
                + Integer.toHexString((Character.digit(filled.charAt(19), 16) & 0x3) | 0x8) + filled.substring(20);
        return new JobId(UUID.fromString(valid)).sequence();
    }

    /** The jobs of this range that were pushed at or after a moment. */
    public JobIdRange from(Instant moment) {
        return new JobIdRange(Math.max(first, JobSequence.startOf(moment)), last, prefix);
    }

    /** The jobs of this range that were pushed before a moment. */
    public JobIdRange before(Instant moment) {
        return new JobIdRange(first, Math.min(last, JobSequence.startOf(moment) - 1), prefix);
    }

    /** Whether the range can have at most one id. */
    boolean isSingle() {
        return prefix.length() == LENGTH;
    }

    boolean contains(JobId id) {
        long sequence = id.sequence();
        return first <= sequence && sequence <= last && (prefix.isEmpty() || id.toString().startsWith(prefix));
    }
}
