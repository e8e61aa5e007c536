package dev.orderly.http.acme;

/** Issues certificates. */
@FunctionalInterface
interface CertificateAuthority {
    /** Requests a certificate for all domains. Blocks for seconds to minutes. */
    IssuedCertificate issue() throws IssuanceException, InterruptedException;
}
