package dev.orderly.http.listener;

/** What a listener serves. Runs on event loops: answers from memory, never blocks. Thread-safe. */
@FunctionalInterface
public interface Site {
    /** @throws dev.orderly.http.problem.Refusal if nothing serves this head, or it may not be served */
    Match match(Head head);

    /**
     * Who serves a request.
     *
     * @param head with the params of the endpoint's path
     */
    record Match(Endpoint endpoint, Head head) {}
}
