package dev.orderly.http.acme;

import dev.orderly.http.tls.TestKeys;
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
    private static final KeyPair ROOT = TestKeys.rsa(0);

    IssuedCertificate issue(List<String> domains, Instant now) {
        try {
            KeyPair key = KeyPairGenerator.getInstance("EC").generateKeyPair();
            CSRBuilder request = new CSRBuilder();
            request.addDomains(domains);
            request.sign(key);
            X509Certificate issuer = CertificateUtils.createTestRootCertificate("CN=Test", now, now.plus(LIFE), ROOT);
            return new IssuedCertificate(List.of(CertificateUtils.createTestCertificate(request.getCSR(), now,
                    now.plus(LIFE), issuer, ROOT.getPrivate()), issuer), key.getPrivate());
        } catch (IOException | GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
