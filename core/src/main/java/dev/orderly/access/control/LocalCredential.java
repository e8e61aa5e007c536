package dev.orderly.access.control;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.TokenSecret;
import java.util.List;
import java.util.Objects;

/**
 * The credential of whoever can read the server's own files: tokens that are derived from its secrets, and counted
 * without the store. Whoever presents one may do everything. Nothing else makes a caller local: addresses, ports and
 * owners of connections are lent by forwarders and side-cars.
 *
 * @param hashes {@link TokenSecret#hash} of each token, several while secrets rotate; empty for no local access
 * @param user name of the identity in the audit log
 */
public record LocalCredential(List<String> hashes, String user) {
    /** No local access. */
    public static final LocalCredential NONE = new LocalCredential(List.of(), "");

    public LocalCredential {
        Objects.requireNonNull(hashes, "hashes");
        Objects.requireNonNull(user, "user");
        hashes = List.copyOf(hashes);
    }

    /** The credential of these tokens, in the name of the user of this process. */
    public static LocalCredential of(List<TokenSecret> tokens) {
        return new LocalCredential(tokens.stream().map(TokenSecret::hash).toList(),
                System.getProperty("user.name", "unknown"));
    }

    /** The identity of whoever presents the credential. */
    public Identity identity() {
        return new Identity(Identity.Kind.LOCAL, user, Role.ADMIN);
    }
}
