package dev.orderly.http.observe;

/**
 * The load of a listener at one moment.
 *
 * @param connections open connections
 * @param refused connections that were refused since the start, for want of room
 * @param requests requests under way
 * @param bodyBytes bytes of request bodies in memory
 */
public record ListenerLoad(int connections, long refused, int requests, long bodyBytes) {
    /** A listener that does not listen. */
    public static final ListenerLoad NONE = new ListenerLoad(0, 0, 0, 0);
}
