package dev.orderly.http.user;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whose tokens are believed, and where they may come from.
 *
 * @param issuer what {@code iss} has to be; null if it does not matter
 * @param audience what {@code aud} has to be, or to have among others; null if it does not matter
 * @param cookie the cookie that may hold the token; null if only bearers count
 * @param pages whose pages may use the cookie
 */
public record UserOptions(TokenSource source, @Nullable String issuer, @Nullable String audience,
        @Nullable String cookie, PageOrigins pages) {
    private static final Pattern COOKIE = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}");

    /** @throws IllegalArgumentException naming the cookie and the rule */
    public UserOptions {
        if (cookie != null && !isCookieName(cookie)) {
            throw new IllegalArgumentException("No cookie can be named " + cookie
                    + ": use letters, digits and !#$%&'*+.^_`|~-");
        }
    }

    /** Any issuer and audience, bearers only. */
    public static UserOptions of(TokenSource source) {
        return new UserOptions(source, null, null, null, PageOrigins.OWN);
    }

    public UserOptions withIssuer(String value) {
        return new UserOptions(source, value, audience, cookie, pages);
    }

    public UserOptions withAudience(String value) {
        return new UserOptions(source, issuer, value, cookie, pages);
    }

    public UserOptions withCookie(String value) {
        return new UserOptions(source, issuer, audience, value, pages);
    }

    public UserOptions withPages(PageOrigins value) {
        return new UserOptions(source, issuer, audience, cookie, value);
    }

    public static boolean isCookieName(String name) {
        return COOKIE.matcher(name).matches();
    }
}
