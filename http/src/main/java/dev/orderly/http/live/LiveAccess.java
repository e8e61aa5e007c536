package dev.orderly.http.live;

import dev.orderly.http.user.Authenticator;
import dev.orderly.http.user.PageOrigins;

/**
 * Who may connect.
 *
 * @param users tells who somebody is
 * @param pages whose scripts may open WebSockets
 */
public record LiveAccess(Authenticator users, PageOrigins pages) {
    /** From pages of the own host. */
    public static LiveAccess of(Authenticator users) {
        return new LiveAccess(users, PageOrigins.OWN);
    }
}
