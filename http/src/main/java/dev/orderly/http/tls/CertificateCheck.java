package dev.orderly.http.tls;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Faults of certificates with which a listener starts nevertheless, as lines for an operator. */
public final class CertificateCheck {
    private static final Duration SOON = Duration.ofDays(7);

    private CertificateCheck() {}

    /**
     * All faults.
     *
     * @param hosts that clients will ask for, in their normal form; empty if unknown
     */
    public static List<String> warnings(HostCertificates certificates, Collection<String> hosts, Instant now) {
        List<String> warnings = new ArrayList<>(lives(certificates, now));
        warnings.addAll(lasting(certificates, hosts));
        return warnings;
    }

    /** The faults that come and go with time: certificates that clients refuse now, or soon will. */
    static List<String> lives(HostCertificates certificates, Instant now) {
        return certificates.all().stream().flatMap(one -> life(one, now).stream()).toList();
    }

    /** The faults that stay. */
    static List<String> lasting(HostCertificates certificates, Collection<String> hosts) {
        List<String> warnings = new ArrayList<>();
        certificates.all().forEach(one -> {
            chain(one).ifPresent(warnings::add);
            if (one.names().isEmpty()) {
                warnings.add("Certificate " + one + " names no host, so browsers refuse it: request one with the host"
                        + " as subjectAltName");
            }
        });
        String missing = hosts.stream().sorted().distinct()
                .filter(host -> certificates.all().stream().noneMatch(one -> one.isFor(host)))
                .collect(Collectors.joining(", "));
        if (!missing.isEmpty()) {
            warnings.add("No certificate is for " + missing + ", so browsers refuse these sites: add a certificate"
                    + " with these names under edge.tls.sni");
        }
        return warnings;
    }

    private static Optional<String> life(ServerCertificate certificate, Instant now) {
        X509Certificate first = certificate.chain().getFirst();
        Instant begin = first.getNotBefore().toInstant();
        Instant end = first.getNotAfter().toInstant();
        if (now.isBefore(begin)) {
            return Optional.of("Certificate " + certificate + " is not valid before " + begin
                    + ": clients refuse it until then; check the clock of this machine");
        }
        if (now.isAfter(end)) {
            return Optional.of("Certificate " + certificate + " has expired: clients refuse it; renew it, new files"
                    + " are read within seconds");
        }
        boolean lasting = Duration.between(begin, end).compareTo(SOON.multipliedBy(3)) > 0;
        return lasting && end.isBefore(now.plus(SOON))
                ? Optional.of("Certificate " + certificate + " expires in "
                        + Duration.between(now, end).toHours() + " h: renew it")
                : Optional.empty();
    }

    private static Optional<String> chain(ServerCertificate certificate) {
        X509Certificate last = certificate.chain().getLast();
        if (ServerCertificate.isIssuer(last, last) || isKnown(last)) {
            return Optional.empty();
        }
        return Optional.of("The chain of certificate " + certificate + " is incomplete, since the certificate of its"
                + " issuer \"" + last.getIssuerX500Principal().getName() + "\" is neither in the file nor known to"
                + " this machine: append it, certificate authorities give it as \"chain\" or \"intermediate\"");
    }

    /** Whether the issuer is one of the authorities of the JDK. */
    private static boolean isKnown(X509Certificate certificate) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            @Nullable
            KeyStore ofTheJdk = null;
            trust.init(ofTheJdk);
            return Arrays.stream(trust.getTrustManagers()).filter(X509TrustManager.class::isInstance)
                    .flatMap(one -> Arrays.stream(((X509TrustManager) one).getAcceptedIssuers()))
                    .anyMatch(issuer -> ServerCertificate.isIssuer(issuer, certificate));
        } catch (GeneralSecurityException _) {
            return true; // without authorities nothing can be said
        }
    }
}
