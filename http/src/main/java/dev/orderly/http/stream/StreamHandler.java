package dev.orderly.http.stream;

/** A handler of requests that does not wait for their bodies. */
@FunctionalInterface
public interface StreamHandler {
    /** Takes over a request. Runs on the connection's event loop; must not block. An exception becomes a problem. */
    void serve(StreamedExchange exchange);
}
