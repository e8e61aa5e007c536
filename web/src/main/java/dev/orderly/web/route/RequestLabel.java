package dev.orderly.web.route;

/**
 * The kind of a request, as far as a listener's counts distinguish requests.
 *
 * @param room the room that the request met; empty for none
 */
public record RequestLabel(String room, Kind kind) {
    /** A request that is answered from memory or by this program itself, such as a health check or an error. */
    public static final RequestLabel OWN = new RequestLabel("", Kind.OWN);
    /** A request whose body is collected, such as a push. */
    public static final RequestLabel PUSH = new RequestLabel("", Kind.PUSH);
    /** A request for an origin that met no room. */
    public static final RequestLabel OPEN = new RequestLabel("", Kind.OPEN);

    /** The ways in which a request is served. */
    public enum Kind {
        /** A visitor with a pass. */
        PASS,
        /** A room lets all visitors through. */
        UNGATED,
        /** A waiting visitor. */
        WAITING,
        /** A visitor who gets neither admission nor place. */
        REFUSED, OPEN, PUSH, OWN
    }
}
