package dev.orderly.http.observe;

import dev.orderly.web.route.RequestLabel;

/** An observer of a listener. Called on event loops: must neither block nor throw. */
public interface TrafficObserver {
    /** Observes nothing; the listener then reads no clock for it. */
    TrafficObserver NONE = (_, _, _, _) -> {};

    /** The status of a request whose client went away before an answer began. */
    int LOST = 0;

    /** The origin time of an answer that no origin gave. */
    long NO_ORIGIN = -1;

    /**
     * The head of an answer is ready, or the client is gone.
     *
     * @param status of the answer, or {@link #LOST}
     * @param own nanoseconds since the head of the request, without those at the origin
     * @param origin nanoseconds from the request's way to the origin until the head of the origin's answer, or
     *     {@link #NO_ORIGIN}
     */
    void answered(RequestLabel label, int status, long own, long origin);

    /** An event loop ran a timer this much later than due, in nanoseconds. */
    default void loopDelayed(long nanos) {}
}
