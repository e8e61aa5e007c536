package dev.orderly.room.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A maker of tokens that Orderly would not sign, with the right key. It derives keys by RFC 5869 on its own, so that a
 * change of the derivation, which would void all issued tokens, is noticed.
 */
final class Forger {
    private final byte[] key;
    private final String id;

    Forger(byte[] secret) {
        byte[] extracted = hmac("HmacSHA256", new byte[32], secret);
        key = expanded(extracted, "orderly room token v1");
        id = base64(Arrays.copyOf(expanded(extracted, "orderly room token key id v1"), 6)).substring(0, 6);
    }

    byte[] key() {
        return key.clone();
    }

    String id() {
        return id;
    }

    /** A header in Orderly's form with this content. */
    String header(String type, String algorithm) {
        return header(type, algorithm, id);
    }

    static String header(String type, String algorithm, String id) {
        return "{\"typ\":\"" + type + "\",\"alg\":\"" + algorithm + "\",\"kid\":\"" + id + "\"}";
    }

    String ticketHeader() {
        return header("ot+jwt", "HS256");
    }

    String passHeader() {
        return header("op+jwt", "HS256");
    }

    /** A token of this header and payload with a right signature. */
    String token(String header, String payload) {
        return token(header, payload, "HmacSHA256");
    }

    String token(String header, String payload, String algorithm) {
        return signed(base64(bytes(header)) + "." + base64(bytes(payload)), key, algorithm);
    }

    /** The text, a dot, and the right signature of the text. */
    String signed(String input) {
        return signed(input, key, "HmacSHA256");
    }

    static String signed(String input, byte[] key, String algorithm) {
        return input + "." + base64(hmac(algorithm, key, bytes(input)));
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] expanded(byte[] extracted, String label) {
        byte[] info = Arrays.copyOf(bytes(label), label.length() + 1);
        info[label.length()] = 1;
        return hmac("HmacSHA256", extracted, info);
    }

    private static byte[] hmac(String algorithm, byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key, algorithm));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
