package dev.orderly.http.tls;

import java.io.ByteArrayInputStream;
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
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The blocks of a PEM file (RFC 7468): certificates, and a key as PKCS#8 or in the traditional form of OpenSSL. */
final class PemFile {
    private static final Pattern BLOCK = Pattern
            .compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*([^-]*?)\\s*-----END \\1-----");
    private static final byte[] VERSION_0 = {2, 1, 0};

    private final Path file;
    private final List<Block> blocks;

    private record Block(String type, String text) {}

    private PemFile(Path file, List<Block> blocks) {
        this.file = file;
        this.blocks = blocks;
    }

    static PemFile of(Path file, byte[] content) {
        List<Block> blocks = new ArrayList<>();
        Matcher found = BLOCK.matcher(new String(content, StandardCharsets.ISO_8859_1));
        while (found.find()) {
            blocks.add(new Block(found.group(1), found.group(2)));
        }
        return new PemFile(file, blocks);
    }

    boolean isEmpty() {
        return blocks.isEmpty();
    }

    /** All certificates, in the order of the file. */
    List<X509Certificate> certificates() throws UnusableCertificate {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Block block : blocks) {
            if (block.type.equals("CERTIFICATE")) {
                certificates.add(certificate(bytes(block)));
            }
        }
        if (certificates.isEmpty()) {
            throw new UnusableCertificate(file + " has no certificate",
                    "name a PEM file with -----BEGIN CERTIFICATE-----, or a PKCS#12 file");
        }
        return certificates;
    }

    private X509Certificate certificate(byte[] der) throws UnusableCertificate {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(der));
        } catch (GeneralSecurityException e) {
            throw new UnusableCertificate(file + " has a certificate that cannot be read",
                    "check it with \"openssl x509 -noout -text -in " + file + "\"", e);
        }
    }

    /**
     * The private key.
     *
     * @param owners the certificates to one of which it belongs; a traditional key takes its algorithm from there
     */
    PrivateKey key(List<X509Certificate> owners) throws UnusableCertificate {
        for (Block block : blocks) {
            switch (block.type) {
                case "PRIVATE KEY" -> {
                    return pkcs8(bytes(block), owners);
                }
                case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
                    return traditional(block, owners);
                }
                case "ENCRYPTED PRIVATE KEY" -> throw encrypted();
                default -> {
                }
            }
        }
        throw new UnusableCertificate(file + " has no private key",
                "name a PEM file with -----BEGIN PRIVATE KEY-----");
    }

    private PrivateKey pkcs8(byte[] der, List<X509Certificate> owners) throws UnusableCertificate {
        for (X509Certificate owner : owners) {
            try {
                return KeyFactory.getInstance(owner.getPublicKey().getAlgorithm())
                        .generatePrivate(new PKCS8EncodedKeySpec(der));
            } catch (GeneralSecurityException _) {
                // a key of another algorithm; reported below
            }
        }
        throw new UnusableCertificate(file + " has a key of another kind than the certificate",
                "name the key from which the certificate was requested");
    }

    /** The traditional form lacks the algorithm, which the certificate of the key names. */
    private PrivateKey traditional(Block block, List<X509Certificate> owners) throws UnusableCertificate {
        if (block.text.contains("ENCRYPTED")) {
            throw encrypted();
        }
        byte[] key = bytes(block);
        for (X509Certificate owner : owners) {
            PublicKey known = owner.getPublicKey();
            try {
                byte[] inner = join(VERSION_0, join(algorithm(known), element(4, key)));
                return KeyFactory.getInstance(known.getAlgorithm())
                        .generatePrivate(new PKCS8EncodedKeySpec(element(0x30, inner)));
            } catch (GeneralSecurityException | IllegalArgumentException _) {
                // a key of another algorithm; reported below
            }
        }
        throw new UnusableCertificate(file + " has a " + block.type + " of another kind than the certificate",
                "name the key from which the certificate was requested, or convert it with \"openssl pkcs8 -topk8"
                        + " -nocrypt -in " + file + " -out new.key\"");
    }

    private UnusableCertificate encrypted() {
        return new UnusableCertificate("The key in " + file + " is encrypted",
                "decrypt it with \"openssl pkey -in " + file
                        + " -out plain.key\" and restrict the new file to the server's user, or use PKCS#12 with"
                        + " password-file");
    }

    private byte[] bytes(Block block) throws UnusableCertificate {
        try {
            return Base64.getMimeDecoder().decode(block.text);
        } catch (IllegalArgumentException e) {
            throw new UnusableCertificate("The " + block.type + " in " + file + " is not Base64", "replace the file",
                    e);
        }
    }

    /** The AlgorithmIdentifier of a public key: the first element inside its SubjectPublicKeyInfo. */
    private static byte[] algorithm(PublicKey key) {
        byte[] info = key.getEncoded();
        int start = headerLength(info, 0);
        int length = headerLength(info, start) + contentLength(info, start);
        return Arrays.copyOfRange(info, start, start + length);
    }

    /** The bytes of tag and length of the DER element at a place. */
    private static int headerLength(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        return length < 0x80 ? 2 : 2 + (length & 0x7f);
    }

    private static int contentLength(byte[] der, int at) {
        int length = der[at + 1] & 0xff;
        if (length < 0x80) {
            return length;
        }
        int all = 0;
        for (int i = 0; i < (length & 0x7f); i++) {
            all = (all << 8) | (der[at + 2 + i] & 0xff);
        }
        return all;
    }

    /** A DER element with this tag. */
    private static byte[] element(int tag, byte[] content) {
        int length = content.length;
        if (length < 0x80) {
            return join(new byte[]{(byte) tag, (byte) length}, content);
        }
        return length < 0x100
                ? join(new byte[]{(byte) tag, (byte) 0x81, (byte) length}, content)
                : join(new byte[]{(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length}, content);
    }

    private static byte[] join(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }
}
