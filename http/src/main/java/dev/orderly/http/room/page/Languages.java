package dev.orderly.http.room.page;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The languages of the page. */
public final class Languages {
    /** Where {@link #choose} stops to read: headers are bounded, but may still be long. */
    private static final int RANGES_MAX = 20;
    private static final List<String> TAGS = List.of("en", "ar", "cs", "da", "de", "es", "fr", "it", "ja", "ko", "nl",
            "pl", "pt", "sv", "tr", "uk", "zh");
    private static final Map<String, Language> ALL = TAGS.stream()
            .collect(Collectors.toUnmodifiableMap(Function.identity(), Language::read));

    /** Where nothing better is known. */
    public static final Language ENGLISH = named("en");

    private Languages() {}

    /** All of them, English first. */
    public static List<Language> all() {
        return TAGS.stream().map(Languages::named).toList();
    }

    /**
     * The best of ours for an {@code Accept-Language} header, English if none fits: the highest weight, of equal ones the
     * first. Regions are passed over ({@code pt-PT} is {@code pt}); what is malformed counts as not said.
     *
     * @param header all its values joined with commas; null if there is none
     */
    public static Language choose(@Nullable String header) {
        Language best = ENGLISH;
        double bestWeight = 0;
        if (header != null) {
            for (String range : header.split(",", RANGES_MAX + 1)) {
                String[] parts = range.split(";", 3);
                Language ours = ALL.get(primary(parts[0]));
                double weight = parts.length > 1 ? weight(parts[1].strip()) : 1;
                if (ours != null && weight > bestWeight) {
                    best = ours;
                    bestWeight = weight;
                }
            }
        }
        return best;
    }

    private static Language named(String tag) {
        Language language = ALL.get(tag);
        if (language == null) {
            throw new IllegalStateException("There is no language " + tag);
        }
        return language;
    }

    private static String primary(String range) {
        String tag = range.strip();
        int end = tag.indexOf('-');
        return (end < 0 ? tag : tag.substring(0, end)).toLowerCase(Locale.ROOT);
    }

    private static double weight(String parameter) {
        if (!parameter.startsWith("q=") || parameter.length() > 7) {
            return 0;
        }
        try {
            double weight = Double.parseDouble(parameter.substring(2));
            return weight >= 0 && weight <= 1 ? weight : 0;
        } catch (NumberFormatException _) {
            return 0;
        }
    }
}
