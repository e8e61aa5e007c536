package dev.orderly.http.live;

import dev.orderly.http.gateway.TrustedProxies;
import dev.orderly.http.user.Authenticator;
import dev.orderly.http.user.PageOrigins;

/**
 * Who may connect.
 *
 * @param users tells who somebody is
 * @param pages whose scripts may open WebSockets
 * @param trusted proxies in front of the edge
 */
public record LiveAccess(Authenticator users, PageOrigins pages, TrustedProxies trusted) {
    /** From pages of the own host, without proxies. */
    public static LiveAccess of(Authenticator users) {
        return new LiveAccess(users, PageOrigins.OWN, TrustedProxies.NONE);
    }
}
