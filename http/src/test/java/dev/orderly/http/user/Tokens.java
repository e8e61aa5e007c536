package dev.orderly.http.user;

import dev.orderly.http.tls.TestKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.json.JsonMapper;

/** Makes valid and invalid tokens with the JDK alone, as an issuer or an attacker would. */
public final class Tokens {
    /** A secret of 32 bytes. */
    public static final byte[] SECRET = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final AtomicInteger RSA_PAIRS = new AtomicInteger();

    private Tokens() {}

    /** A valid token under {@link #SECRET}. */
    public static String of(String user, Instant expires) {
        return hs256(claims(user, expires), SECRET);
    }

    static Map<String, Object> claims(String user, Instant expires) {
        return new LinkedHashMap<>(Map.of("sub", user, "exp", expires.getEpochSecond()));
    }

    static String hs256(Map<String, Object> claims, byte[] secret) {
        return hs256(Map.of("alg", "HS256"), claims, secret);
    }

    static String hs256(Map<String, Object> head, Map<String, Object> claims, byte[] secret) {
        return hs256(json(head), json(claims), secret);
    }

    static String hs256(String head, String claims, byte[] secret) {
        String signed = part(head) + "." + part(claims);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return signed + "." + base64(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String signed(String algorithm, String kid, Map<String, Object> claims, PrivateKey key) {
        String signed = part(json(Map.of("alg", algorithm, "kid", kid))) + "." + part(json(claims));
        String name = switch (algorithm) {
            case "RS256" -> "SHA256withRSA";
            case "ES256" -> "SHA256withECDSAinP1363Format";
            case "EdDSA" -> "Ed25519";
            default -> throw new IllegalArgumentException(algorithm);
        };
        try {
            Signature signature = Signature.getInstance(name);
            signature.initSign(key);
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Another pair than those of the calls before; of RSA, than those of the two calls before. */
    static KeyPair pair(String algorithm) {
        try {
            return switch (algorithm) {
                case "RS256" -> TestKeys.rsa(RSA_PAIRS.getAndIncrement() % TestKeys.RSA_PAIRS);
                case "ES256" -> {
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                    generator.initialize(256);
                    yield generator.generateKeyPair();
                }
                default -> KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String part(String json) {
        return base64(json.getBytes(StandardCharsets.UTF_8));
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static String json(Object value) {
        return JsonMapper.shared().writeValueAsString(value);
    }
}
