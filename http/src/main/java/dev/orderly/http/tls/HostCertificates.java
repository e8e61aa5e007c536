package dev.orderly.http.tls;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a listener, chosen by the host name that a client asks for (SNI). Several certificates of one
 * host differ in the algorithm of their keys. Immutable.
 */
public final class HostCertificates {
    private static final String EC = "EC";
    private static final String RSA = "RSA";

    private final List<ServerCertificate> all;

    /**
     * A set of certificates.
     *
     * @param all the first one is for clients that name no host, or a host that no certificate is for
     * @throws IllegalArgumentException if there is none
     */
    public HostCertificates(List<ServerCertificate> all) {
        if (all.isEmpty()) {
            throw new IllegalArgumentException("A listener with TLS has no certificate: give it one or more");
        }
        this.all = List.copyOf(all);
    }

    public List<ServerCertificate> all() {
        return all;
    }

    /** The certificate for a client: of its host, and with the cheapest signature that the client accepts. */
    ServerCertificate choose(ClientHello hello) {
        List<ServerCertificate> fitting = fitting(hello.serverName());
        return find(fitting, hello.ecdsa() ? EC : RSA).or(() -> find(fitting, RSA)).orElseGet(fitting::getFirst);
    }

    /**
     * The place of the certificate for a host and the algorithm of its key.
     *
     * @param host null if the client names none
     */
    Optional<Integer> choose(@Nullable String host, String algorithm) {
        return find(fitting(host), algorithm).map(all::indexOf);
    }

    private static Optional<ServerCertificate> find(List<ServerCertificate> some, String algorithm) {
        return some.stream().filter(one -> one.algorithm().equals(algorithm)).findFirst();
    }

    /** The certificates for a host, or for unknown hosts. */
    private List<ServerCertificate> fitting(@Nullable String host) {
        String normal = host == null ? "" : ServerCertificate.normal(host);
        List<ServerCertificate> known = all.stream().filter(one -> one.isFor(normal)).toList();
        List<String> first = all.getFirst().names();
        return known.isEmpty() ? all.stream().filter(one -> one.names().equals(first)).toList() : known;
    }
}
