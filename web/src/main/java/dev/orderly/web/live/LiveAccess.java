package dev.orderly.web.live;

import dev.orderly.web.user.Authenticator;
import dev.orderly.web.user.PageOrigins;

/**
 * The rules for opening live connections.
 *
 * @param users verifies the tokens of users
 * @param pages origins whose scripts may open WebSockets
 */
public record LiveAccess(Authenticator users, PageOrigins pages) {
    /** Pages of the edge's own host only. */
    public static LiveAccess of(Authenticator users) {
        return new LiveAccess(users, PageOrigins.OWN);
    }
}
