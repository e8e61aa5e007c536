package dev.orderly.http.user;

import java.security.Key;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.NamedParameterSpec;
import java.util.List;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/** The public signature keys of a JWK set. Keys of other types and uses are left out. Immutable. */
final class KeySet {
    static final KeySet NONE = new KeySet(List.of());

    /** A token without a key id is tried with each key, so the number of keys is bounded. */
    private static final int MAX = 64;
    private static final int RSA_BITS = 2048;
    private static final int P256_BITS = 256;

    private final List<PublicJsonWebKey> keys;

    private KeySet(List<PublicJsonWebKey> keys) {
        this.keys = keys;
    }

    /** @throws IllegalArgumentException if it is no JWK set, or has no key that can verify a token */
    static KeySet parse(String json) {
        List<PublicJsonWebKey> keys;
        try {
            keys = new JsonWebKeySet(json).getJsonWebKeys().stream().filter(PublicJsonWebKey.class::isInstance)
                    .map(PublicJsonWebKey.class::cast).filter(KeySet::isForSignatures).toList();
        } catch (JoseException | RuntimeException _) {
            // The parser's message may quote a private key that was put there by mistake.
            throw new IllegalArgumentException("it is no JWK set: use the form {\"keys\":[...]}");
        }
        if (keys.isEmpty() || keys.size() > MAX) {
            throw new IllegalArgumentException("it has " + keys.size()
                    + " keys for RS256 (2048 bits or more), ES256 or EdDSA (Ed25519): 1 to " + MAX + " are needed");
        }
        return new KeySet(keys);
    }

    /** The keys for this algorithm and key id; without a key id, all keys for the algorithm. */
    List<Key> fitting(String algorithm, @Nullable String kid) {
        return keys.stream().filter(key -> kid == null || kid.equals(key.getKeyId()))
                .filter(key -> algorithm.equals(algorithm(key.getPublicKey()))).map(JsonWebKey::getKey).toList();
    }

    private static boolean isForSignatures(PublicJsonWebKey key) {
        String algorithm = algorithm(key.getPublicKey());
        return algorithm != null && (key.getAlgorithm() == null || key.getAlgorithm().equals(algorithm))
                && (key.getUse() == null || key.getUse().equals("sig"))
                && (key.getKeyOps() == null || key.getKeyOps().contains("verify"));
    }

    /** The only algorithm that is used with such a key; null for unsupported keys. */
    private static @Nullable String algorithm(PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa when rsa.getModulus().bitLength() >= RSA_BITS ->
                AlgorithmIdentifiers.RSA_USING_SHA256;
            case ECPublicKey ec when ec.getParams().getOrder().bitLength() == P256_BITS ->
                AlgorithmIdentifiers.ECDSA_USING_P256_CURVE_AND_SHA256;
            case EdECPublicKey ed when ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName()) ->
                AlgorithmIdentifiers.EDDSA;
            default -> null;
        };
    }
}
