package dev.orderly.http.user;

import dev.orderly.web.user.PageOrigins;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The rules for users' tokens.
 *
 * @param issuer the required {@code iss}; null for any
 * @param audience the required {@code aud}, or one of several; null for any
 * @param cookie the cookie that may hold the token; null if only bearer tokens count
 * @param pages origins whose pages may use the cookie
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

    /** Any issuer and audience, bearer tokens only. */
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
