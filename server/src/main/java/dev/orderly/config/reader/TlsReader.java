package dev.orderly.config.reader;

import dev.orderly.config.ConfigProblem;
import dev.orderly.config.TlsConfig;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.TlsSchema;
import dev.orderly.http.acme.AcmeChallenge;
import dev.orderly.http.acme.AcmeOptions;
import dev.orderly.http.tls.CertificatePassword;
import dev.orderly.http.tls.CertificateReader;
import dev.orderly.http.tls.CertificateSource;
import dev.orderly.http.tls.UnusableCertificate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The part of {@link ConfigReader} about TLS. Reads the files of certificates, so that all their faults are found. */
final class TlsReader {
    private final Path folder;
    private final Map<String, String> environment;
    private final List<ConfigProblem> problems;

    TlsReader(Path folder, Map<String, String> environment, List<ConfigProblem> problems) {
        this.folder = folder;
        this.environment = environment;
        this.problems = problems;
    }

    /**
     * Reads {@link TlsSchema#TLS} of a listener.
     *
     * @return null if the listener has no TLS
     */
    @Nullable
    TlsConfig read(CheckedSection listener) {
        if (!listener.has(TlsSchema.TLS)) {
            return null;
        }
        CheckedSection at = listener.below(TlsSchema.TLS);
        List<CertificateSource> sources = new ArrayList<>();
        AcmeOptions acme = at.has(TlsSchema.ACME)
                ? acme(at.below(TlsSchema.ACME), listener.value(TlsSchema.REDIRECT_PORT).isPresent()
                        ? AcmeChallenge.HTTP_01
                        : AcmeChallenge.TLS_ALPN_01)
                : null;
        if (!at.has(TlsSchema.ACME)) {
            source(at).ifPresent(sources::add);
        } else if (at.has(TlsSchema.CERTIFICATE)) {
            problems.add(at.problem(TlsSchema.CERTIFICATE, "acme and certificate are set, and only one of them can be"
                    + " first", "remove one of them, or move the certificate to sni"));
        }
        at.items(TlsSchema.SNI).forEach(item -> source(item).ifPresent(sources::add));
        return new TlsConfig(sources, acme);
    }

    private @Nullable AcmeOptions acme(CheckedSection at, AcmeChallenge byDefault) {
        List<String> domains = at.values(TlsSchema.ACME_DOMAINS);
        if (domains.isEmpty()) {
            return null; // the schema has reported it
        }
        try {
            return new AcmeOptions(domains, at.value(TlsSchema.ACME_EMAIL).orElse(null),
                    at.value(TlsSchema.ACME_DIRECTORY).orElse(AcmeOptions.LETS_ENCRYPT),
                    path(at, TlsSchema.ACME_AUTHORITIES).orElse(null),
                    path(at, TlsSchema.ACME_FOLDER).orElse(folder),
                    at.value(TlsSchema.ACME_CHALLENGE).orElse(byDefault));
        } catch (IllegalArgumentException e) {
            problems.add(at.problem(TlsSchema.ACME_DOMAINS, String.valueOf(e.getMessage()), "for instance"
                    + " [shop.example, www.shop.example]"));
            return null;
        }
    }

    private Optional<CertificateSource> source(CheckedSection at) {
        if (!at.has(TlsSchema.CERTIFICATE)) {
            problems.add(at.problem(TlsSchema.CERTIFICATE, "TLS needs a certificate",
                    "set certificate and key to PEM files, or certificate to a PKCS#12 file"));
        }
        Optional<Path> certificate = path(at, TlsSchema.CERTIFICATE);
        if (certificate.isEmpty()) {
            return Optional.empty();
        }
        CertificateSource source = new CertificateSource(certificate.get(), path(at, TlsSchema.KEY).orElse(null),
                password(at));
        try {
            CertificateReader.read(source);
        } catch (UnusableCertificate e) {
            problems.add(at.problem(TlsSchema.CERTIFICATE, e.rule(), e.remedy()));
        }
        return Optional.of(source);
    }

    private CertificatePassword password(CheckedSection at) {
        if (at.has(TlsSchema.PASSWORD_ENV) && at.has(TlsSchema.PASSWORD_FILE)) {
            problems.add(at.problem(TlsSchema.PASSWORD_ENV,
                    "password-env and password-file are set, and only one of them can count", "remove one of them"));
        }
        Optional<Path> file = path(at, TlsSchema.PASSWORD_FILE);
        if (file.isPresent()) {
            return new CertificatePassword.InFile(file.get());
        }
        String variable = at.value(TlsSchema.PASSWORD_ENV).orElse(null);
        String text = variable == null ? "" : environment.get(variable);
        if (text == null) {
            problems.add(at.problem(TlsSchema.PASSWORD_ENV, "The variable is not set",
                    "set it in the environment of the process"));
        }
        return text == null || text.isEmpty() ? CertificatePassword.NONE : new CertificatePassword.Text(text);
    }

    private Optional<Path> path(CheckedSection at, KeySpec.Key<Path> key) {
        return at.value(key).map(folder::resolve).map(Path::normalize);
    }
}
