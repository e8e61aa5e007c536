package dev.orderly.web.path;

import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A path whose segments are literals or {@code {name}}s, such as {@code /checkout/{group}/{dedupe}}. A name matches one
 * segment that is not empty; a slash inside a value travels as {@code %2F}.
 */
public record PathTemplate(String text, List<Segment> segments) implements Comparable<PathTemplate> {
    private static final Pattern LITERAL = Pattern.compile("[A-Za-z0-9._~!$&'()*+,;=:@-]+");
    private static final Pattern NAME = Pattern.compile("\\{([A-Za-z][A-Za-z0-9_-]{0,63})}");
    private static final int SEGMENTS_MAX = 32;

    public PathTemplate {
        segments = List.copyOf(segments);
    }

    /** One step of a path. */
    public sealed interface Segment {
        /** Matches itself. */
        record Literal(String text) implements Segment {}

        /** Matches anything, which is known by the name afterwards. */
        record Name(String name) implements Segment {}
    }

    /** @throws IllegalArgumentException naming the path, the rule and the remedy */
    public static PathTemplate parse(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("Path " + text + " does not start with a slash: put one in front");
        }
        List<Segment> segments = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (String part : text.equals("/") ? new String[0] : text.substring(1).split("/", -1)) {
            var name = NAME.matcher(part);
            if (name.matches()) {
                if (!names.add(name.group(1))) {
                    throw new IllegalArgumentException("Path " + text + " has " + part + " twice: rename one");
                }
                segments.add(new Segment.Name(name.group(1)));
            } else if (LITERAL.matcher(part).matches() && !part.equals(".") && !part.equals("..")) {
                segments.add(new Segment.Literal(part));
            } else {
                throw new IllegalArgumentException("Path " + text + " has the segment \"" + part
                        + "\": use letters, digits, . _ ~ - and the like, or a {name} of letters, digits, _ and -");
            }
        }
        if (segments.size() > SEGMENTS_MAX) {
            throw new IllegalArgumentException("Path " + text + " has more than " + SEGMENTS_MAX + " segments");
        }
        return new PathTemplate(text, segments);
    }

    public Set<String> names() {
        return segments.stream().filter(Segment.Name.class::isInstance).map(s -> ((Segment.Name) s).name())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** The values of the names, if the path is one of these. */
    public Optional<Map<String, String>> match(List<String> path) {
        if (path.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < path.size(); i++) {
            String part = path.get(i);
            switch (segments.get(i)) {
                case Segment.Literal literal -> {
                    if (!literal.text().equals(part)) {
                        return Optional.empty();
                    }
                }
                case Segment.Name name -> {
                    if (part.isEmpty()) {
                        return Optional.empty();
                    }
                    values.put(name.name(), part);
                }
            }
        }
        return Optional.of(values);
    }

    /** Whether both match exactly the same paths. */
    public boolean sameShape(PathTemplate other) {
        return compareTo(other) == 0;
    }

    /** Literals before names, from the left: the first pattern that matches is the most particular one. */
    @Override
    public int compareTo(PathTemplate other) {
        return shape().compareTo(other.shape());
    }

    private String shape() {
        return segments.stream().map(segment -> switch (segment) {
            case Segment.Literal literal -> "/" + literal.text();
            case Segment.Name _ -> "/\uffff";
        }).collect(Collectors.joining());
    }

    /**
     * The decoded segments of a path.
     *
     * @throws ProblemException if it is not percent-encoded UTF-8
     */
    public static List<String> split(String path) {
        if (path.equals("/")) {
            return List.of();
        }
        List<String> segments = new ArrayList<>();
        for (String part : path.substring(1).split("/", -1)) {
            segments.add(decode(part));
        }
        return segments;
    }

    private static String decode(String part) {
        ByteBuffer bytes = ByteBuffer.allocate(part.length());
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (c <= ' ' || c > '~') {
                throw malformed(part);
            }
            if (c == '%') {
                int high = i + 2 < part.length() ? Character.digit(part.charAt(i + 1), 16) : -1;
                int low = high < 0 ? -1 : Character.digit(part.charAt(i + 2), 16);
                if (low < 0) {
                    throw malformed(part);
                }
                bytes.put((byte) (high << 4 | low));
                i += 2;
            } else {
                bytes.put((byte) c);
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException _) {
            throw malformed(part);
        }
    }

    private static ProblemException malformed(String part) {
        return new ProblemException(ProblemType.BAD_REQUEST, "The path segment \"" + part
                + "\" is not percent-encoded UTF-8: encode everything but letters, digits, - . _ and ~");
    }
}
