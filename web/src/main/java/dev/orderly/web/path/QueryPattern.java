package dev.orderly.web.path;

import dev.orderly.web.message.StrictText;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pattern for query strings: every condition names a parameter, with a value or with any value. Parameters are
 * decoded once; their order, and parameters without a condition, do not matter. At most {@value #CONDITIONS_MAX}
 * conditions.
 *
 * <p>Sites read a query in different ways: of a repeated parameter the first or the last, some ignore letter case, some
 * take a semicolon for an ampersand. {@link #mayMatch} therefore covers every reading, and {@link #surelyMatches} only
 * queries of which there is one.
 */
public record QueryPattern(List<Condition> conditions) {
    /** The pattern of every query, also of none. */
    public static final QueryPattern ANY = new QueryPattern(List.of());

    private static final int CONDITIONS_MAX = 8;
    private static final int PAIRS_MAX = 1_000;
    private static final Pattern NAME = Pattern.compile("[^%&=;+#\\p{Cntrl}]{1,100}");
    private static final Pattern VALUE = Pattern.compile("[^%&;+#\\p{Cntrl}]{0,200}");

    /** @param value null for any value */
    public record Condition(String name, @Nullable String value) {}

    private record Pair(String name, String value) {}

    public QueryPattern {
        conditions = List.copyOf(conditions);
    }

    /**
     * Parses a pattern such as {@code event=42&preview}. It is written decoded.
     *
     * @throws IllegalArgumentException naming the pattern, the rule and the remedy
     */
    public static QueryPattern parse(String text) {
        List<Condition> conditions = new ArrayList<>();
        for (String part : text.split("&", -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            String value = equals < 0 ? null : part.substring(equals + 1);
            if (!NAME.matcher(name).matches() || (value != null && !VALUE.matcher(value).matches())) {
                throw new IllegalArgumentException("Query pattern " + text + " has \"" + part
                        + "\": write name=value, or name for any value, decoded and without % ; + #");
            }
            conditions.add(new Condition(name, value));
        }
        if (conditions.size() > CONDITIONS_MAX) {
            throw new IllegalArgumentException("Query pattern " + text + " has " + conditions.size()
                    + " conditions: use at most " + CONDITIONS_MAX);
        }
        return new QueryPattern(conditions);
    }

    /** Whether some site could read the query as one that matches; also if the query cannot be decoded. */
    public boolean mayMatch(@Nullable String query) {
        if (conditions.isEmpty()) {
            return true;
        }
        List<Pair> pairs = pairs(query, "[&;]");
        return pairs == null || conditions.stream().allMatch(condition -> pairs.stream()
                .anyMatch(pair -> pair.name.equalsIgnoreCase(condition.name)
                        && (condition.value == null || pair.value.equalsIgnoreCase(condition.value))));
    }

    /** Whether every site reads the query as one that matches: each parameter once, spelled as in the pattern. */
    public boolean surelyMatches(@Nullable String query) {
        if (conditions.isEmpty()) {
            return true;
        }
        List<Pair> pairs = query != null && query.indexOf(';') >= 0 ? null : pairs(query, "&");
        return pairs != null && conditions.stream().allMatch(condition -> {
            List<Pair> named = pairs.stream().filter(pair -> pair.name.equalsIgnoreCase(condition.name)).toList();
            return named.size() == 1 && named.getFirst().name.equals(condition.name)
                    && (condition.value == null || named.getFirst().value.equals(condition.value));
        });
    }

    /** The parameters of a query; null if it cannot be decoded, or has too many. */
    private static @Nullable List<Pair> pairs(@Nullable String query, String separator) {
        if (query == null || query.isEmpty()) {
            return List.of();
        }
        String[] parts = query.split(separator, PAIRS_MAX + 1);
        if (parts.length > PAIRS_MAX) {
            return null;
        }
        List<Pair> pairs = new ArrayList<>(parts.length);
        try {
            for (String part : parts) {
                int equals = part.indexOf('=');
                pairs.add(new Pair(decoded(equals < 0 ? part : part.substring(0, equals)),
                        equals < 0 ? "" : decoded(part.substring(equals + 1))));
            }
        } catch (ProblemException _) {
            return null;
        }
        return pairs;
    }

    private static String decoded(String text) {
        return StrictText.formDecoded("The query", text, StandardCharsets.UTF_8, ProblemType.BAD_REQUEST);
    }
}
