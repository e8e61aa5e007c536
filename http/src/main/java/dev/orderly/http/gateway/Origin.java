package dev.orderly.http.gateway;

import dev.orderly.web.header.Authority;
import dev.orderly.web.path.PathGlob;
import java.net.URI;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * A site behind the gateway, and the requests that it gets.
 *
 * @param match the paths; of several origins that match a path the most specific pattern wins
 * @param hosts the hosts, in the normal form of {@link Authority}; empty for all
 * @param uri {@code http} or {@code https}, host and port; without path, query and user
 * @param host the Host header that it gets
 */
public record Origin(PathGlob match, List<String> hosts, URI uri, Host host) {
    /** The {@code Host} header that an origin gets. */
    public enum Host {
        /** The client's. */
        CLIENT,
        /** The host of the origin's URI; the client's host is in {@code X-Forwarded-Host}. */
        ORIGIN
    }

    /** @throws IllegalArgumentException naming the URI or host, the rule it breaks and the remedy */
    public Origin {
        hosts = hosts.stream().map(Authority::hostOf).distinct().toList();
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw wrong(uri, "is neither http nor https");
        }
        if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > 65_535) {
            throw wrong(uri, "has no host, or no port from 1 to 65535");
        }
        if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null
                || !(uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"))) {
            throw wrong(uri, "has more than scheme, host and port: requests keep their own path");
        }
    }

    /** A single origin for all requests, which gets the client's Host. */
    public static Origin all(URI uri) {
        return new Origin(PathGlob.ALL, uri, Host.CLIENT);
    }

    /** An origin for all hosts. */
    public Origin(PathGlob match, URI uri, Host host) {
        this(match, List.of(), uri, host);
    }

    /** A copy for these hosts only. */
    public Origin on(String... names) {
        return new Origin(match, List.of(names), uri, host);
    }

    boolean isFor(String name) {
        return hosts.isEmpty() || hosts.contains(name);
    }

    /** Whether both origins match some request equally well. */
    boolean isTwinOf(Origin other) {
        boolean sameHost = hosts.isEmpty() ? other.hosts.isEmpty() : !Collections.disjoint(hosts, other.hosts);
        return sameHost && match.compareTo(other.match) == 0;
    }

    boolean isTls() {
        return uri.getScheme().equalsIgnoreCase("https");
    }

    /** The host without brackets around an IPv6 address. */
    String hostName() {
        String name = uri.getHost();
        return name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
    }

    int port() {
        return uri.getPort() > 0 ? uri.getPort() : isTls() ? 443 : 80;
    }

    private static IllegalArgumentException wrong(URI uri, String rule) {
        return new IllegalArgumentException("Origin " + uri + " " + rule + ": use the form http://127.0.0.1:9000");
    }
}
