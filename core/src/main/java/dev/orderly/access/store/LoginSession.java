package dev.orderly.access.store;

import dev.orderly.access.TokenName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A session of a browser, which belongs to the token that opened it.
 *
 * @param hash SHA-256 of the cookie's value
 * @param opened in milliseconds
 * @param lastSeen in milliseconds; the last reported use
 */
public record LoginSession(String hash, TokenName token, Instant opened, Instant lastSeen) {
    public LoginSession {
        opened = opened.truncatedTo(ChronoUnit.MILLIS);
        lastSeen = lastSeen.truncatedTo(ChronoUnit.MILLIS);
    }
}
