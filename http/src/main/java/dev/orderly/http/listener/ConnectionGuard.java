package dev.orderly.http.listener;

import dev.orderly.http.problem.Problem;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Decides by its two ends whether a connection is served. Thread-safe. */
@FunctionalInterface
public interface ConnectionGuard {
    /** Serves every connection. */
    ConnectionGuard NONE = (_, _) -> null;

    /** Why a connection is refused; null to serve it. Called once a connection on its event loop, so it must not wait. */
    @Nullable
    Problem refusal(SocketAddress peer, SocketAddress own);
}
