package dev.orderly.http.acme;

import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.http.tls.CertificateReader;
import dev.orderly.http.tls.UnusableCertificateException;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.shredzone.acme4j.util.KeyPairUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of an ACME account and its certificate: {@code account.pem}, and {@code certificate.pem} with the chain and
 * its key. Only the user of the process may read them; each is replaced in one step, so that a reader finds the old or
 * the new one. Not thread-safe; belongs to one process.
 */
final class AcmeFolder implements AcmeStorage {
    private static final Logger LOG = LoggerFactory.getLogger(AcmeFolder.class);
    private static final String ACCOUNT = "account.pem";
    static final String CERTIFICATE = "certificate.pem";
    static final String CERTIFICATE_BEGIN = "-----BEGIN CERTIFICATE-----";
    /** The subject of the self-signed certificate in use until the authority has issued one. */
    private static final X500Principal OWN = new X500Principal("CN=Orderly until the first certificate is issued");
    private static final Duration OWN_LIFE = Duration.ofDays(30);
    private static final int LINE = 64;

    static {
        Security.addProvider(new BouncyCastleProvider()); // the last in order: only those who name it get it
    }

    private final Path folder;

    /** @throws IOException if the folder cannot be created */
    AcmeFolder(Path folder) throws IOException {
        OwnerOnlyFiles.createFolders(folder);
        this.folder = folder;
    }

    /** The file with the certificate and its key. */
    Path certificateFile() {
        return folder.resolve(CERTIFICATE);
    }

    @Override
    public KeyPair accountKey(Supplier<KeyPair> fresh) throws IOException {
        Optional<KeyPair> known = knownAccount();
        if (known.isPresent()) {
            return known.get();
        }
        KeyPair made = fresh.get();
        OwnerOnlyFiles.replace(folder.resolve(ACCOUNT), pem(made));
        return made;
    }

    /** The account's key; empty if none was made. */
    Optional<KeyPair> knownAccount() throws IOException {
        Path file = folder.resolve(ACCOUNT);
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        try (Reader in = Files.newBufferedReader(file)) {
            return Optional.of(KeyPairUtils.readKeyPair(in));
        }
    }

    @Override
    public Optional<X509Certificate> issued(List<String> domains)
            throws GeneralSecurityException, UnusableCertificateException {
        if (Files.notExists(certificateFile())) {
            return Optional.empty();
        }
        X509Certificate first = CertificateReader.authorities(certificateFile()).getFirst();
        boolean own = first.getSubjectX500Principal().equals(OWN);
        return own || !names(first).equals(Set.copyOf(domains)) ? Optional.empty() : Optional.of(first);
    }

    private static Set<String> names(X509Certificate certificate) throws GeneralSecurityException {
        var all = certificate.getSubjectAlternativeNames();
        return all == null
                ? Set.of()
                : Set.copyOf(all.stream().map(name -> String.valueOf(name.getLast())).toList());
    }

    @Override
    public void keep(IssuedCertificate certificate) throws IOException, GeneralSecurityException {
        replace(pem(certificate));
    }

    /** The content of the file with the certificate and its key. */
    String content() throws IOException {
        return Files.readString(certificateFile());
    }

    /** Replaces the content of the file with the certificate and its key. */
    void replace(String content) throws IOException {
        OwnerOnlyFiles.replace(certificateFile(), content);
    }

    /** Makes a certificate that no client trusts, if there is none: a listener cannot start without one. */
    void standIn(List<String> domains, Instant now)
            throws IOException, GeneralSecurityException, UnusableCertificateException {
        if (issued(domains).isPresent()) {
            return;
        }
        LOG.info("Until the first certificate for {} is issued, clients get one that they do not trust",
                String.join(", ", domains));
        SecureRandom random = new SecureRandom();
        KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
        keys.initialize(new ECGenParameterSpec("secp256r1"), random);
        KeyPair key = keys.generateKeyPair();
        GeneralNames names = new GeneralNames(domains.stream()
                .map(domain -> new GeneralName(GeneralName.dNSName, domain)).toArray(GeneralName[]::new));
        try {
            var made = new JcaX509v3CertificateBuilder(OWN, new BigInteger(Long.SIZE, random), Date.from(now),
                    Date.from(now.plus(OWN_LIFE)), OWN, key.getPublic())
                    .addExtension(Extension.subjectAlternativeName, false, names)
                    .build(new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate()));
            keep(new IssuedCertificate(List.of(new JcaX509CertificateConverter().getCertificate(made)),
                    key.getPrivate()));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }

    /** The file with a certificate and its key. */
    static String pem(IssuedCertificate certificate) throws GeneralSecurityException {
        StringBuilder text = new StringBuilder();
        pem(text, "PRIVATE KEY", certificate.key().getEncoded());
        for (X509Certificate one : certificate.chain()) {
            pem(text, "CERTIFICATE", one.getEncoded());
        }
        return text.toString();
    }

    /** The file with an account's key. */
    static String pem(KeyPair account) throws IOException {
        StringWriter text = new StringWriter();
        KeyPairUtils.writeKeyPair(account, text);
        return text.toString();
    }

    private static void pem(StringBuilder out, String type, byte[] der) {
        String text = Base64.getMimeEncoder(LINE, new byte[]{'\n'}).encodeToString(der);
        out.append("-----BEGIN ").append(type).append("-----\n").append(text).append("\n-----END ").append(type)
                .append("-----\n");
    }
}
