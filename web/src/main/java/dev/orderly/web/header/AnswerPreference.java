package dev.orderly.web.header;

import java.util.Comparator;
import java.util.List;

/** The form of an answer that a client prefers: a page, or JSON (problem+json counts as JSON). */
public enum AnswerPreference {
    HTML, JSON;

    private static final int ANY = 1;
    private static final int ANY_OF_KIND = 2;
    private static final int EXACT = 3;

    /**
     * Negotiates as RFC 9110 section 12.5.1 defines: the higher weight wins, then the more specific range, then the
     * first range. Otherwise JSON: browsers name {@code text/html} when they request a page, programs often send
     * <code>*&#47;*</code> or nothing. Accepts any text; at most 50 ranges count.
     *
     * @param accept the values of all Accept headers
     */
    public static AnswerPreference of(List<String> accept) {
        List<WeightedValue> ranges = WeightedValue.read(accept);
        Fit json = Fit.better(fit("application/json", ranges), fit("application/problem+json", ranges));
        return fit("text/html", ranges).compareTo(json) > 0 ? HTML : JSON;
    }

    /** Whether a client prefers an event stream to JSON; negotiated as {@link #of}. */
    public static boolean isForEvents(List<String> accept) {
        List<WeightedValue> ranges = WeightedValue.read(accept);
        Fit json = Fit.better(fit("application/json", ranges), fit("application/problem+json", ranges));
        return fit("text/event-stream", ranges).compareTo(json) > 0;
    }

    /** The fit of the range that matches the type most specifically. */
    private static Fit fit(String type, List<WeightedValue> ranges) {
        Fit closest = Fit.NONE;
        for (int i = 0; i < ranges.size(); i++) {
            WeightedValue range = ranges.get(i);
            int closeness = closeness(range.value(), type);
            boolean closer = closeness > closest.closeness
                    || (closeness == closest.closeness && closeness > 0 && range.weight() > closest.weight);
            if (closer) {
                closest = new Fit(range.weight(), closeness, i);
            }
        }
        return closest.weight == 0 ? Fit.NONE : closest;
    }

    private static int closeness(String range, String type) {
        if (range.equals(type)) {
            return EXACT;
        }
        // A lone asterisk is sent by the JDK's old client.
        if (range.equals("*/*") || range.equals("*")) {
            return ANY;
        }
        int slash = type.indexOf('/');
        return range.length() == slash + 2 && range.endsWith("*") && range.startsWith(type.substring(0, slash + 1))
                ? ANY_OF_KIND
                : 0;
    }

    /** How well a form matches the request; a better fit is greater. */
    private record Fit(int weight, int closeness, int position) implements Comparable<Fit> {
        static final Fit NONE = new Fit(0, 0, 0);

        private static final Comparator<Fit> ORDER = Comparator.comparingInt(Fit::weight)
                .thenComparingInt(Fit::closeness)
                .thenComparing(Comparator.comparingInt(Fit::position).reversed());

        static Fit better(Fit one, Fit other) {
            return one.compareTo(other) >= 0 ? one : other;
        }

        @Override
        public int compareTo(Fit other) {
            return ORDER.compare(this, other);
        }
    }
}
