package dev.orderly.http.acme;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that an ACME authority shall issue.
 *
 * @param domains host names in the certificate, 1 to {@value #DOMAINS_MAX}; no wildcards, since only a challenge
 *     over DNS can prove one
 * @param email address to which the authority may write; null for none
 * @param directory address of the authority, such as {@link #LETS_ENCRYPT}
 * @param authorities PEM file with the authorities that the directory's own certificate comes from; null for those of
 *     the JDK
 * @param folder place of the account's key and of the certificate; belongs to one process
 * @param challenge the way in which the domains are proven
 */
public record AcmeOptions(List<String> domains, @Nullable String email, URI directory, @Nullable Path authorities,
        Path folder, AcmeChallenge challenge) {
    /** The directory of Let's Encrypt. */
    public static final URI LETS_ENCRYPT = URI.create("https://acme-v02.api.letsencrypt.org/directory");
    /** The most names of a certificate of Let's Encrypt. */
    public static final int DOMAINS_MAX = 100;

    /** @throws IllegalArgumentException naming the domain or the address, the rule and the remedy */
    public AcmeOptions {
        domains = domains.stream().distinct().toList();
        if (domains.isEmpty() || domains.size() > DOMAINS_MAX) {
            throw new IllegalArgumentException(
                    "A certificate has 1 to " + DOMAINS_MAX + " domains, not " + domains.size());
        }
        for (String domain : domains) {
            if (domain.startsWith("*")) {
                throw new IllegalArgumentException("The domain " + domain + " is a wildcard, which cannot be proven"
                        + " without DNS: name each host, or use a certificate from a file");
            }
        }
        if (!"https".equalsIgnoreCase(directory.getScheme()) || directory.getHost() == null) {
            throw new IllegalArgumentException(
                    "The ACME directory " + directory + " is not an https address: use one like " + LETS_ENCRYPT);
        }
    }

    /** The PEM file with the certificate and its key. */
    public Path certificate() {
        return folder.resolve(AcmeFolder.CERTIFICATE);
    }

    @Override
    public String toString() {
        return "ACME of " + directory.getHost() + " for " + String.join(" ", domains);
    }
}
