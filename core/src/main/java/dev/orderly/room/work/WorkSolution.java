package dev.orderly.room.work;

import dev.orderly.Internal;
import dev.orderly.room.VisitorId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The solution of a {@link WorkChallenge} as a visitor sent it: neither authentic nor right until that is verified.
 *
 * @param id the nonce of the challenge
 * @param until end of the challenge
 * @param signature of the challenge
 * @param counter 0 to 2^32 - 1
 * @param derivedKey in hexadecimal digits
 */
@Internal(to = "dev.orderly")
public record WorkSolution(VisitorId id, Instant until, String signature, long counter, String derivedKey) {
    private static final int PAYLOAD_MAX = 4_096;
    private static final Pattern NONCE = Pattern.compile("[0-9a-f]{32}");
    private static final Pattern KEY = Pattern.compile(
            WorkChallenge.PREFIX + "[0-9a-f]{" + (2 * WorkChallenge.KEY_BYTES - WorkChallenge.PREFIX.length()) + "}");
    private static final long COUNTER_MAX = (1L << 32) - 1;
    private static final long YEAR_9999 = 253_402_300_799L;

    public WorkSolution {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(until, "until");
        Objects.requireNonNull(signature, "signature");
        Objects.requireNonNull(derivedKey, "derivedKey");
    }

    /**
     * Reads the payload of ALTCHA's widget: Base64 of JSON. Of the challenge only nonce, end and signature are read;
     * the gate knows the rest, so that no client chooses it.
     *
     * @return empty for any other text
     */
    public static Optional<WorkSolution> read(String payload) {
        Objects.requireNonNull(payload, "payload");
        if (payload.length() > PAYLOAD_MAX) {
            return Optional.empty();
        }
        try {
            JsonNode json = JsonMapper.shared().readTree(
                    Base64.getDecoder().decode(payload.getBytes(StandardCharsets.ISO_8859_1)));
            return of(json.at("/challenge/parameters/nonce").asString(""), json.at("/challenge/parameters/expiresAt")
                    .asLong(-1), json.at("/challenge/signature").asString(""), json.at("/solution/counter").asLong(-1),
                    json.at("/solution/derivedKey").asString(""));
        } catch (RuntimeException _) {
            return Optional.empty();
        }
    }

    private static Optional<WorkSolution> of(String nonce, long until, String signature, long counter, String key) {
        return NONCE.matcher(nonce).matches() && KEY.matcher(key).matches() && counter >= 0 && counter <= COUNTER_MAX
                && until >= 0 && until <= YEAR_9999
                        ? Optional.of(new WorkSolution(VisitorId.of(HexFormat.of().parseHex(nonce)),
                                Instant.ofEpochSecond(until), signature, counter, key))
                        : Optional.empty();
    }

    /** The challenge that the sender claims to have solved. */
    public WorkChallenge challenge(int cost) {
        return new WorkChallenge(id, until, cost);
    }

    /** Whether the counter gives the key. Computes as many rounds as the cost: some milliseconds. */
    public boolean isRight(int cost) {
        byte[] nonce = id.bytes();
        byte[] password = ByteBuffer.allocate(nonce.length + Integer.BYTES).put(nonce).putInt((int) counter).array();
        return MessageDigest.isEqual(derived(password, nonce, cost), HexFormat.of().parseHex(derivedKey));
    }

    /** PBKDF2 of RFC 8018 for a key of one block; that of the JDK takes passwords of characters only. */
    private static byte[] derived(byte[] password, byte[] salt, int rounds) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(password, "HmacSHA256"));
            mac.update(salt);
            byte[] last = mac.doFinal(new byte[]{0, 0, 0, 1});
            byte[] key = last.clone();
            for (int round = 1; round < rounds; round++) {
                last = mac.doFinal(last);
                for (int at = 0; at < key.length; at++) {
                    key[at] ^= last[at];
                }
            }
            return key;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has HmacSHA256", e);
        }
    }

    /** Without what proves the work. */
    @Override
    public String toString() {
        return "WorkSolution[" + id + "]";
    }
}
