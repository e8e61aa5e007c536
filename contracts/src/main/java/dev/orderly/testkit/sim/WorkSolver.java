package dev.orderly.testkit.sim;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Solves the work that a gate asks of a visitor, as the waiting page does in a browser: ALTCHA, version 2. */
public final class WorkSolver {
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

    private static String derived(JsonNode parameters, long counter) {
        byte[] nonce = HexFormat.of().parseHex(parameters.path("nonce").asString());
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(ByteBuffer.allocate(nonce.length + 4).put(nonce).putInt((int) counter).array(),
                    "HmacSHA256"));
            mac.update(HexFormat.of().parseHex(parameters.path("salt").asString()));
            mac.update(new byte[]{0, 0, 0, 1});
            byte[] last = mac.doFinal();
            byte[] key = last.clone();
            for (int round = 1; round < parameters.path("cost").asInt(); round++) {
                last = mac.doFinal(last);
                for (int at = 0; at < key.length; at++) {
                    key[at] ^= last[at];
                }
            }
            return HexFormat.of().formatHex(key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has HmacSHA256", e);
        }
    }
}
