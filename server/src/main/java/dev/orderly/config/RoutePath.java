package dev.orderly.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The path of a route: literal segments and {@code {name}} segments, which match anything but a slash.
 *
 * @param segments 1 to 20, as written
 */
public record RoutePath(List<String> segments) {
    private static final Pattern LITERAL = Pattern.compile("[A-Za-z0-9._~-]{1,100}");
    private static final Pattern NAME = Pattern.compile("\\{[A-Za-z][A-Za-z0-9_-]{0,39}}");

    public RoutePath {
        segments = List.copyOf(segments);
    }

    static Optional<RoutePath> read(String text) {
        if (!text.startsWith("/")) {
            return Optional.empty();
        }
        List<String> segments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String segment : text.substring(1).split("/", -1)) {
            boolean name = NAME.matcher(segment).matches();
            boolean dots = segment.equals(".") || segment.equals("..");
            if (dots || (name ? !names.add(segment) : !LITERAL.matcher(segment).matches())) {
                return Optional.empty();
            }
            segments.add(segment);
        }
        boolean reserved = segments.getFirst().equals(".orderly");
        return reserved || segments.size() > 20 ? Optional.empty() : Optional.of(new RoutePath(segments));
    }

    /** Whether {@code {name}} is one of the segments. */
    public boolean has(String name) {
        return segments.contains("{" + name + "}");
    }

    /** The same for two paths that match the same requests. */
    String shape() {
        return segments.stream().map(s -> s.startsWith("{") ? "{}" : s).collect(Collectors.joining("/"));
    }

    @Override
    public String toString() {
        return "/" + String.join("/", segments);
    }
}
