package dev.orderly.config;

import dev.orderly.http.acme.AcmeOptions;
import dev.orderly.http.tls.CertificateCheck;
import dev.orderly.http.tls.CertificatePassword;
import dev.orderly.http.tls.CertificateReader;
import dev.orderly.http.tls.CertificateSource;
import dev.orderly.http.tls.HostCertificates;
import dev.orderly.http.tls.ServerCertificate;
import dev.orderly.http.tls.UnusableCertificate;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a listener. It contains no keys, only their places.
 *
 * @param certificates the first one is for clients that name no host, or an unknown host; with {@code acme}, the
 *     certificate of the authority is before them
 * @param acme a certificate that an authority issues while the server runs; null for none
 * @param clients the certificates of clients; null if they need none
 */
public record TlsConfig(List<CertificateSource> certificates, @Nullable AcmeOptions acme, @Nullable Clients clients) {
    /**
     * Authentication of clients by certificates.
     *
     * @param authorities the file of their issuers
     * @param required whether a client without a certificate is refused
     */
    public record Clients(Path authorities, boolean required) {}

    public TlsConfig {
        certificates = List.copyOf(certificates);
    }

    /** All places of certificates, also of the one that an authority issues. */
    public List<CertificateSource> sources() {
        return acme == null
                ? certificates
                : Stream.concat(
                        Stream.of(new CertificateSource(acme.certificate(), null, CertificatePassword.NONE)),
                        certificates.stream()).toList();
    }

    /** What clients will object to. Blocks on the files. */
    public List<String> warnings(Collection<String> hosts, Instant now) {
        if (certificates.isEmpty()) {
            return List.of();
        }
        List<ServerCertificate> read = new ArrayList<>();
        for (CertificateSource source : certificates) {
            try {
                read.add(CertificateReader.read(source));
            } catch (UnusableCertificate e) {
                return List.of(String.valueOf(e.getMessage()));
            }
        }
        List<String> others = acme == null
                ? List.copyOf(hosts)
                : hosts.stream().filter(host -> !acme.domains().contains(host)).toList();
        return CertificateCheck.warnings(new HostCertificates(read), others, now);
    }

    @Override
    public String toString() {
        Stream<String> issued = acme == null ? Stream.of() : Stream.of(acme.toString());
        String own = Stream.concat(issued, certificates.stream().map(CertificateSource::toString))
                .collect(Collectors.joining(", "));
        return clients == null
                ? own
                : own + ", certificates of clients by " + clients.authorities + (clients.required ? "" : " (optional)");
    }
}
