package dev.orderly.http.acme;

import dev.orderly.http.tls.UnusableCertificateException;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.time.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.shredzone.acme4j.util.KeyPairUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * Account and certificate in the store of several nodes. Private keys are encrypted there with a key derived from the
 * server's secret. Each node has the certificate in its own folder too, from which its listener reads it.
 */
final class SharedStorage implements AcmeStorage {
    private static final Duration ACCOUNT_KEPT = Duration.ofDays(3_650);
    /** The time for which an ended certificate is kept. */
    private static final Duration MARGIN = Duration.ofDays(30);

    private final KeyValueStore values;
    private final AcmeKeys names;
    private final TextEncryption encryption;
    private final AcmeFolder folder;
    private final Time time;

    /**
     * A certificate as the store has it.
     *
     * @param chain in PEM, readable without the key
     * @param file the encrypted content of the file with chain and private key
     */
    private record Kept(String chain, String file) {}

    SharedStorage(KeyValueStore values, AcmeKeys names, TextEncryption encryption, AcmeFolder folder, Time time) {
        this.values = values;
        this.names = names;
        this.encryption = encryption;
        this.folder = folder;
        this.time = time;
    }

    @Override
    public KeyPair accountKey(Supplier<KeyPair> fresh) throws IOException, UnusableCertificateException {
        Optional<StoredValue> found = values.read(names.account(), time.now());
        if (found.isEmpty()) {
            String made = AcmeFolder.pem(folder.knownAccount().orElseGet(fresh));
            values.replace(names.account(), KeyValueStore.ABSENT, encryption.seal(names.account(), made),
                    time.now().plus(ACCOUNT_KEPT), time.now());
            found = values.read(names.account(), time.now());
        }
        String sealed = found.map(StoredValue::text).orElse("");
        return KeyPairUtils.readKeyPair(new StringReader(opened(names.account(), sealed)));
    }

    @Override
    public Optional<X509Certificate> issued(List<String> domains)
            throws IOException, GeneralSecurityException, UnusableCertificateException {
        Optional<X509Certificate> own = folder.issued(domains);
        Optional<StoredValue> found = values.read(names.certificate(), time.now());
        if (found.isEmpty()) {
            if (own.isPresent()) { // from the time when this server was alone
                put(KeyValueStore.ABSENT, folder.content(), own.get());
            }
            return own;
        }
        Kept kept = JsonMapper.shared().readValue(found.get().text(), Kept.class);
        X509Certificate shared = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(kept.chain.getBytes(StandardCharsets.US_ASCII)));
        if (!own.equals(Optional.of(shared))) {
            folder.replace(opened(names.certificate(), kept.file));
        }
        return Optional.of(shared);
    }

    @Override
    public void keep(IssuedCertificate certificate) throws IOException, GeneralSecurityException {
        long seen = values.read(names.certificate(), time.now()).map(StoredValue::version)
                .orElse(KeyValueStore.ABSENT);
        if (put(seen, AcmeFolder.pem(certificate), certificate.chain().getFirst())) {
            folder.keep(certificate);
        }
    }

    private boolean put(long seen, String file, X509Certificate first) {
        String chain = file.substring(file.indexOf(AcmeFolder.CERTIFICATE_BEGIN));
        Kept kept = new Kept(chain, encryption.seal(names.certificate(), file));
        return values.replace(names.certificate(), seen, JsonMapper.shared().writeValueAsString(kept),
                first.getNotAfter().toInstant().plus(MARGIN), time.now()).isPresent();
    }

    private String opened(String key, String sealed) throws UnusableCertificateException {
        return encryption.open(key, sealed).orElseThrow(() -> new UnusableCertificateException(
                "The private key in the store was encrypted with another secret (" + key + ")",
                "give every node the same secrets (secret-file or ORDERLY_SECRET), and keep the secret before as a"
                        + " further line while you rotate. If that is lost, delete this key from the store"));
    }
}
