package dev.orderly.room;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A visitor of one room: 128 random bits, the {@code jti} of the ticket and of the passes that follow from it. Names a
 * visitor in logs and to operators; grants nothing.
 */
public record VisitorId(long high, long low) {
    private static final int BYTES = 16;
    private static final int TEXT = 22;

    public static VisitorId random(RandomGenerator random) {
        return new VisitorId(random.nextLong(), random.nextLong());
    }

    /** The id that follows from a secret text: equal for equal texts, and as unpredictable as the text. */
    public static VisitorId derived(String secret) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return of(Arrays.copyOf(digest, BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    /** The id written by {@link #toString}; empty for any other text. */
    public static Optional<VisitorId> parse(String text) {
        if (text.length() != TEXT) {
            return Optional.empty();
        }
        try {
            VisitorId id = of(Base64.getUrlDecoder().decode(text));
            return id.toString().equals(text) ? Optional.of(id) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * The id with these bytes.
     *
     * @param bytes the result of {@link #bytes}, 16 bytes
     * @throws IllegalArgumentException if there are not 16 bytes
     */
    public static VisitorId of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("A visitor id has " + BYTES + " bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new VisitorId(buffer.getLong(), buffer.getLong());
    }

    public byte[] bytes() {
        return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
    }

    /** Text of 22 characters of URL-safe Base64. */
    @Override
    public String toString() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes());
    }
}
