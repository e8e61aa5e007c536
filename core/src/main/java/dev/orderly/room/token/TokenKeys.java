package dev.orderly.room.token;

import java.util.ArrayList;
import java.util.List;

/**
 * The keys of a site's room tokens. The first key signs, all keys verify. To change a secret, put the new one in front
 * on every node, and remove the old one once the tokens it signed have expired. If nodes change over one by one, first
 * add the new secret behind the old one, so that every node knows it before any node signs with it. {@link #toString}
 * shows only the public ids of the keys. Immutable and thread-safe.
 */
public final class TokenKeys {
    /** The shortest secret, in bytes. */
    public static final int SECRET_MIN = 32;
    /** The largest number of secrets at a time. */
    public static final int KEYS_MAX = 8;

    private final List<TokenKey> keys;

    private TokenKeys(List<TokenKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * The keys derived from secrets, which are not kept. A secret may be used for other things too.
     *
     * @param secrets 1 to {@value #KEYS_MAX}, each of {@value #SECRET_MIN} random bytes or more; the first signs
     * @throws IllegalArgumentException if a secret breaks a rule; names its number and the rule, never the secret
     *     itself
     */
    public static TokenKeys of(List<byte[]> secrets) {
        if (secrets.isEmpty() || secrets.size() > KEYS_MAX) {
            throw new IllegalArgumentException(
                    "There are " + secrets.size() + " secrets for room tokens: give 1 to " + KEYS_MAX
                            + ", the one that signs first");
        }
        List<TokenKey> keys = new ArrayList<>();
        for (byte[] secret : secrets) {
            int number = keys.size() + 1;
            if (secret.length < SECRET_MIN) {
                throw new IllegalArgumentException("Secret " + number + " for room tokens has " + secret.length
                        + " bytes: use " + SECRET_MIN + " random bytes or more");
            }
            TokenKey key = TokenKey.from(secret);
            if (keys.stream().anyMatch(other -> other.id().equals(key.id()))) {
                throw new IllegalArgumentException("Secret " + number + " for room tokens has the key id of one before"
                        + " it: give each secret once");
            }
            keys.add(key);
        }
        return new TokenKeys(keys);
    }

    /** All keys, the signing key first. */
    List<TokenKey> all() {
        return keys;
    }

    @Override
    public String toString() {
        return "TokenKeys" + keys;
    }
}
