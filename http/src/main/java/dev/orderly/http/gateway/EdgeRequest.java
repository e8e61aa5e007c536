package dev.orderly.http.gateway;

import dev.orderly.http.listener.Head;

/**
 * A request to the public edge, with what handlers go by: read from the head once, so that every handler sees the same.
 *
 * @param head as sent
 * @param host in its normal form, without the port; empty if the request names none
 * @param trusted proxies in front of the edge
 */
public record EdgeRequest(Head head, RequestPath path, String host, TrustedProxies trusted) {
    /** @throws dev.orderly.http.problem.Refusal if the path has no normal form */
    static EdgeRequest of(Head head, TrustedProxies trusted) {
        return new EdgeRequest(head, RequestPath.of(head.path()), head.host(), trusted);
    }

    /** The head with its path in the normal form, which routes and origins get. */
    public Head normalHead() {
        return head.withPath(path.wire());
    }

    public ClientAddress client() {
        return ClientAddress.of(head, trusted);
    }
}
