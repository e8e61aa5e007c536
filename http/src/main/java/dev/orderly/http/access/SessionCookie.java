package dev.orderly.http.access;

import dev.orderly.access.TokenSecret;
import dev.orderly.web.header.Authority;
import dev.orderly.web.header.CookieScan;
import dev.orderly.web.message.RequestHead;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cookie of a session. Over TLS its name begins with {@code __Host-}, so that browsers send it to exactly this host
 * and over TLS only; the plain name is for loopback without TLS. {@code SameSite=Strict}: no other site can use it.
 */
public final class SessionCookie {
    private static final String NAME = "orderly_session";
    private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Strict";
    private static final String LOGGED_OUT = "=; Max-Age=0";
    private static final int VALUE_MAX = 100;

    private SessionCookie() {}

    private static boolean isGuarded(boolean secure, RequestHead head) {
        return secure || !Authority.isLoopback(head.host());
    }

    private static String name(boolean guarded) {
        return guarded ? "__Host-" + NAME : NAME;
    }

    /**
     * The value of the cookie; empty without one.
     *
     * @param secure whether the browser's connection has TLS
     */
    public static Optional<String> read(RequestHead head, boolean secure) {
        String name = name(isGuarded(secure, head));
        for (String header : head.headers().getAll("Cookie")) {
            CookieScan cookie = new CookieScan(header);
            while (cookie.next()) {
                if (cookie.isNamed(name) && !cookie.value().isEmpty() && cookie.value().length() <= VALUE_MAX) {
                    return Optional.of(cookie.value());
                }
            }
        }
        return Optional.empty();
    }

    /** The {@code Set-Cookie} of a session. It ends with the browser, or when the server ends the session. */
    public static String set(String value, RequestHead head, boolean secure) {
        boolean guarded = isGuarded(secure, head);
        return name(guarded) + "=" + value + ATTRIBUTES + (guarded ? "; Secure" : "");
    }

    /** The {@code Set-Cookie} that removes the session from the browser. */
    public static String clear(RequestHead head, boolean secure) {
        boolean guarded = isGuarded(secure, head);
        return name(guarded) + LOGGED_OUT + ATTRIBUTES + (guarded ? "; Secure" : "");
    }

    /**
     * The token that proves that a change comes from a page of this site: a hash of the cookie, which no page can read.
     */
    public static String csrf(String value) {
        return TokenSecret.sha256("orderly csrf " + value);
    }

    /** Whether a presented token proves it. Compares in constant time. */
    public static boolean isCsrf(String csrf, @Nullable String presented) {
        return presented != null && MessageDigest.isEqual(csrf.getBytes(StandardCharsets.US_ASCII),
                presented.getBytes(StandardCharsets.UTF_8));
    }
}
