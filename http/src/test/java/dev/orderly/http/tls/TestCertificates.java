package dev.orderly.http.tls;

import dev.orderly.testkit.tls.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Certificates for a listener under test. */
public final class TestCertificates {
    private TestCertificates() {}

    /** TLS of a listener with a certificate for each of these hosts. */
    public static ListenerTls tls(TlsLibrary library, TestAuthority authority, String... hosts) {
        return new ListenerTls(new CurrentCertificates(of(authority, hosts)), null, library);
    }

    /** A certificate for each of these hosts. */
    static HostCertificates of(TestAuthority authority, String... hosts) {
        return of(Stream.of(hosts).map(authority::issue).toArray(TestAuthority.Issued[]::new));
    }

    static HostCertificates of(TestAuthority.Issued... issued) {
        List<ServerCertificate> all = new ArrayList<>();
        try {
            for (TestAuthority.Issued one : issued) {
                Path file = Files.createTempFile("orderly-test", ".pem");
                Files.writeString(file, one.keyPem() + one.chainPem());
                all.add(CertificateReader.read(new CertificateSource(file, null, CertificatePassword.NONE)));
                Files.delete(file);
            }
            return new HostCertificates(all);
        } catch (UnusableCertificateException | IOException e) {
            throw new AssertionError(e);
        }
    }
}
