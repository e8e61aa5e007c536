package dev.orderly.room.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;

/**
 * Signer and verifier for one key and one type of token: a JWT in compact form, HS256, with a fixed header. Immutable
 * and thread-safe: an HMAC that has read the header is copied for every token, which needs neither a pool nor state per
 * thread.
 */
final class TokenSigner {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final int SIGNATURE = 43;

    private final String header;
    private final Mac initialized;

    TokenSigner(TokenKey key, String type) {
        String json = "{\"typ\":\"" + type + "\",\"alg\":\"HS256\",\"kid\":\"" + key.id() + "\"}";
        header = ENCODER.encodeToString(json.getBytes(StandardCharsets.US_ASCII)) + ".";
        try {
            initialized = Mac.getInstance(TokenKey.ALGORITHM);
            initialized.init(key.secret());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has " + TokenKey.ALGORITHM, e);
        }
        initialized.update(header.getBytes(StandardCharsets.US_ASCII));
        copy();
    }

    /** The signed token with this payload. */
    String sign(byte[] payload) {
        byte[] text = ENCODER.encode(payload);
        return header + new String(text, StandardCharsets.US_ASCII) + "."
                + new String(signature(text, 0, text.length), StandardCharsets.US_ASCII);
    }

    /** Whether the token has this header, byte for byte; nothing else is checked. */
    boolean hasHeader(String token) {
        return token.startsWith(header);
    }

    /**
     * The payload of a token that {@link #hasHeader has this header}, if the signature is right; empty for any other.
     */
    Optional<byte[]> verify(String token) {
        // A character outside Latin-1 becomes a question mark, which no part of a token may contain.
        byte[] text = token.getBytes(StandardCharsets.ISO_8859_1);
        int dot = text.length - SIGNATURE - 1;
        if (dot < header.length() || text[dot] != '.') {
            return Optional.empty();
        }
        // Compared as text: of several encodings of one signature only the canonical one is equal.
        byte[] expected = signature(text, header.length(), dot);
        if (!MessageDigest.isEqual(expected, Arrays.copyOfRange(text, dot + 1, text.length))) {
            return Optional.empty();
        }
        byte[] payload = Arrays.copyOfRange(text, header.length(), dot);
        byte[] decoded = Base64.getUrlDecoder().decode(payload);
        return Arrays.equals(ENCODER.encode(decoded), payload) ? Optional.of(decoded) : Optional.empty();
    }

    /** The signature of a text that is no token, in hexadecimal digits. */
    String signature(String text) {
        Mac mac = copy();
        return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    }

    private byte[] signature(byte[] text, int from, int to) {
        Mac mac = copy();
        mac.update(text, from, to - from);
        return ENCODER.encode(mac.doFinal());
    }

    private Mac copy() {
        try {
            return (Mac) initialized.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("The HMAC of provider " + initialized.getProvider()
                    + " cannot be copied: put the JDK's own provider SunJCE before it", e);
        }
    }
}
