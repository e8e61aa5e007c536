package dev.orderly.http.acme;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/**
 * A certificate with its key. Prints no key.
 *
 * @param chain the certificate of the domains first, then those of its issuers
 */
record IssuedCertificate(List<X509Certificate> chain, PrivateKey key) {
    IssuedCertificate {
        chain = List.copyOf(chain);
    }

    @Override
    public String toString() {
        return "certificate until " + chain.getFirst().getNotAfter().toInstant();
    }
}
