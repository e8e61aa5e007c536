package dev.orderly.web.path;

import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A pattern for path and query: {@code /tickets/**}, {@code /shop?event=42}.
 *
 * <p>Ordered from more to less specific: by the path; of equal paths, the pattern with more conditions on the query
 * first.
 */
public record RequestPattern(PathGlob path, QueryPattern query) implements Comparable<RequestPattern> {
    /** The pattern of all requests. */
    public static final RequestPattern ALL = new RequestPattern(PathGlob.ALL, QueryPattern.ANY);

    private static final Comparator<RequestPattern> ORDER = Comparator.comparing(RequestPattern::path)
            .thenComparingInt(pattern -> -pattern.query.conditions().size())
            .thenComparing(RequestPattern::queryText);

    public RequestPattern {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(query, "query");
    }

    /**
     * Parses a pattern. It is written decoded.
     *
     * @throws IllegalArgumentException naming the pattern, the rule and the remedy
     */
    public static RequestPattern parse(String text) {
        int question = text.indexOf('?');
        return question < 0
                ? new RequestPattern(PathGlob.parse(text), QueryPattern.ANY)
                : new RequestPattern(PathGlob.parse(text.substring(0, question)),
                        QueryPattern.parse(text.substring(question + 1)));
    }

    /** The pattern as it was written. */
    public String text() {
        return path.text() + queryText();
    }

    private String queryText() {
        StringBuilder text = new StringBuilder();
        for (QueryPattern.Condition condition : query.conditions()) {
            text.append(text.isEmpty() ? '?' : '&').append(condition.name());
            if (condition.value() != null) {
                text.append('=').append(condition.value());
            }
        }
        return text.toString();
    }

    /** The same pattern with a slash at the end of its path, or without it; itself where that is no difference. */
    public RequestPattern otherEnd() {
        PathGlob other = path.otherEnd();
        return other.equals(path) ? this : new RequestPattern(other, query);
    }

    /** Whether some site could read the request as one that matches. */
    public boolean mayMatch(RequestPath asked, @Nullable String askedQuery) {
        Objects.requireNonNull(asked, "asked");
        return asked.mayMatch(path) && query.mayMatch(askedQuery);
    }

    /** Whether every site reads the request as one that matches. */
    public boolean surelyMatches(RequestPath asked, @Nullable String askedQuery) {
        Objects.requireNonNull(asked, "asked");
        return asked.isPlain() && path.matches(asked.key()) && query.surelyMatches(askedQuery);
    }

    @Override
    public int compareTo(RequestPattern other) {
        return ORDER.compare(this, other);
    }
}
