package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.http.acme.AcmeChallenge;
import dev.orderly.http.acme.AcmeOptions;
import dev.orderly.http.tls.CertificateCheck;
import dev.orderly.http.tls.CertificatePassword;
import dev.orderly.http.tls.CertificateReader;
import dev.orderly.http.tls.CertificateSource;
import dev.orderly.http.tls.HostCertificates;
import dev.orderly.http.tls.ServerCertificate;
import dev.orderly.http.tls.UnusableCertificateException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
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
    static final KeySpec.Key<Path> CERTIFICATE = new KeySpec.Key<>("certificate",
            ValueTypes.path("/etc/ssl/shop.pem"), new Absent.Depends("none"),
            "The certificate followed by the certificates of its issuers (PEM); or a PKCS#12 file with certificates"
                    + " and key. Files are read again within ten seconds after they change. If the new files cannot be"
                    + " used, the certificate before stays in use and the log says why.");
    static final KeySpec.Key<Path> KEY = new KeySpec.Key<>("key", ValueTypes.path("/etc/ssl/shop.key"),
            new Absent.Depends("the key in `certificate`"),
            "The private key of the certificate (PEM, not encrypted): PKCS#8, or the traditional form of RSA and EC.");
    static final KeySpec.Key<String> PASSWORD_ENV = new KeySpec.Key<>("password-env",
            ValueTypes.variable("SHOP_P12_PASSWORD"), new Absent.Depends("no password"),
            "The variable with the password of a PKCS#12 file.");
    static final KeySpec.Key<Path> PASSWORD_FILE = new KeySpec.Key<>("password-file",
            ValueTypes.path("/etc/ssl/shop.password"), new Absent.Depends("no password"),
            "The file with the password of a PKCS#12 file; blanks and line ends at its end are ignored.");
    /** One certificate with its key. */
    static final List<KeySpec> CERTIFICATE_KEYS = List.of(CERTIFICATE, KEY, PASSWORD_ENV, PASSWORD_FILE);
    static final Listed SNI = new Listed("sni", CERTIFICATE_KEYS,
            "Further certificates. A client gets the certificate for the host that it asks for, and `certificate` if"
                    + " there is none; `*.shop.example` stands for one label. A host may have an RSA and an EC"
                    + " certificate.");
    static final KeySpec.Many<String> ACME_DOMAINS = new KeySpec.Many<>("domains",
            RoomValueTypes.hostName(), new Absent.Refused(),
            "The hosts in the certificate, 1 to 100. Each must lead to this server, as `challenge` says.");
    static final KeySpec.Key<AcmeChallenge> ACME_CHALLENGE = new KeySpec.Key<>("challenge",
            ValueTypes.choice(AcmeChallenge.class),
            new Absent.Depends("`http-01` with `redirect-port`, `tls-alpn-01` without it"),
            "The way in which the authority sees that a host leads here: `http-01` by port 80, which must lead to"
                    + " `redirect-port`; `tls-alpn-01` by port 443, which must lead to `edge.port` with no proxy that"
                    + " ends TLS between.");
    static final KeySpec.Key<String> ACME_EMAIL = new KeySpec.Key<>("email",
            RoomValueTypes.text(254, "ops@shop.example"), new Absent.Depends("none"),
            "The address to which the authority may write.");
    static final KeySpec.Key<URI> ACME_DIRECTORY = new KeySpec.Key<>("directory",
            RoomValueTypes.address(), new Absent.Means(AcmeOptions.LETS_ENCRYPT.toString()),
            "The address of the authority's directory.");
    static final KeySpec.Key<Path> ACME_AUTHORITIES = new KeySpec.Key<>("authorities",
            ValueTypes.path("/etc/ssl/own-ca.pem"), new Absent.Depends("those of the JDK"),
            "The PEM file of the authorities that the certificate of a private `directory` comes from.");
    static final KeySpec.Key<Path> ACME_FOLDER = new KeySpec.Key<>("folder", ValueTypes.path("data/acme"),
            new Absent.Means("data/acme"),
            "The folder with the account's key and the certificate, readable for this user only. Keep it over restarts:"
                    + " authorities limit how many certificates a host gets. Several nodes share both in their store,"
                    + " encrypted with the server's secret; the folder of each has a copy of the certificate.");
    static final Group ACME = new Group("acme",
            List.of(ACME_DOMAINS, ACME_CHALLENGE, ACME_EMAIL, ACME_DIRECTORY, ACME_AUTHORITIES, ACME_FOLDER),
            "A certificate that an authority issues and renews (RFC 8555), in place of `certificate`. By this setting"
                    + " you agree to the terms of the authority.",
            true);
    static final KeySpec.Key<Path> CLIENTS = new KeySpec.Key<>("clients",
            ValueTypes.path("/etc/ssl/clients-ca.pem"), new Absent.Depends("none"),
            "The authorities (PEM) that issue certificates for clients. A client without such a certificate cannot"
                    + " connect; tokens are needed all the same. Read at the start.");
    static final KeySpec.Key<Boolean> CLIENTS_REQUIRED = new KeySpec.Key<>("clients-required",
            ValueTypes.flag(), new Absent.Means("true"),
            "Whether clients need a certificate. With `false` one that is shown must be valid, and a client may show"
                    + " none: for the time in which clients get theirs.");
    private static final String ABOUT = "TLS 1.2 and 1.3 on this listener:"
            + " `tls: { certificate: shop.pem, key: shop.key }`.";
    /** TLS with certificates from files or from an authority. */
    static final Group TLS = new Group("tls", List.of(CERTIFICATE, KEY, PASSWORD_ENV, PASSWORD_FILE, SNI, ACME),
            ABOUT, true);
    /** TLS of the API: with certificates from files only, and with certificates of clients. */
    static final Group ADMIN_TLS = new Group("tls",
            List.of(CERTIFICATE, KEY, PASSWORD_ENV, PASSWORD_FILE, SNI, CLIENTS, CLIENTS_REQUIRED), ABOUT, true);

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
            } catch (UnusableCertificateException e) {
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

    /**
     * Reads {@link #TLS} of a listener.
     *
     * @return null if the listener has no TLS
     */
    @Nullable
    static TlsConfig read(CheckedSection listener) {
        if (!listener.has(TLS)) {
            return null;
        }
        CheckedSection at = listener.below(TLS);
        List<CertificateSource> sources = new ArrayList<>();
        AcmeOptions acme = at.has(ACME)
                ? acme(at.below(ACME), listener.value(Config.REDIRECT_PORT).isPresent()
                        ? AcmeChallenge.HTTP_01
                        : AcmeChallenge.TLS_ALPN_01)
                : null;
        if (!at.has(ACME)) {
            source(at).ifPresent(sources::add);
        } else if (at.has(CERTIFICATE)) {
            at.report(CERTIFICATE, "acme and certificate are set, and only one of them can be"
                    + " first", "remove one of them, or move the certificate to sni");
        }
        at.items(SNI).forEach(item -> source(item).ifPresent(sources::add));
        return new TlsConfig(sources, acme, clients(at));
    }

    private static TlsConfig.@Nullable Clients clients(CheckedSection at) {
        Optional<Path> file = at.path(CLIENTS);
        if (file.isEmpty()) {
            if (at.has(CLIENTS_REQUIRED)) {
                at.report(CLIENTS_REQUIRED, "There are no authorities of clients",
                        "set clients to the PEM file of the authorities, or remove clients-required");
            }
            return null;
        }
        try {
            CertificateReader.authorities(file.get());
        } catch (UnusableCertificateException e) {
            at.report(CLIENTS, e.rule(), e.remedy());
        }
        return new TlsConfig.Clients(file.get(), at.value(CLIENTS_REQUIRED).orElse(true));
    }

    private static @Nullable AcmeOptions acme(CheckedSection at, AcmeChallenge byDefault) {
        List<String> domains = at.values(ACME_DOMAINS);
        if (domains.isEmpty()) {
            return null; // the schema has reported it
        }
        try {
            return new AcmeOptions(domains, at.value(ACME_EMAIL).orElse(null),
                    at.value(ACME_DIRECTORY).orElse(AcmeOptions.LETS_ENCRYPT),
                    at.path(ACME_AUTHORITIES).orElse(null),
                    at.path(ACME_FOLDER).orElse(Path.of("")),
                    at.value(ACME_CHALLENGE).orElse(byDefault));
        } catch (IllegalArgumentException e) {
            at.report(ACME_DOMAINS, String.valueOf(e.getMessage()), "for instance"
                    + " [shop.example, www.shop.example]");
            return null;
        }
    }

    private static Optional<CertificateSource> source(CheckedSection at) {
        if (!at.has(CERTIFICATE)) {
            at.report(CERTIFICATE, "TLS needs a certificate",
                    "set certificate and key to PEM files, or certificate to a PKCS#12 file");
        }
        Optional<Path> certificate = at.path(CERTIFICATE);
        if (certificate.isEmpty()) {
            return Optional.empty();
        }
        CertificateSource source = new CertificateSource(certificate.get(), at.path(KEY).orElse(null),
                password(at));
        try {
            CertificateReader.read(source);
        } catch (UnusableCertificateException e) {
            at.report(CERTIFICATE, e.rule(), e.remedy());
        }
        return Optional.of(source);
    }

    private static CertificatePassword password(CheckedSection at) {
        if (at.has(PASSWORD_ENV) && at.has(PASSWORD_FILE)) {
            at.report(PASSWORD_ENV,
                    "password-env and password-file are set, and only one of them can count", "remove one of them");
        }
        Optional<Path> file = at.path(PASSWORD_FILE);
        if (file.isPresent()) {
            return new CertificatePassword.InFile(file.get());
        }
        String variable = at.value(PASSWORD_ENV).orElse(null);
        String text = variable == null ? "" : at.variable(variable);
        if (text == null) {
            at.report(PASSWORD_ENV, "The variable is not set",
                    "set it in the environment of the process");
        }
        return text == null || text.isEmpty() ? CertificatePassword.NONE : new CertificatePassword.Text(text);
    }
}
