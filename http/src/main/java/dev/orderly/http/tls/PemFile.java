package dev.orderly.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Primitive;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.util.encoders.DecoderException;
import org.bouncycastle.util.io.pem.PemHeader;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/** The blocks of a PEM file (RFC 7468): certificates, and a key as PKCS#8 or in the traditional form of OpenSSL. */
final class PemFile {
    private final Path file;
    private final List<PemObject> blocks;

    private PemFile(Path file, List<PemObject> blocks) {
        this.file = file;
        this.blocks = blocks;
    }

    static PemFile of(Path file, byte[] content) throws UnusableCertificateException {
        List<PemObject> blocks = new ArrayList<>();
        try (PemReader in = new PemReader(
                new InputStreamReader(new ByteArrayInputStream(content), StandardCharsets.ISO_8859_1))) {
            for (PemObject block = in.readPemObject(); block != null; block = in.readPemObject()) {
                blocks.add(block);
            }
        } catch (IOException | DecoderException e) {
            throw new UnusableCertificateException(
                    "Block " + (blocks.size() + 1) + " in " + file + " is cut off, or not Base64",
                    "replace the file", e);
        }
        return new PemFile(file, blocks);
    }

    boolean isEmpty() {
        return blocks.isEmpty();
    }

    /** All certificates, in the order of the file. */
    List<X509Certificate> certificates() throws UnusableCertificateException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (PemObject block : blocks) {
            if (block.getType().equals("CERTIFICATE")) {
                certificates.add(certificate(block.getContent()));
            }
        }
        if (certificates.isEmpty()) {
            throw new UnusableCertificateException(file + " has no certificate",
                    "name a PEM file with -----BEGIN CERTIFICATE-----, or a PKCS#12 file");
        }
        return certificates;
    }

    private X509Certificate certificate(byte[] der) throws UnusableCertificateException {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new UnusableCertificateException(file + " has a certificate that cannot be read",
                    "check it with \"openssl x509 -noout -text -in " + file + "\"", e);
        }
    }

    /**
     * The private key.
     *
     * @param owners the certificates to one of which it belongs; a traditional key takes its algorithm from there
     */
    PrivateKey key(List<X509Certificate> owners) throws UnusableCertificateException {
        for (PemObject block : blocks) {
            switch (block.getType()) {
                case "PRIVATE KEY" -> {
                    return pkcs8(block.getContent(), owners);
                }
                case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
                    return traditional(block, owners);
                }
                case "ENCRYPTED PRIVATE KEY" -> throw encrypted();
                default -> {
                }
            }
        }
        throw new UnusableCertificateException(file + " has no private key",
                "name a PEM file with -----BEGIN PRIVATE KEY-----");
    }

    private PrivateKey pkcs8(byte[] der, List<X509Certificate> owners) throws UnusableCertificateException {
        for (X509Certificate owner : owners) {
            try {
                return KeyFactory.getInstance(owner.getPublicKey().getAlgorithm())
                        .generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (GeneralSecurityException _) {
                // a key of another algorithm; reported below
            }
        }
        throw new UnusableCertificateException(file + " has a key of another kind than the certificate",
                "name the key from which the certificate was requested");
    }

    /** The traditional form lacks the algorithm, which the certificate of the key names. */
    private PrivateKey traditional(PemObject block, List<X509Certificate> owners) throws UnusableCertificateException {
        for (Object header : block.getHeaders()) {
            if (header instanceof PemHeader one && one.getValue().contains("ENCRYPTED")) {
                throw encrypted();
            }
        }
        for (X509Certificate owner : owners) {
            PublicKey known = owner.getPublicKey();
            try {
                PrivateKeyInfo key = new PrivateKeyInfo(
                        SubjectPublicKeyInfo.getInstance(known.getEncoded()).getAlgorithm(),
                        ASN1Primitive.fromByteArray(block.getContent()));
                return KeyFactory.getInstance(known.getAlgorithm())
                        .generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded()));
            } catch (GeneralSecurityException | IOException _) {
                // a key of another algorithm; reported below
            }
        }
        throw new UnusableCertificateException(
                file + " has a " + block.getType() + " of another kind than the certificate",
                "name the key from which the certificate was requested, or convert it with \"openssl pkcs8 -topk8"
                        + " -nocrypt -in " + file + " -out new.key\"");
    }

    private UnusableCertificateException encrypted() {
        return new UnusableCertificateException("The key in " + file + " is encrypted",
                "decrypt it with \"openssl pkey -in " + file
                        + " -out plain.key\" and restrict the new file to the server's user, or use PKCS#12 with"
                        + " password-file");
    }
}
