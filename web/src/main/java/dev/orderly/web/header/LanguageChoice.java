package dev.orderly.web.header;

import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the language of an answer, as RFC 4647 section 3.4 defines: {@code pt} serves {@code pt-BR} if no closer
 * language is offered. Beyond that, {@code pt-BR} serves {@code pt} and {@code pt-PT} if no other variant is offered.
 * Immutable and thread-safe.
 */
public final class LanguageChoice {
    /** The language if nothing else fits. */
    public static final String DEFAULT = "en";

    /** Longer ranges name no real language (RFC 5646 section 4.4.1). */
    private static final int RANGE_MAX = 35;

    /** More languages than a person reads. */
    private static final int WANTED_MAX = 10;

    /** The offered tags in order, by their lower case. */
    private final Map<String, String> offered = new LinkedHashMap<>();

    /**
     * Makes a choice.
     *
     * @param offered BCP 47 tags in the spelling of the answers, {@value #DEFAULT} among them
     * @throws IllegalArgumentException if {@value #DEFAULT} is missing
     */
    public LanguageChoice(List<String> offered) {
        if (!offered.contains(DEFAULT)) {
            throw new IllegalArgumentException("The languages " + offered + " lack \"" + DEFAULT + "\", which serves"
                    + " clients whose own language is missing: add it");
        }
        offered.forEach(tag -> this.offered.put(tag.toLowerCase(Locale.ROOT), tag));
    }

    /**
     * The best of the offered tags. Accepts any text; at most 50 ranges count.
     *
     * @param acceptLanguage the values of all Accept-Language headers
     */
    public String best(List<String> acceptLanguage) {
        List<WeightedValue> ranges = WeightedValue.read(acceptLanguage);
        Set<String> unwanted = new HashSet<>();
        ranges.stream().filter(range -> range.weight() == 0).forEach(range -> unwanted.add(range.value()));
        return ranges.stream().filter(range -> range.weight() > 0 && range.value().length() <= RANGE_MAX)
                .sorted(Comparator.comparingInt(WeightedValue::weight).reversed())
                .flatMap(range -> serve(range.value(), unwanted).stream()).findFirst().orElse(DEFAULT);
    }

    /**
     * The ranges that a client wants, in lower case, the most wanted first; at most {@value #WANTED_MAX}.
     *
     * @param acceptLanguage the values of all Accept-Language headers
     */
    public static List<String> wanted(List<String> acceptLanguage) {
        return WeightedValue.read(acceptLanguage).stream()
                .filter(range -> range.weight() > 0 && range.value().length() <= RANGE_MAX
                        && !range.value().equals("*"))
                .sorted(Comparator.comparingInt(WeightedValue::weight).reversed()).map(WeightedValue::value)
                .limit(WANTED_MAX).toList();
    }

    private Optional<String> serve(String range, Set<String> unwanted) {
        if (range.equals("*")) {
            return unwanted.contains(DEFAULT) ? first("", unwanted) : Optional.of(DEFAULT);
        }
        for (String wider = range; !wider.isEmpty(); wider = wider(wider)) {
            String tag = offered.get(wider);
            if (tag != null && !unwanted.contains(wider)) {
                return Optional.of(tag);
            }
        }
        int dash = range.indexOf('-');
        return first((dash < 0 ? range : range.substring(0, dash)) + "-", unwanted);
    }

    private Optional<String> first(String begin, Set<String> unwanted) {
        return offered.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(begin) && !unwanted.contains(entry.getKey()))
                .map(Map.Entry::getValue).findFirst();
    }

    /** The range without its last subtag; empty if it has only one. */
    private static String wider(String range) {
        return range.substring(0, Math.max(0, range.lastIndexOf('-')));
    }
}
