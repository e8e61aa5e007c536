package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.http.acme.AcmeChallenge;
import dev.orderly.http.acme.AcmeOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The keys of TLS. */
public final class TlsSchema {
    public static final KeySpec.Key<Path> CERTIFICATE = new KeySpec.Key<>("certificate",
            ValueTypes.path("/etc/ssl/shop.pem"), depends("none"),
            "The certificate followed by the certificates of its issuers (PEM); or a PKCS#12 file with certificates"
                    + " and key. Files are read again within ten seconds after they change. If the new files cannot be"
                    + " used, the certificate before stays in use and the log says why.");
    public static final KeySpec.Key<Path> KEY = new KeySpec.Key<>("key", ValueTypes.path("/etc/ssl/shop.key"),
            depends("the key in `certificate`"),
            "The private key of the certificate (PEM, not encrypted): PKCS#8, or the traditional form of RSA and EC.");
    public static final KeySpec.Key<String> PASSWORD_ENV = new KeySpec.Key<>("password-env",
            ValueTypes.variable("SHOP_P12_PASSWORD"), depends("no password"),
            "The variable with the password of a PKCS#12 file.");
    public static final KeySpec.Key<Path> PASSWORD_FILE = new KeySpec.Key<>("password-file",
            ValueTypes.path("/etc/ssl/shop.password"), depends("no password"),
            "The file with the password of a PKCS#12 file; blanks and line ends at its end are ignored.");
    /** One certificate with its key. */
    public static final List<KeySpec> CERTIFICATE_KEYS = List.of(CERTIFICATE, KEY, PASSWORD_ENV, PASSWORD_FILE);
    public static final Listed SNI = new Listed("sni", CERTIFICATE_KEYS,
            "Further certificates. A client gets the certificate for the host that it asks for, and `certificate` if"
                    + " there is none; `*.shop.example` stands for one label. A host may have an RSA and an EC"
                    + " certificate.");
    public static final KeySpec.Many<String> ACME_DOMAINS = new KeySpec.Many<>("domains",
            RoomValueTypes.hostName(), new Absent.Refused(),
            "The hosts in the certificate, 1 to 100. Each must lead to this server, as `challenge` says.");
    public static final KeySpec.Key<AcmeChallenge> ACME_CHALLENGE = new KeySpec.Key<>("challenge",
            ValueTypes.choice(AcmeChallenge.class), depends("`http-01` with `redirect-port`, `tls-alpn-01` without it"),
            "The way in which the authority sees that a host leads here: `http-01` by port 80, which must lead to"
                    + " `redirect-port`; `tls-alpn-01` by port 443, which must lead to `edge.port` with no proxy that"
                    + " ends TLS between.");
    public static final KeySpec.Key<String> ACME_EMAIL = new KeySpec.Key<>("email",
            RoomValueTypes.text(254, "ops@shop.example"), depends("none"),
            "The address to which the authority may write.");
    public static final KeySpec.Key<URI> ACME_DIRECTORY = new KeySpec.Key<>("directory",
            RoomValueTypes.address(), new Absent.Means(AcmeOptions.LETS_ENCRYPT.toString()),
            "The address of the authority's directory.");
    public static final KeySpec.Key<Path> ACME_AUTHORITIES = new KeySpec.Key<>("authorities",
            ValueTypes.path("/etc/ssl/own-ca.pem"), depends("those of the JDK"),
            "The PEM file of the authorities that the certificate of a private `directory` comes from.");
    public static final KeySpec.Key<Path> ACME_FOLDER = new KeySpec.Key<>("folder", ValueTypes.path("data/acme"),
            new Absent.Means("data/acme"),
            "The folder with the account's key and the certificate, readable for this user only. Keep it over restarts:"
                    + " authorities limit how many certificates a host gets. Several nodes share both in their store,"
                    + " encrypted with the server's secret; the folder of each has a copy of the certificate.");
    public static final Group ACME = new Group("acme",
            List.of(ACME_DOMAINS, ACME_CHALLENGE, ACME_EMAIL, ACME_DIRECTORY, ACME_AUTHORITIES, ACME_FOLDER),
            "A certificate that an authority issues and renews (RFC 8555), in place of `certificate`. By this setting"
                    + " you agree to the terms of the authority.",
            true);
    public static final KeySpec.Key<Path> CLIENTS = new KeySpec.Key<>("clients",
            ValueTypes.path("/etc/ssl/clients-ca.pem"), depends("none"),
            "The authorities (PEM) that issue certificates for clients. A client without such a certificate cannot"
                    + " connect; tokens are needed all the same. Read at the start.");
    public static final KeySpec.Key<Boolean> CLIENTS_REQUIRED = new KeySpec.Key<>("clients-required",
            ValueTypes.flag(), new Absent.Means("true"),
            "Whether clients need a certificate. With `false` one that is shown must be valid, and a client may show"
                    + " none: for the time in which clients get theirs.");
    private static final String ABOUT = "TLS 1.2 and 1.3 on this listener:"
            + " `tls: { certificate: shop.pem, key: shop.key }`.";
    /** TLS with certificates from files or from an authority. */
    public static final Group TLS = new Group("tls", List.of(CERTIFICATE, KEY, PASSWORD_ENV, PASSWORD_FILE, SNI, ACME),
            ABOUT, true);
    /** TLS of the API: with certificates from files only, and with certificates of clients. */
    public static final Group ADMIN_TLS = new Group("tls",
            List.of(CERTIFICATE, KEY, PASSWORD_ENV, PASSWORD_FILE, SNI, CLIENTS, CLIENTS_REQUIRED), ABOUT, true);

    public static final KeySpec.Key<Boolean> PROXY_PROTOCOL = new KeySpec.Key<>("proxy-protocol", ValueTypes.flag(),
            new Absent.Means("false"),
            "Whether every connection begins with the header of the PROXY protocol (version 1 or 2), which names the"
                    + " client's address. Only `trusted-proxies` may connect then.");
    public static final KeySpec.Key<Integer> REDIRECT_PORT = new KeySpec.Key<>("redirect-port",
            ValueTypes.port("80"), depends("none"),
            "A port without TLS that sends every request to the same address over https (308).");
    public static final KeySpec.Key<Duration> HSTS = new KeySpec.Key<>("hsts",
            ValueTypes.duration("0s", "730d", "180d"), depends("none"),
            "For how long browsers use this host over https only (`Strict-Transport-Security`). Begin with an hour:"
                    + " browsers keep to it even if TLS is switched off. `0s` ends it.");

    private TlsSchema() {}

    private static Absent depends(String words) {
        return new Absent.Depends(words);
    }
}
