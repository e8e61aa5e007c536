package dev.orderly.http.tls;

import io.netty.handler.ssl.SslContext;
import java.util.Optional;

/**
 * The certificates by which a listener answers challenges of an authority over TLS (TLS-ALPN-01, RFC 8737). Only
 * handshakes that offer {@link #PROTOCOL} get them. Thread-safe; never blocks.
 */
public interface TlsChallenges {
    /** The name of the protocol in ALPN. */
    String PROTOCOL = "acme-tls/1";

    /** No challenge is ever open. */
    TlsChallenges NONE = new TlsChallenges() {
        @Override
        public boolean isOpen() {
            return false;
        }

        @Override
        public Optional<SslContext> find(String host) {
            return Optional.empty();
        }
    };

    /** Whether a challenge is open for any host. While none is, handshakes are not looked at. */
    boolean isOpen();

    /** The context with the certificate of the challenge for a host, in lower case; empty if none is open. */
    Optional<SslContext> find(String host);
}
