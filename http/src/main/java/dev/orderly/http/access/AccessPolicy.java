package dev.orderly.http.access;

import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.ConnectionGuard;
import dev.orderly.web.header.Authority;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules for requests to the API before their identity is known. They protect from pages of other sites: a page that
 * rebinds its own name to this address is found by its Host header, a page that sends a form or a script's request by
 * {@code Origin} and {@code Sec-Fetch-Site}, which the browser sets and a page cannot change.
 *
 * @param tls whether the listener has TLS
 * @param hosts names under which the API answers, besides loopback names and the address of the listener
 * @param proxy the proxies in front, and what they may say
 */
public record AccessPolicy(BindAddress bind, boolean tls, List<String> hosts, ProxyAccess proxy) {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OWN = Set.of("same-origin", "none");
    private static final Pattern ADDRESS = Pattern.compile("\\[.*]|\\d+(\\.\\d+){3}");
    private static final Set<String> ALL = Set.of("0.0.0.0", "::");

    public AccessPolicy {
        hosts = hosts.stream().map(Authority::hostOf).toList();
    }

    /** Loopback only, without proxies. */
    public static AccessPolicy loopback(BindAddress bind) {
        return new AccessPolicy(bind, false, List.of(), ProxyAccess.NONE);
    }

    /**
     * Checks where a request comes from.
     *
     * @throws ProblemException 421 if its host is not served, 403 if a page of another site sent a change
     */
    public void check(RequestHead head) {
        String host = head.host();
        if (!isServed(host)) {
            throw new ProblemException(ProblemType.MISDIRECTED,
                    "The listener does not answer to this host: use " + served()
                            + " in the URL, or add the host to admin.hosts");
        }
        if (!SAFE.contains(head.method()) && isForeign(head)) {
            throw new ProblemException(ProblemType.FORBIDDEN,
                    "A page of another site may not change anything here: send the"
                            + " request from a program, or from a page of this address");
        }
    }

    private boolean isServed(String host) {
        boolean literal = ALL.contains(bind.host()) && ADDRESS.matcher(host).matches(); // no name can be rebound to it
        return Authority.isLoopback(host) || literal || host.equalsIgnoreCase(bind.host())
                || host.equals("[" + bind.host() + "]") || hosts.contains(host);
    }

    private String served() {
        String names = hosts.stream().collect(Collectors.joining(", "));
        return bind.isLoopback()
                ? names.isEmpty() ? "127.0.0.1, [::1] or localhost" : "localhost, " + names
                : names.isEmpty() ? "the address of the listener" : names;
    }

    private boolean isForeign(RequestHead head) {
        String origin = head.header("Origin");
        String site = head.header("Sec-Fetch-Site");
        return (origin != null && !isOwn(origin.toLowerCase(Locale.ROOT), head))
                || (site != null && !OWN.contains(site));
    }

    private boolean isOwn(String origin, RequestHead head) {
        String host = String.valueOf(head.headers().get("Host"));
        return origin.equals((isSecure(head) ? "https://" : "http://") + host);
    }

    /** Whether a literal address is a loopback address, or that of the listener: then its peer is on this machine. */
    private boolean isThisMachine(String address) {
        return Authority.isLoopback(address) || address.equals(bind.host());
    }

    /** Whether the browser's own connection has TLS, here or at a proxy. */
    public boolean isSecure(RequestHead head) {
        return tls || (proxy.isProxy(head) && "https".equals(head.header("X-Forwarded-Proto")));
    }

    /** The clients of the listener: without TLS beyond loopback, only this machine and the proxies. */
    public Clients clients() {
        ConnectionGuard guard = bind.isLoopback() || tls ? ConnectionGuard.NONE : (peer, _) -> {
            String from = peer.hostAddress();
            return isThisMachine(from) || proxy.proxies().containPeer(from)
                    ? null
                    : new Problem(ProblemType.FORBIDDEN, "Without TLS the API serves only this machine and the proxies"
                            + " of admin.trusted-proxies: connect through one of them, or set admin.tls");
        };
        return new Clients(ClientKeys.PEERS, guard);
    }

    /** The text of a problem of the configuration; null if the API may listen so. */
    public @Nullable String flaw() {
        return bind.isLoopback() || tls || !proxy.proxies().blocks().isEmpty()
                ? null
                : "The API cannot listen on " + bind.host()
                        + " without TLS, which would show tokens to the network: set"
                        + " admin.tls, name the proxies in front in admin.trusted-proxies, or use 127.0.0.1";
    }
}
