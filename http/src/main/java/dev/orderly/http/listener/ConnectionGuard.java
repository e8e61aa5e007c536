package dev.orderly.http.listener;

import dev.orderly.web.problem.Problem;
import io.vertx.core.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Decides by its two addresses whether a connection is served. Thread-safe. */
@FunctionalInterface
public interface ConnectionGuard {
    /** Serves every connection. */
    ConnectionGuard NONE = (_, _) -> null;

    /**
     * The reason to refuse a connection; null to serve it. Called once for each connection on its event loop; must not
     * block.
     */
    @Nullable
    Problem refusal(SocketAddress peer, SocketAddress own);
}
