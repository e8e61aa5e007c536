package dev.orderly.http.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** TLS of a client of the API. */
public final class ClientTls {
    private static final char[] NO_PASSWORD = {};

    private ClientTls() {}

    /**
     * Reads the files. Blocks.
     *
     * @param authorities the file of the trusted certificates; null for the authorities of the JDK
     * @param own the certificate that the client shows if it is asked for one; null for none
     * @throws UnusableCertificateException with a remedy, for every reason for which the files cannot be used
     */
    public static SSLContext context(@Nullable Path authorities, @Nullable CertificateSource own)
            throws UnusableCertificateException {
        TrustManager[] trusted = authorities == null ? null : trusted(authorities);
        KeyManager[] keys = own == null ? null : keys(CertificateReader.read(own));
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys, trusted, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has TLS", e);
        }
    }

    private static TrustManager[] trusted(Path file) throws UnusableCertificateException {
        try {
            KeyStore store = empty();
            int number = 0;
            for (X509Certificate one : CertificateReader.authorities(file)) {
                store.setCertificateEntry(Integer.toString(number++), one);
            }
            TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            managers.init(store);
            return managers.getTrustManagers();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has trust managers", e);
        }
    }

    private static KeyManager[] keys(ServerCertificate own) {
        try {
            KeyStore store = empty();
            store.setKeyEntry("own", own.key(), NO_PASSWORD, own.chain().toArray(X509Certificate[]::new));
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(store, NO_PASSWORD);
            return managers.getKeyManagers();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has key managers", e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            return store;
        } catch (IOException e) {
            throw new IllegalStateException("An empty key store is read from nowhere", e);
        }
    }
}
