package dev.orderly.fuzz;

import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.path.RequestPath;
import dev.orderly.web.path.RequestPattern;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The path of a request, and as a second line a pattern. A path that a plain server takes for one below
 * {@code /tickets/} is one of the pattern {@code /tickets/**}, whatever its spelling: else it were a way past a room.
 */
final class PathInput {
    private static final RequestPattern GATED = RequestPattern.parse("/tickets/**");

    private PathInput() {}

    static void run(byte[] input) throws Exception {
        String[] lines = new String(input, StandardCharsets.UTF_8).split("\n", 2);
        Optional<RequestPath> path = lines[0].startsWith("/")
                ? Refusal.orValue(() -> RequestPath.of(lines[0]))
                : Optional.empty();
        if (path.isPresent()) {
            Optional<RequestPath> again = Refusal.orValue(() -> RequestPath.of(path.get().wire()));
            if (again.isEmpty() || !again.get().wire().equals(path.get().wire())
                    || !again.get().key().equals(path.get().key())) {
                throw new AssertionError("The normal form " + path.get() + " has another: " + again);
            }
            if (isReadAsTicket(path.get().wire()) && !GATED.mayMatch(path.get(), null)) {
                throw new AssertionError(path.get() + " is below /tickets/ to a plain server, and not to the room");
            }
        }
        if (lines.length > 1) {
            Optional<RequestPattern> pattern = Refusal.orValue(() -> RequestPattern.parse(lines[1]));
            if (pattern.isPresent() && !RequestPattern.parse(pattern.get().text()).equals(pattern.get())) {
                throw new AssertionError("Not the same again: " + pattern.get().text());
            }
            path.ifPresent(asked -> pattern.ifPresent(each -> {
                if (each.surelyMatches(asked, "a=1&b=2") && !each.mayMatch(asked, "a=1&b=2")) {
                    throw new AssertionError(each.text() + " surely matches " + asked + ", and may not");
                }
            }));
            Refusal.orValue(() -> PathTemplate.parse(lines[1]))
                    .ifPresent(template -> path.ifPresent(asked -> template.match(PathTemplate.split(asked.wire()))));
        }
    }

    /** The reading of a plain server: escapes once, then dots, then letters of any case. */
    private static boolean isReadAsTicket(String wire) {
        String decoded = URLDecoder.decode(wire.replace("+", "%2B"), StandardCharsets.UTF_8);
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : List.of(decoded.split("/", -1))) {
            switch (segment) {
                case ".." -> segments.pollLast();
                case ".", "" -> {
                }
                default -> segments.add(segment);
            }
        }
        return segments.stream().collect(Collectors.joining("/")).toLowerCase(Locale.ROOT).startsWith("tickets/");
    }
}
