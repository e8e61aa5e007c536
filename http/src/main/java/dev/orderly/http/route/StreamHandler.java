package dev.orderly.http.route;

/** Serves requests as they come in, without waiting for their bodies. */
@FunctionalInterface
public interface StreamHandler {
    /** Takes a request over. Runs on the connection's event loop; must not block. What it throws becomes a problem. */
    void serve(StreamedExchange exchange);
}
