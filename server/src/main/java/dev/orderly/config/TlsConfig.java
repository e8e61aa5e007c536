package dev.orderly.config;

import dev.orderly.http.tls.CertificateCheck;
import dev.orderly.http.tls.CertificateReader;
import dev.orderly.http.tls.CertificateSource;
import dev.orderly.http.tls.HostCertificates;
import dev.orderly.http.tls.ServerCertificate;
import dev.orderly.http.tls.UnusableCertificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * TLS of a listener. It contains no keys, only their places.
 *
 * @param certificates the first one is for clients that name no host, or an unknown host
 */
public record TlsConfig(List<CertificateSource> certificates) {
    public TlsConfig {
        certificates = List.copyOf(certificates);
    }

    /** What clients will object to. Blocks on the files. */
    public List<String> warnings(Collection<String> hosts, Instant now) {
        List<ServerCertificate> read = new ArrayList<>();
        for (CertificateSource source : certificates) {
            try {
                read.add(CertificateReader.read(source));
            } catch (UnusableCertificate e) {
                return List.of(String.valueOf(e.getMessage()));
            }
        }
        return CertificateCheck.warnings(new HostCertificates(read), hosts, now);
    }

    @Override
    public String toString() {
        return certificates.stream().map(CertificateSource::toString).collect(Collectors.joining(", "));
    }
}
