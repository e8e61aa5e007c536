package dev.orderly.servlet.dashboard;

import dev.orderly.access.TokenSecret;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cookie behind the token that changes need: a page of another site can neither read it nor the token. Every node
 * of an application understands the cookie of any other.
 *
 * @param value random
 */
record CsrfCookie(String value) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_-]{32}");

    static CsrfCookie random() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return new CsrfCookie(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    static Optional<CsrfCookie> of(HttpServletRequest request) {
        Cookie[] all = request.getCookies();
        return all == null
                ? Optional.empty()
                : Arrays.stream(all)
                        .filter(cookie -> cookie.getName().equals(name(request)) && VALUE.matcher(cookie.getValue())
                                .matches())
                        .findFirst().map(cookie -> new CsrfCookie(cookie.getValue()));
    }

    /** Browsers accept the prefix over TLS only. */
    private static String name(HttpServletRequest request) {
        return request.isSecure() ? "__Host-orderly_csrf" : "orderly_csrf";
    }

    /** The value of the {@code Set-Cookie} header. */
    String header(HttpServletRequest request) {
        return name(request) + "=" + value + "; Path=/; HttpOnly; SameSite=Strict" + (request.isSecure()
                ? "; Secure"
                : "");
    }

    /** What pages send in {@code X-CSRF-Token}. */
    String token() {
        return TokenSecret.sha256("orderly csrf " + value);
    }

    boolean isToken(@Nullable String presented) {
        return presented != null && MessageDigest.isEqual(token().getBytes(StandardCharsets.US_ASCII),
                presented.getBytes(StandardCharsets.UTF_8));
    }
}
