package dev.orderly.http.access;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.access.TokenSecret;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.RequestHead;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The proxies in front of the API, and the headers in which they name the user. These count only on connections of the
 * proxies, and only beside the secret that they share with the server: an address proves no proxy, since every program
 * on a proxy's machine has it.
 *
 * @param userHeader null if no header names the user
 * @param roleHeader header with roles, separated by commas, the highest of which counts; null if none does
 * @param role the role of users without a role in the header; null to refuse them
 * @param secret SHA-256 of the secret that proxies send in {@value #SECRET}; null without one, then no user counts
 */
public record ProxyAccess(TrustedProxies proxies, @Nullable String userHeader, @Nullable String roleHeader,
        @Nullable Role role, @Nullable String secret) {
    /** The header with the secret of the proxies. */
    public static final String SECRET = "Orderly-Proxy-Secret";
    /** No proxies. */
    public static final ProxyAccess NONE = new ProxyAccess(TrustedProxies.NONE, null, null, null, null);

    /** A copy with the secret that proxies send. */
    public ProxyAccess withSecret(String text) {
        return new ProxyAccess(proxies, userHeader, roleHeader, role, TokenSecret.sha256(text));
    }

    /** Whether the peer of a request is one of the proxies. */
    boolean isProxy(RequestHead head) {
        return proxies.containPeer(head.peer());
    }

    /** Whether a request comes through a proxy that names a user and does not prove itself. */
    boolean isUnproven(RequestHead head) {
        return userHeader != null && isProxy(head) && head.header(userHeader) != null && !isProven(head);
    }

    private boolean isProven(RequestHead head) {
        String presented = head.header(SECRET);
        return secret != null && presented != null && MessageDigest.isEqual(
                secret.getBytes(StandardCharsets.US_ASCII),
                TokenSecret.sha256(presented).getBytes(StandardCharsets.US_ASCII));
    }

    /** The user that a proxy names; empty if the peer proves no proxy, or names no user with a role. */
    Optional<Identity> identity(RequestHead head) {
        String user = userHeader == null || !isProxy(head) || !isProven(head) ? null : head.header(userHeader);
        Role has = user == null || user.isBlank() ? null : role(head);
        return user == null || has == null
                ? Optional.empty()
                : Optional.of(new Identity(Identity.Kind.PROXY, user, has));
    }

    private @Nullable Role role(RequestHead head) {
        String named = roleHeader == null ? null : head.header(roleHeader);
        return named == null
                ? role
                : Arrays.stream(named.split(",")).map(String::strip).flatMap(text -> Role.parse(text).stream())
                        .filter(known -> known != Role.WORKER).max(Comparator.naturalOrder()).orElse(role);
    }
}
