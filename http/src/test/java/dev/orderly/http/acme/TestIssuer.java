package dev.orderly.http.acme;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.shredzone.acme4j.util.CSRBuilder;
import org.shredzone.acme4j.util.CertificateUtils;

/** Issues certificates without an authority. */
final class TestIssuer {
    static final Duration LIFE = Duration.ofDays(90);
    private static final KeyPair ROOT = key("RSA");

    IssuedCertificate issue(List<String> domains, Instant now) {
        try {
            KeyPair key = key("EC");
            CSRBuilder request = new CSRBuilder();
            request.addDomains(domains);
            request.sign(key);
            X509Certificate issuer = CertificateUtils.createTestRootCertificate("CN=Test", now, now.plus(LIFE), ROOT);
            return new IssuedCertificate(List.of(CertificateUtils.createTestCertificate(request.getCSR(), now,
                    now.plus(LIFE), issuer, ROOT.getPrivate()), issuer), key.getPrivate());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static KeyPair key(String algorithm) {
        try {
            return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
