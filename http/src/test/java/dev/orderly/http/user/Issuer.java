package dev.orderly.http.user;

import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A key pair of an issuer, with its public half in published form. */
record Issuer(String algorithm, String kid, KeyPair pair) {
    static Issuer of(String algorithm, String kid) {
        return new Issuer(algorithm, kid, Tokens.pair(algorithm));
    }

    String token(Map<String, Object> claims) {
        return Tokens.signed(algorithm, kid, claims, pair.getPrivate());
    }

    static String set(Issuer... issuers) {
        return Tokens.json(Map.of("keys", Arrays.stream(issuers).map(Issuer::jwk).toList()));
    }

    Map<String, Object> jwk() {
        Map<String, Object> jwk = new LinkedHashMap<>(members(pair.getPublic()));
        jwk.put("kid", kid);
        return jwk;
    }

    private static Map<String, Object> members(PublicKey key) {
        return switch (key) {
            case RSAPublicKey rsa ->
                Map.of("kty", "RSA", "n", number(rsa.getModulus().toByteArray(), 256), "e", "AQAB");
            case ECPublicKey ec -> Map.of("kty", "EC", "crv", "P-256", "x",
                    number(ec.getW().getAffineX().toByteArray(), 32), "y",
                    number(ec.getW().getAffineY().toByteArray(), 32));
            case EdECPublicKey ed -> Map.of("kty", "OKP", "crv", "Ed25519", "x", last(ed.getEncoded(), 32));
            default -> throw new IllegalArgumentException(key.getAlgorithm());
        };
    }

    /** A number in a fixed length, without the sign. */
    private static String number(byte[] bytes, int length) {
        byte[] fixed = new byte[length];
        int from = Math.max(0, bytes.length - length);
        System.arraycopy(bytes, from, fixed, length - (bytes.length - from), bytes.length - from);
        return Tokens.base64(fixed);
    }

    private static String last(byte[] bytes, int length) {
        return Base64.getUrlEncoder().withoutPadding()
                .encodeToString(Arrays.copyOfRange(bytes, bytes.length - length, bytes.length));
    }

    static List<String> algorithms() {
        return List.of("RS256", "ES256", "EdDSA");
    }
}
