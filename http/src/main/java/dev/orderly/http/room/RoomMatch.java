package dev.orderly.http.room;

import dev.orderly.http.gateway.PathGlob;
import java.util.List;
import java.util.Locale;

/**
 * What a room protects.
 *
 * @param hosts names without port, in any case; empty for all
 * @param paths at least one
 * @param bypass requests that pass all the same; the first that fits decides
 */
public record RoomMatch(List<String> hosts, List<PathGlob> paths, List<BypassRule> bypass) {
    /** @throws IllegalArgumentException if there is no path */
    public RoomMatch {
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
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
