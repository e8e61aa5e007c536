package dev.orderly.web.room;

import dev.orderly.web.header.Authority;
import dev.orderly.web.path.RequestPattern;
import java.util.List;
import java.util.Objects;

/**
 * The requests that a room protects.
 *
 * @param hosts names without port, in any spelling; empty for all
 * @param paths paths, some with conditions on the query; at least one
 * @param bypass rules for requests that pass all the same
 */
public record RoomMatch(List<String> hosts, List<RequestPattern> paths, List<BypassRule> bypass) {
    /** @throws IllegalArgumentException if there is no path, or a host is not a host name */
    public RoomMatch {
        Objects.requireNonNull(bypass, "bypass");
        Objects.requireNonNull(paths, "paths");
        hosts = hosts.stream().map(Authority::hostOf).toList();
        paths = List.copyOf(paths);
        bypass = List.copyOf(bypass);
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("The room protects no path: name at least one, such as /**");
        }
    }

    /** Paths on all hosts, without bypass rules beside the built-in ones. */
    public static RoomMatch of(String... paths) {
        Objects.requireNonNull(paths, "paths");
        return new RoomMatch(List.of(), List.of(paths).stream().map(RequestPattern::parse).toList(), List.of());
    }

    boolean isFor(String host) {
        return hosts.isEmpty() || hosts.contains(host);
    }
}
