package dev.orderly.access;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The secret of an access token: {@code orderly_}, 43 random characters of 62 (256 bits), and a checksum of six. Prefix
 * and checksum let secret scanners find leaked tokens without a query.
 *
 * <p>Stores keep the SHA-256 of the text. A slow hash protects passwords, which can be guessed; 256 random bits cannot,
 * so a fast hash suffices, and the verification of many requests costs nothing. {@link #toString} hides the text.
 */
public final class TokenSecret {
    /** The beginning of every token. */
    public static final String PREFIX = "orderly_";

    private static final String DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(DIGITS.length());
    private static final int RANDOM = 43;
    private static final int KEY = 32;
    private static final int CHECKSUM = 6;
    private static final Pattern FORM = Pattern.compile(PREFIX + "[0-9A-Za-z]{" + (RANDOM + CHECKSUM) + "}");

    private final String text;

    private TokenSecret(String text) {
        this.text = text;
    }

    /** @param random a source that cannot be predicted */
    public static TokenSecret random(RandomGenerator random) {
        StringBuilder text = new StringBuilder(PREFIX);
        for (int i = 0; i < RANDOM; i++) {
            text.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
        }
        return new TokenSecret(text + checksum(text.toString()));
    }

    /**
     * The secret that is made of a key: the same key makes the same secret.
     *
     * @param key 32 bytes that cannot be predicted
     * @throws IllegalArgumentException if the key has another length
     */
    public static TokenSecret of(byte[] key) {
        if (key.length != KEY) {
            throw new IllegalArgumentException("A key of " + key.length + " bytes makes no token: use " + KEY);
        }
        char[] digits = new char[RANDOM];
        BigInteger rest = new BigInteger(1, key);
        for (int i = RANDOM - 1; i >= 0; i--) {
            BigInteger[] parts = rest.divideAndRemainder(BASE);
            digits[i] = DIGITS.charAt(parts[1].intValue());
            rest = parts[0];
        }
        String text = PREFIX + new String(digits);
        return new TokenSecret(text + checksum(text));
    }

    /** The text, to be shown once. */
    public String text() {
        return text;
    }

    /** The stored form. */
    public String hash() {
        return sha256(text);
    }

    /** The stored form of a presented text; empty if the text is no token, by its form or its checksum. */
    public static Optional<String> hashOf(String presented) {
        Objects.requireNonNull(presented, "presented");
        boolean formed = FORM.matcher(presented).matches()
                && checksum(presented.substring(0, PREFIX.length() + RANDOM)).equals(presented.substring(PREFIX.length()
                        + RANDOM));
        return formed ? Optional.of(sha256(presented)) : Optional.empty();
    }

    /** SHA-256 of a text with high entropy, in hexadecimal digits. */
    public static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    private static String checksum(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        StringBuilder digits = new StringBuilder();
        long rest = crc.getValue();
        for (int i = 0; i < CHECKSUM; i++) {
            digits.insert(0, DIGITS.charAt((int) (rest % DIGITS.length())));
            rest /= DIGITS.length();
        }
        return digits.toString();
    }

    @Override
    public String toString() {
        return PREFIX + "...";
    }
}
