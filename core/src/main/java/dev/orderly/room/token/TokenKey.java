package dev.orderly.room.token;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signing key of room tokens, and its public id. Both are derived from a secret by HKDF-SHA256 under labels of
 * their own: the secret may sign other things elsewhere, and neither reveals it.
 */
final class TokenKey {
    static final String ALGORITHM = "HmacSHA256";

    private static final String KEY_LABEL = "orderly room token v1";
    private static final String ID_LABEL = "orderly room token key id v1";
    private static final int KEY_BYTES = 32;
    private static final int ID_BYTES = 6;
    /** 36 bits distinguish a handful of keys and keep tokens short. */
    private static final int ID_TEXT = 6;

    private final SecretKey secret;
    private final String id;

    private TokenKey(SecretKey secret, String id) {
        this.secret = secret;
        this.id = id;
    }

    static TokenKey from(byte[] secret) {
        byte[] key = derived(secret, KEY_LABEL, KEY_BYTES);
        String id = Base64.getUrlEncoder().encodeToString(derived(secret, ID_LABEL, ID_BYTES));
        return new TokenKey(new SecretKeySpec(key, ALGORITHM), id.substring(0, ID_TEXT));
    }

    SecretKey secret() {
        return secret;
    }

    /** The {@code kid}: 6 characters of URL-safe Base64; public. */
    String id() {
        return id;
    }

    private static byte[] derived(byte[] secret, String label, int bytes) {
        try {
            return KDF.getInstance("HKDF-SHA256").deriveData(HKDFParameterSpec.ofExtract().addIKM(secret)
                    .thenExpand(label.getBytes(StandardCharsets.US_ASCII), bytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK from 25 on has HKDF-SHA256", e);
        }
    }

    @Override
    public String toString() {
        return id;
    }
}
