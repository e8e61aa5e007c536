package dev.orderly.http.tls;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The files of a certificate chain and its private key: PEM, or PKCS#12, whichever the content is.
 *
 * @param certificate PEM with the certificate and the certificates above it; or PKCS#12 with certificates and key
 * @param key PEM with the key; null if the first file has it
 * @param password of a PKCS#12 file
 */
public record CertificateSource(Path certificate, @Nullable Path key, CertificatePassword password) {
    public static CertificateSource pem(Path certificate, Path key) {
        return new CertificateSource(certificate, key, CertificatePassword.NONE);
    }

    public static CertificateSource pkcs12(Path file, CertificatePassword password) {
        return new CertificateSource(file, null, password);
    }

    /** All files whose content counts. */
    List<Path> files() {
        List<Path> files = new ArrayList<>(List.of(certificate));
        if (key != null) {
            files.add(key);
        }
        if (password instanceof CertificatePassword.InFile(Path file)) {
            files.add(file);
        }
        return files;
    }

    @Override
    public String toString() {
        return key == null ? certificate.toString() : certificate + " with key " + key;
    }
}
