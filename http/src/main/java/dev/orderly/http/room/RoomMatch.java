package dev.orderly.http.room;

import dev.orderly.http.header.Authority;
import dev.orderly.http.path.PathGlob;
import java.util.List;

/**
 * What a room protects.
 *
 * @param hosts names without port, in any spelling; empty for all
 * @param paths at least one
 * @param bypass requests that pass all the same; the first that fits decides
 */
public record RoomMatch(List<String> hosts, List<PathGlob> paths, List<BypassRule> bypass) {
    /** @throws IllegalArgumentException if there is no path, or a host is none */
    public RoomMatch {
        hosts = hosts.stream().map(Authority::hostOf).toList();
        paths = List.copyOf(paths);
        bypass = List.copyOf(bypass);
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("The room protects no path: name at least one, such as /**");
        }
    }

    /** On all hosts, with nothing passing by but what always does. */
    public static RoomMatch of(String... paths) {
        return new RoomMatch(List.of(), List.of(paths).stream().map(PathGlob::parse).toList(), List.of());
    }

    boolean isFor(String host) {
        return hosts.isEmpty() || hosts.contains(host);
    }
}
