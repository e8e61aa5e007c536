package dev.orderly.http.acme;

import dev.orderly.http.tls.UnusableCertificateException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The place of an account and of its certificate. */
interface AcmeStorage {
    /** The account's key; the first call makes and keeps it. */
    KeyPair accountKey(Supplier<KeyPair> fresh) throws IOException, UnusableCertificateException;

    /**
     * The certificate that an authority issued for exactly these domains, which this node's file contains afterwards;
     * empty if there is none.
     */
    Optional<X509Certificate> issued(List<String> domains)
            throws IOException, GeneralSecurityException, UnusableCertificateException;

    /** Replaces the certificate. */
    void keep(IssuedCertificate certificate) throws IOException, GeneralSecurityException;
}
