package dev.orderly.web.message;

import java.util.concurrent.CompletableFuture;

/**
 * A complete request within the limits. The body is empty if there is none, and belongs to the endpoint.
 *
 * @param gone completed, on an event loop, if the client goes away before it has its answer; dependent actions must not
 *     block
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Request(RequestHead head, byte[] body, CompletableFuture<Void> gone) {
    /** A request whose client stays. */
    public Request(RequestHead head, byte[] body) {
        this(head, body, new CompletableFuture<>());
    }
}
