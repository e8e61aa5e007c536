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
 * @param builtInBypass most requests at once that pass by the built-in rules of {@link BuiltInBypass} at each gate; of
 *     one address half as many. 0 for none
 */
public record RoomMatch(List<String> hosts, List<RequestPattern> paths, List<BypassRule> bypass, int builtInBypass) {
    /** The default of {@code builtInBypass}. */
    public static final int BUILT_IN_BYPASS = 32;

    /** With {@value #BUILT_IN_BYPASS} requests of the built-in rules at once. */
    public RoomMatch(List<String> hosts, List<RequestPattern> paths, List<BypassRule> bypass) {
        this(hosts, paths, bypass, BUILT_IN_BYPASS);
    }

    /**
     * @throws IllegalArgumentException if there is no path, a host is not a host name, or {@code builtInBypass} is
     *     negative
     */
    public RoomMatch {
        if (builtInBypass < 0) {
            throw new IllegalArgumentException("built-in-bypass is " + builtInBypass + ": use 0 or more");
        }
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

    /** With another bound on requests that pass by the built-in rules; 0 for none of them. */
    public RoomMatch withBuiltInBypass(int most) {
        return new RoomMatch(hosts, paths, bypass, most);
    }

    boolean isFor(String host) {
        return hosts.isEmpty() || hosts.contains(host);
    }
}
