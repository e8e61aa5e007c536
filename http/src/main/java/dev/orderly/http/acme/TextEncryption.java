package dev.orderly.http.acme;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** Texts encrypted with AES-GCM, each bound to its place in the store. Thread-safe. */
final class TextEncryption {
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final int VERSION_BYTE = 1;

    private final List<SecretKey> keys;

    /**
     * Encryption with keys of AES.
     *
     * @param keys the first one encrypts, each decrypts; at least one
     */
    TextEncryption(List<SecretKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** @param place another place cannot open the text */
    String seal(String place, String text) {
        byte[] nonce = new byte[NONCE];
        new SecureRandom().nextBytes(nonce);
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, keys.getFirst(), nonce, place)
                    .doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(
                    ByteBuffer.allocate(VERSION_BYTE + NONCE + sealed.length).put((byte) 1).put(nonce).put(sealed)
                            .array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has AES-GCM", e);
        }
    }

    /** The text; empty if it was sealed with another key or at another place, or changed. */
    Optional<String> open(String place, String sealed) {
        byte[] all;
        try {
            all = Base64.getDecoder().decode(sealed);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
        if (all.length < VERSION_BYTE + NONCE || all[0] != 1) {
            return Optional.empty();
        }
        byte[] nonce = Arrays.copyOfRange(all, VERSION_BYTE, VERSION_BYTE + NONCE);
        for (SecretKey key : keys) {
            try {
                return Optional.of(new String(cipher(Cipher.DECRYPT_MODE, key, nonce, place).doFinal(all,
                        VERSION_BYTE + NONCE, all.length - VERSION_BYTE - NONCE), StandardCharsets.UTF_8));
            } catch (GeneralSecurityException _) {
                // sealed with another key
            }
        }
        return Optional.empty();
    }

    private static Cipher cipher(int mode, SecretKey key, byte[] nonce, String place)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
