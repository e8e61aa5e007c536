package dev.orderly.http.tls;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of a listener, chosen by the host name that a client asks for (SNI). Several certificates of one
 * host differ in the algorithm of their keys. Immutable.
 */
public final class HostCertificates {
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

    /**
     * The place of the certificate for a host and the algorithm of its key.
     *
     * @param host null if the client names none
     */
    Optional<Integer> choose(@Nullable String host, String algorithm) {
        ServerCertificate first = all.getFirst();
        String normal = host == null ? "" : ServerCertificate.normal(host);
        boolean known = all.stream().anyMatch(one -> one.isFor(normal));
        for (int i = 0; i < all.size(); i++) {
            ServerCertificate one = all.get(i);
            boolean fits = known ? one.isFor(normal) : one.names().equals(first.names());
            if (fits && one.algorithm().equals(algorithm)) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }
}
