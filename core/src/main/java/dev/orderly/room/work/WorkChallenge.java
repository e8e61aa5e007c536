package dev.orderly.room.work;

import dev.orderly.Internal;
import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Work that ends a wait before a place, in the format of ALTCHA's proof of work, version 2: find a counter for which
 * PBKDF2 with SHA-256 derives a key that begins with a zero byte, from the nonce followed by the counter as four bytes.
 * The nonce is unpredictable, so that the salt need not be another one.
 *
 * @param id of the wait; its bytes are the nonce
 * @param until end of the challenge, in whole seconds
 * @param cost rounds of each derivation
 */
@Internal(to = "dev.orderly")
public record WorkChallenge(VisitorId id, Instant until, int cost) {
    static final int KEY_BYTES = 32;
    /** Hexadecimal digits with which a key begins. */
    static final String PREFIX = "00";

    public WorkChallenge {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(until, "until");
    }

    /** The parameters as JSON, with their names in order: the form that is signed. */
    public String parameters() {
        String nonce = HexFormat.of().formatHex(id.bytes());
        return "{\"algorithm\":\"PBKDF2/SHA-256\",\"cost\":" + cost + ",\"expiresAt\":" + until.getEpochSecond()
                + ",\"keyLength\":" + KEY_BYTES + ",\"keyPrefix\":\"" + PREFIX + "\",\"nonce\":\"" + nonce
                + "\",\"salt\":\"" + nonce + "\"}";
    }

    /** The challenge as JSON. */
    public String json(String signature) {
        Objects.requireNonNull(signature, "signature");
        return "{\"parameters\":" + parameters() + ",\"signature\":\"" + signature + "\"}";
    }
}
