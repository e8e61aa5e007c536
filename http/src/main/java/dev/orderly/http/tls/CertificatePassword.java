package dev.orderly.http.tls;

import java.nio.file.Path;

/** The password of a PKCS#12 file. Its text is never printed. */
public sealed interface CertificatePassword {
    /** No password. */
    CertificatePassword NONE = new Text("");

    /** A known password. */
    record Text(String text) implements CertificatePassword {
        @Override
        public String toString() {
            return "a password";
        }
    }

    /** A file with the password; line ends after it do not count. */
    record InFile(Path file) implements CertificatePassword {}
}
