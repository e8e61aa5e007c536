package dev.orderly.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;

/** Reads certificates and keys from files. Blocks. */
public final class CertificateReader {
    private static final int SIZE_MAX = 1 << 20;
    private static final int DER_SEQUENCE = 0x30;

    private CertificateReader() {}

    /** @throws UnusableCertificateException with a remedy, for every reason for which the files cannot be used */
    public static ServerCertificate read(CertificateSource source) throws UnusableCertificateException {
        byte[] content = content(source.certificate());
        PemFile pem = PemFile.of(source.certificate(), content);
        if (pem.isEmpty() && content.length > 0 && content[0] == DER_SEQUENCE) {
            return pkcs12(source, content);
        }
        List<X509Certificate> certificates = pem.certificates();
        Path file = source.key();
        PemFile keys = file == null ? pem : PemFile.of(file, content(file));
        return ServerCertificate.of(certificates, keys.key(certificates), source.certificate());
    }

    /** All certificates of a PEM file, such as those of authorities. */
    public static List<X509Certificate> authorities(Path file) throws UnusableCertificateException {
        return PemFile.of(file, content(file)).certificates();
    }

    private static ServerCertificate pkcs12(CertificateSource source, byte[] content)
            throws UnusableCertificateException {
        Path file = source.certificate();
        if (source.key() != null) {
            throw new UnusableCertificateException(
                    file + " is not PEM, so it cannot be beside a key in " + source.key(),
                    "name a PEM file with the certificate, or leave the key out if the file is PKCS#12");
        }
        char[] password = password(source.password());
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(content), password);
            for (String alias : Collections.list(store.aliases())) {
                Key key = store.getKey(alias, password);
                Certificate[] chain = store.getCertificateChain(alias);
                if (key instanceof PrivateKey own && chain != null) {
                    return ServerCertificate.of(certificates(chain), own, file);
                }
            }
            throw new UnusableCertificateException(file + " has no private key with its certificate",
                    "export both: openssl pkcs12 -export -in cert.pem -inkey key.pem -out new.p12");
        } catch (IOException e) {
            if (e.getCause() instanceof UnrecoverableKeyException) {
                throw new UnusableCertificateException("The password of " + file + " is wrong",
                        "correct the value that password-env or password-file names", e);
            }
            throw new UnusableCertificateException(file + " is neither PEM nor PKCS#12",
                    "convert a DER certificate with \"openssl x509 -inform der -in " + file + " -out cert.pem\"", e);
        } catch (GeneralSecurityException e) {
            throw new UnusableCertificateException(file + " cannot be read as PKCS#12 (" + e.getMessage() + ")",
                    "write it again: openssl pkcs12 -export -in cert.pem -inkey key.pem -out new.p12", e);
        } finally {
            Arrays.fill(password, ' ');
        }
    }

    private static List<X509Certificate> certificates(Certificate[] chain) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate certificate : chain) {
            if (certificate instanceof X509Certificate one) {
                certificates.add(one);
            }
        }
        return certificates;
    }

    private static char[] password(CertificatePassword password) throws UnusableCertificateException {
        return switch (password) {
            case CertificatePassword.Text(String text) -> text.toCharArray();
            case CertificatePassword.InFile(Path file) ->
                new String(content(file), StandardCharsets.UTF_8).stripTrailing().toCharArray();
        };
    }

    /** A digest of the content of all files, by which a change is found. */
    static String digest(CertificateSource source) throws UnusableCertificateException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : source.files()) {
                digest.update(MessageDigest.getInstance("SHA-256").digest(content(file)));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    private static byte[] content(Path file) throws UnusableCertificateException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(SIZE_MAX + 1);
            if (content.length > SIZE_MAX) {
                throw new UnusableCertificateException(file + " is larger than 1 MiB",
                        "check that it is the intended file");
            }
            return content;
        } catch (NoSuchFileException e) {
            throw new UnusableCertificateException("There is no file " + file,
                    "correct the path; a relative path begins at the folder of the configuration file", e);
        } catch (AccessDeniedException e) {
            throw new UnusableCertificateException(file + " may not be read by the user of this process",
                    "let this user read it, for instance by a group: chgrp orderly " + file + " && chmod 640 " + file,
                    e);
        } catch (IOException e) {
            throw new UnusableCertificateException(file + " cannot be read (" + e + ")", "check the file", e);
        }
    }
}
