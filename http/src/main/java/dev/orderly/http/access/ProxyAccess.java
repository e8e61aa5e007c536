package dev.orderly.http.access;

import dev.orderly.access.Identity;
import dev.orderly.access.Role;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.RequestHead;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The proxies in front of the API, and the headers in which they name the user. Headers count only on connections of
 * these proxies.
 *
 * @param userHeader null if no header names the user
 * @param roleHeader header with roles, separated by commas, the highest of which counts; null if none does
 * @param role the role of users without a role in the header; null to refuse them
 */
public record ProxyAccess(TrustedProxies proxies, @Nullable String userHeader, @Nullable String roleHeader,
        @Nullable Role role) {
    /** No proxies. */
    public static final ProxyAccess NONE = new ProxyAccess(TrustedProxies.NONE, null, null, null);

    /** Whether the peer of a request is one of the proxies. */
    boolean isProxy(RequestHead head) {
        return proxies.containPeer(head.peer());
    }

    boolean namesUsers() {
        return userHeader != null;
    }

    /** The user that a proxy names; empty if the peer is no proxy, or names no user with a role. */
    Optional<Identity> identity(RequestHead head) {
        String user = userHeader == null || !isProxy(head) ? null : head.header(userHeader);
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
