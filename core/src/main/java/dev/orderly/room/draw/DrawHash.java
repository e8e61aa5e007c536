package dev.orderly.room.draw;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The hash functions of a draw. */
final class DrawHash {
    /** Bytes of a hash. */
    static final int BYTES = 32;

    private DrawHash() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    static Mac hmac(byte[] key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (InvalidKeyException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has HmacSHA256, for keys of any length", e);
        }
    }

    /** HMAC-SHA-256(seed, root || beacon), with the beacon in UTF-8. */
    static byte[] key(String seed, String root, @Nullable String beacon) {
        Mac mac = hmac(bytes(seed));
        mac.update(bytes(root));
        return mac.doFinal(beacon == null ? new byte[0] : beacon.getBytes(StandardCharsets.UTF_8));
    }

    /** An index as 8 bytes, the highest first. */
    static byte[] index(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    static String text(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
