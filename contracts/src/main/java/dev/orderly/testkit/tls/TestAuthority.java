package dev.orderly.testkit.tls;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority with an intermediate authority below it, which issues the certificates of servers. Needs
 * {@code netty-pkitesting} on the class path.
 */
public final class TestAuthority {
    private static final Duration LIFE = Duration.ofDays(90);
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final int SEQUENCE = 0x30;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final int SHORT_MAX = 127;
    private static final char[] NO_PASSWORD = {};

    private final X509Bundle root;
    private final X509Bundle intermediate;
    private final Instant now;

    /** @param now the middle of the life of its certificates */
    public TestAuthority(Instant now) {
        this.now = now;
        this.root = made(builder("CN=Test root").setIsCertificateAuthority(true), null);
        this.intermediate = made(builder("CN=Test intermediate").setIsCertificateAuthority(true), root);
    }

    private CertificateBuilder builder(String subject) {
        return new CertificateBuilder().subject(subject).ecp256().notBefore(now.minus(LIFE)).notAfter(now.plus(LIFE));
    }

    private static X509Bundle made(CertificateBuilder builder, @Nullable X509Bundle issuer) {
        try {
            return issuer == null ? builder.buildSelfSigned() : builder.buildIssuedBy(issuer);
        } catch (Exception e) {
            throw new IllegalStateException("No test certificate can be made", e);
        }
    }

    /** A certificate with an EC key for these hosts. */
    public Issued issue(String... hosts) {
        return issue(now.minus(LIFE), now.plus(LIFE), hosts);
    }

    /** A certificate of this key. */
    public Issued issue(KeyPair key, String... hosts) {
        return issue(serverBuilder(now.minus(LIFE), now.plus(LIFE)).keyPair(key), hosts);
    }

    /** A certificate with a key that some libraries do not know. */
    public Issued issueEd448(String... hosts) {
        return issue(serverBuilder(now.minus(LIFE), now.plus(LIFE)).algorithm(Algorithm.ed448), hosts);
    }

    /** A certificate with which a client authenticates itself. */
    public Issued issueClient(String name) {
        return new Issued(made(builder("CN=" + name).addExtendedKeyUsageClientAuth(), intermediate));
    }

    public Issued issue(Instant notBefore, Instant notAfter, String... hosts) {
        return issue(serverBuilder(notBefore, notAfter), hosts);
    }

    private CertificateBuilder serverBuilder(Instant notBefore, Instant notAfter) {
        return builder("CN=server").notBefore(notBefore).notAfter(notAfter).addExtendedKeyUsageServerAuth();
    }

    private Issued issue(CertificateBuilder builder, String... hosts) {
        if (hosts.length > 0) {
            builder.addExtensionOctetString(ALTERNATIVE_NAMES, false, names(hosts));
        }
        return new Issued(made(builder, intermediate));
    }

    /** The names as DER, since the builder refuses wildcards. */
    private static byte[] names(String... hosts) {
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (String host : hosts) {
            boolean address = Character.isDigit(host.charAt(0));
            byte[] name = address
                    ? InetAddress.ofLiteral(host).getAddress()
                    : host.getBytes(StandardCharsets.US_ASCII);
            names.write(address ? IP_ADDRESS : DNS_NAME);
            names.write(name.length);
            names.writeBytes(name);
        }
        if (names.size() > SHORT_MAX) {
            throw new IllegalArgumentException("The names of a test certificate are too long: use shorter ones");
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(SEQUENCE);
        all.write(names.size());
        all.writeBytes(names.toByteArray());
        return all.toByteArray();
    }

    /** The certificate of the root, as PEM. */
    public String pem() {
        return root.getCertificatePEM();
    }

    public X509Certificate certificate() {
        return root.getCertificate();
    }

    /** TLS for a client that trusts the root only. */
    public SSLContext clientContext() {
        return context(null);
    }

    /** TLS for a client that trusts the root only, and has a certificate. */
    public SSLContext clientContext(Issued own) {
        KeyPair key = own.bundle.getKeyPair();
        return context(store -> store.setKeyEntry("own", key.getPrivate(), NO_PASSWORD,
                own.bundle.getCertificatePath()));
    }

    private SSLContext context(@Nullable Entry own) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store(store -> store.setCertificateEntry("root", certificate())));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own == null ? null : keys(own), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has TLS", e);
        }
    }

    private static KeyManager[] keys(Entry own) throws GeneralSecurityException {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(own), NO_PASSWORD);
        return keys.getKeyManagers();
    }

    /** In memory alone, and so of a type that derives no key from the password, which takes a test JVM 50 ms. */
    private static KeyStore store(Entry entry) throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("JKS");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        entry.put(store);
        return store;
    }

    /** Puts the only entry into a store. */
    private interface Entry {
        void put(KeyStore store) throws GeneralSecurityException;
    }

    /** An issued certificate with its key. */
    public record Issued(X509Bundle bundle) {
        /** The certificate and that of the intermediate authority, as PEM. */
        public String chainPem() {
            return bundle.getCertificatePathPEM();
        }

        /** The certificate alone, as PEM. */
        public String pem() {
            return bundle.getCertificatePEM();
        }

        /** The key as PKCS#8, as PEM. */
        public String keyPem() {
            return bundle.getPrivateKeyPEM();
        }

        /** Writes {@code NAME.pem} and {@code NAME.key} as a careful program does: each appears whole. */
        public List<Path> write(Path folder, String name) {
            return List.of(put(folder.resolve(name + ".pem"), chainPem()), put(folder.resolve(name + ".key"),
                    keyPem()));
        }

        /** Writes a PKCS#12 file. */
        public Path writePkcs12(Path file, String password) {
            try (OutputStream out = Files.newOutputStream(file)) {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setKeyEntry("server", bundle.getKeyPair().getPrivate(), password.toCharArray(),
                        bundle.getCertificatePath());
                store.store(out, password.toCharArray());
                return file;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("Every JDK has PKCS#12", e);
            }
        }

        private static Path put(Path file, String text) {
            try {
                Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
                return Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
