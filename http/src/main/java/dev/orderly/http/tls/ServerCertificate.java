package dev.orderly.http.tls;

import java.net.IDN;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A certificate with its chain, its private key, and the host names that it is for. Immutable; prints no key. */
public final class ServerCertificate {
    private static final int DNS_NAME = 2;

    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final List<String> names;

    private ServerCertificate(List<X509Certificate> chain, PrivateKey key) {
        this.chain = List.copyOf(chain);
        this.key = key;
        this.names = names(chain.getFirst());
    }

    /**
     * Finds the certificate of the key among others, and the certificates above it.
     *
     * @param certificates in any order; those that belong to another chain are left out
     * @param file named in messages
     */
    static ServerCertificate of(List<X509Certificate> certificates, PrivateKey key, Object file)
            throws UnusableCertificateException {
        for (X509Certificate certificate : certificates) {
            if (isPair(key, certificate.getPublicKey())) {
                return new ServerCertificate(chain(certificate, certificates), key);
            }
        }
        throw new UnusableCertificateException("The key does not belong to the certificate in " + file,
                "name the key from which the certificate was requested; \"openssl x509 -noout -pubkey -in CERTIFICATE\""
                        + " and \"openssl pkey -pubout -in KEY\" print the same if they belong together");
    }

    private static List<X509Certificate> chain(X509Certificate first, List<X509Certificate> others) {
        List<X509Certificate> chain = new ArrayList<>(List.of(first));
        List<X509Certificate> left = new ArrayList<>(others);
        left.remove(first);
        for (int i = others.size(); i > 0; i--) {
            X509Certificate last = chain.getLast();
            left.stream().filter(other -> isIssuer(other, last)).findFirst().ifPresent(issuer -> {
                chain.add(issuer);
                left.remove(issuer);
            });
        }
        return chain;
    }

    /** The moment from which clients refuse it: the first end in its chain. */
    public Instant ends() {
        return chain.stream().map(each -> each.getNotAfter().toInstant()).min(Comparator.naturalOrder()).orElseThrow();
    }

    static boolean isIssuer(X509Certificate issuer, X509Certificate issued) {
        if (!issuer.getSubjectX500Principal().equals(issued.getIssuerX500Principal())) {
            return false;
        }
        try {
            issued.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static boolean isPair(PrivateKey key, PublicKey known) {
        String algorithm = switch (known.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> known.getAlgorithm();
        };
        byte[] message = {1, 2, 3};
        try {
            Signature signing = Signature.getInstance(algorithm);
            signing.initSign(key);
            signing.update(message);
            byte[] signature = signing.sign();
            signing.initVerify(known);
            signing.update(message);
            return signing.verify(signature);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static List<String> names(X509Certificate certificate) {
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            return all == null
                    ? List.of()
                    : all.stream().filter(name -> Integer.valueOf(DNS_NAME).equals(name.getFirst()))
                            .map(name -> normal(String.valueOf(name.getLast()))).toList();
        } catch (CertificateParsingException _) {
            return List.of();
        }
    }

    /** A host name in lower case and ASCII. */
    static String normal(String host) {
        try {
            return IDN.toASCII(host, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException _) {
            return host.toLowerCase(Locale.ROOT);
        }
    }

    /** The certificate first, then the certificate of its issuer, and so on. */
    public List<X509Certificate> chain() {
        return chain;
    }

    PrivateKey key() {
        return key;
    }

    /** The DNS names of the certificate in lower case; {@code *.} in front stands for one label. */
    public List<String> names() {
        return names;
    }

    /** Whether clients accept the certificate for a host name in its normal form. */
    public boolean isFor(String host) {
        int dot = host.indexOf('.');
        return names.contains(host) || (dot > 0 && names.contains("*" + host.substring(dot)));
    }

    /** The algorithm of the key: {@code RSA}, {@code EC} and others. */
    String algorithm() {
        return chain.getFirst().getPublicKey().getAlgorithm();
    }

    @Override
    public String toString() {
        return (names.isEmpty() ? chain.getFirst().getSubjectX500Principal().getName() : String.join(" ", names))
                + " until " + chain.getFirst().getNotAfter().toInstant();
    }
}
