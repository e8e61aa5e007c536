package dev.orderly.job.search;

import java.util.HexFormat;

/**
 * The identity of an {@link ErrorShape}: the first 64 bits of its SHA-256. Zero belongs to dead letters that died under
 * a version that stored none.
 */
public record ErrorFingerprint(long value) implements Comparable<ErrorFingerprint> {
    private static final int DIGITS = 16;
    public static final ErrorFingerprint NONE = new ErrorFingerprint(0);

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException unless the text has 16 hexadecimal digits
     */
    public static ErrorFingerprint parse(String text) {
        if (text.length() != DIGITS || !text.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException("\"" + (text.length() <= 40 ? text : text.substring(0, 40) + "...")
                    + "\" is not the fingerprint of an error: use the 16 digits that a list of errors shows");
        }
        return new ErrorFingerprint(HexFormat.fromHexDigitsToLong(text));
    }

    @Override
    public int compareTo(ErrorFingerprint other) {
        return Long.compare(value, other.value);
    }

    /** 16 hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(value);
    }
}
