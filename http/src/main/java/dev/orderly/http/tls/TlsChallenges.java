package dev.orderly.http.tls;

import io.netty.handler.ssl.SslContext;
import java.util.Optional;

/**
 * Answers to challenges of an authority over TLS (TLS-ALPN-01, RFC 8737). Thread-safe; never blocks.
 */
@FunctionalInterface
public interface TlsChallenges {
    /** The protocol that an authority offers, and no other client (ALPN). */
    String PROTOCOL = "acme-tls/1";

    /** No challenge is ever open. */
    TlsChallenges NONE = _ -> Optional.empty();

    /**
     * The context with the certificate of a challenge; empty if the client is no authority, or no challenge is open for
     * the host. The connection ends after the handshake.
     */
    Optional<SslContext> answer(ClientHello hello);
}
