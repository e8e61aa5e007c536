package dev.orderly.http.tls;

import java.security.cert.X509Certificate;
import java.util.List;

/**
 * The authorities whose certificates authenticate clients.
 *
 * @param required whether a client without a certificate is refused in the handshake
 */
public record ClientAuthorities(List<X509Certificate> authorities, boolean required) {
    /** @throws IllegalArgumentException if there is no authority */
    public ClientAuthorities {
        authorities = List.copyOf(authorities);
        if (authorities.isEmpty()) {
            throw new IllegalArgumentException("No authority of client certificates is given: name one or more");
        }
    }
}
