package dev.orderly.testkit.sim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Solves the work that a gate asks of a visitor, as the waiting page does in a browser: ALTCHA, version 2. */
public final class WorkSolver {
    /** The block of SHA-256, which is longer than the key. */
    private static final int BLOCK = 64;

    private WorkSolver() {}

    /**
     * The payload of a solution.
     *
     * @param challenge as JSON
     */
    public static String solve(String challenge) {
        JsonNode parameters = JsonMapper.shared().readTree(challenge).path("parameters");
        String prefix = parameters.path("keyPrefix").asString();
        long counter = 0;
        String key = derived(parameters, counter);
        while (!key.startsWith(prefix)) {
            counter++;
            key = derived(parameters, counter);
        }
        return payload(challenge, counter, key);
    }

    /** The payload of a solution that may be wrong. */
    public static String payload(String challenge, long counter, String key) {
        String json = "{\"challenge\":" + challenge + ",\"solution\":{\"counter\":" + counter + ",\"derivedKey\":\""
                + key
                + "\",\"time\":12.3}}";
        return Base64.getEncoder().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    /** PBKDF2 with HmacSHA256, from digests that know their key: those of {@code Mac} read it in each round again. */
    private static String derived(JsonNode parameters, long counter) {
        byte[] nonce = HexFormat.of().parseHex(parameters.path("nonce").asString());
        byte[] key = ByteBuffer.allocate(BLOCK).put(nonce).putInt((int) counter).array();
        try {
            MessageDigest inner = keyed(key, 0x36);
            MessageDigest outer = keyed(key, 0x5c);
            byte[] salt = HexFormat.of().parseHex(parameters.path("salt").asString());
            byte[] last = hmac(inner, outer, ByteBuffer.allocate(salt.length + 4).put(salt).putInt(1).array());
            byte[] derived = last.clone();
            for (int round = 1; round < parameters.path("cost").asInt(); round++) {
                last = hmac(inner, outer, last);
                for (int at = 0; at < derived.length; at++) {
                    derived[at] ^= last[at];
                }
            }
            return HexFormat.of().formatHex(derived);
        } catch (GeneralSecurityException | CloneNotSupportedException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    private static MessageDigest keyed(byte[] key, int pad) throws GeneralSecurityException {
        byte[] block = new byte[BLOCK];
        for (int at = 0; at < BLOCK; at++) {
            block[at] = (byte) (key[at] ^ pad);
        }
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(block);
        return digest;
    }

    private static byte[] hmac(MessageDigest inner, MessageDigest outer, byte[] message)
            throws CloneNotSupportedException {
        MessageDigest whole = (MessageDigest) outer.clone();
        whole.update(((MessageDigest) inner.clone()).digest(message));
        return whole.digest();
    }
}
