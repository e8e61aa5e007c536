package dev.orderly.boxoffice.web;

import dev.orderly.time.Time;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The customer's identity, in a cookie that cannot be forged: a JWT, HS256. Orderly has the same secret and the
 * cookie's name, so it knows the user of a live connection and the owner of a job. Thread-safe.
 */
public final class Sessions {
    /** The cookie's name. */
    public static final String COOKIE = "customer";

    private static final Duration LASTS = Duration.ofDays(7);
    private static final int TOKEN_MAX = 500;
    private static final Pattern CUSTOMER = Pattern.compile("[A-Za-z0-9_-]{8,64}");
    private static final String HEAD = part("{\"alg\":\"HS256\",\"typ\":\"JWT\"}");

    private final SecretKeySpec key;
    private final Time time;

    /** @param secret at least 32 bytes */
    public Sessions(byte[] secret, Time time) {
        this.key = new SecretKeySpec(secret, "HmacSHA256");
        this.time = time;
    }

    /** Sessions with a random secret, for a shop without Orderly's edge in front. */
    public static Sessions alone(Time time) {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return new Sessions(secret, time);
    }

    /** The value of the cookie. */
    public String token(String customer) {
        long end = time.now().plus(LASTS).getEpochSecond();
        String signed = HEAD + "." + part(JsonMapper.shared().writeValueAsString(Map.of("sub", customer, "exp", end)));
        return signed + "." + seal(signed);
    }

    /** The customer of a token; empty if its signature is not ours, or it has expired. */
    Optional<String> customer(String token) {
        int end = token.lastIndexOf('.');
        if (token.length() > TOKEN_MAX || !token.startsWith(HEAD + ".") || end <= HEAD.length()) {
            return Optional.empty();
        }
        byte[] right = seal(token.substring(0, end)).getBytes(StandardCharsets.US_ASCII);
        byte[] shown = token.substring(end + 1).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(right, shown) ? read(token.substring(HEAD.length() + 1, end)) : Optional.empty();
    }

    private Optional<String> read(String claims) {
        try {
            JsonNode read = JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(claims));
            @Nullable
            String customer = read.path("sub").asString(null);
            boolean valid = Instant.ofEpochSecond(read.path("exp").asLong(0)).isAfter(time.now());
            return valid && customer != null && CUSTOMER.matcher(customer).matches()
                    ? Optional.of(customer)
                    : Optional.empty();
        } catch (IllegalArgumentException | JacksonException _) {
            return Optional.empty();
        }
    }

    private String seal(String signed) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            return base64(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has HmacSHA256", e);
        }
    }

    private static String part(String json) {
        return base64(json.getBytes(StandardCharsets.UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
