package dev.orderly.text;

import java.util.Collections;
import java.util.IllformedLocaleException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * A text in one language or several, such as an operator's message to visitors. Every text satisfies
 * {@link StoredText}, and no text of a language is blank. Immutable.
 *
 * @param fallback the text for readers of all other languages; null for none
 * @param byLanguage texts by BCP 47 tag, in the order of the tags; at most {@value #LANGUAGES_MAX}; empty only beside a
 *     fallback
 */
public record LocalizedText(@Nullable String fallback, Map<String, String> byLanguage) {
    /** The key of {@link #fallback} where texts are a map. */
    public static final String DEFAULT = "default";

    /** The maximum number of languages. */
    public static final int LANGUAGES_MAX = 40;

    private static final int TAG_MAX = 35;
    private static final String ENGLISH = "en";

    /** Begins the stored form of several texts, as in RFC 7464. */
    private static final char SEVERAL = '\u001e';

    /** @throws IllegalArgumentException naming the language that breaks a rule, and the rule */
    public LocalizedText {
        Map<String, String> sorted = new TreeMap<>();
        byLanguage.forEach((tag, text) -> {
            StoredText.check("The text for " + tag, text);
            if (text.isBlank()) {
                throw new IllegalArgumentException("The text for " + tag + " is empty: write one, or leave it out");
            }
            if (sorted.put(canonical(tag), text) != null) {
                throw new IllegalArgumentException("The language " + canonical(tag) + " has two texts: remove one");
            }
        });
        if (fallback != null) {
            StoredText.check("The text", fallback);
        } else if (sorted.isEmpty()) {
            throw new IllegalArgumentException("The text has no language: write at least one, such as en");
        }
        if (sorted.size() > LANGUAGES_MAX) {
            throw new IllegalArgumentException("The text has " + sorted.size() + " languages: use at most "
                    + LANGUAGES_MAX);
        }
        byLanguage = Collections.unmodifiableMap(sorted);
    }

    /** A text for readers of all languages. */
    public static LocalizedText of(String text) {
        Objects.requireNonNull(text, "text");
        return new LocalizedText(text, Map.of());
    }

    /** @param texts by BCP 47 tag, or {@value #DEFAULT} for the fallback */
    public static LocalizedText of(Map<String, String> texts) {
        Objects.requireNonNull(texts, "texts");
        Map<String, String> byLanguage = new LinkedHashMap<>(texts);
        String fallback = byLanguage.remove(DEFAULT);
        return new LocalizedText(fallback, byLanguage);
    }

    /**
     * The tag in its canonical spelling, such as {@code pt-BR}.
     *
     * @throws IllegalArgumentException if it is malformed, or names no known language
     */
    public static String canonical(String tag) {
        Objects.requireNonNull(tag, "tag");
        try {
            Locale locale = new Locale.Builder().setLanguageTag(tag).build();
            String language = locale.getLanguage();
            // A language without a name in English is not known.
            if (tag.length() <= TAG_MAX && !language.equals(locale.getDisplayLanguage(Locale.ENGLISH))) {
                return locale.toLanguageTag();
            }
        } catch (IllformedLocaleException _) {
            // refused below
        }
        throw new IllegalArgumentException("\"" + StoredText.repaired(tag, TAG_MAX) + "\" is no known language: use a"
                + " BCP 47 tag, such as de, en or pt-BR, or " + DEFAULT + " for all other languages");
    }

    /**
     * Refuses texts that are too long.
     *
     * @param what the text's role, as the start of a sentence, such as {@code "The message"}
     * @param most the maximum length of each text, in characters
     * @throws IllegalArgumentException naming the language and the length
     */
    public LocalizedText atMost(String what, int most) {
        Objects.requireNonNull(what, "what");
        texts().forEach((tag, text) -> {
            if (text.length() > most) {
                throw new IllegalArgumentException(what + (tag.equals(DEFAULT) ? "" : " for " + tag) + " has "
                        + text.length() + " characters: use at most " + most);
            }
        });
        return this;
    }

    /** All texts by tag; the fallback last, by {@value #DEFAULT}. */
    public Map<String, String> texts() {
        Map<String, String> all = new LinkedHashMap<>(byLanguage);
        if (fallback != null) {
            all.put(DEFAULT, fallback);
        }
        return Collections.unmodifiableMap(all);
    }

    /**
     * The text for a reader: in the first wanted language that has one, for {@code pt-BR} also in {@code pt} or in
     * another variant; otherwise the fallback, English, or the first text.
     *
     * @param wanted language ranges in lower case, the most wanted first
     */
    public ChosenText choose(List<String> wanted) {
        Objects.requireNonNull(wanted, "wanted");
        if (!byLanguage.isEmpty()) {
            for (String range : wanted) {
                String tag = serve(range);
                if (tag != null) {
                    return in(tag);
                }
            }
        }
        if (fallback != null) {
            return new ChosenText(fallback, null);
        }
        return in(byLanguage.containsKey(ENGLISH) ? ENGLISH : byLanguage.keySet().iterator().next());
    }

    private ChosenText in(String tag) {
        return new ChosenText(byLanguage.getOrDefault(tag, ""), tag);
    }

    private @Nullable String serve(String range) {
        for (String wider = range; !wider.isEmpty(); wider = wider.substring(0, Math.max(0, wider.lastIndexOf('-')))) {
            for (String tag : byLanguage.keySet()) {
                if (tag.equalsIgnoreCase(wider)) {
                    return tag;
                }
            }
        }
        int dash = range.indexOf('-');
        String variants = (dash < 0 ? range : range.substring(0, dash)) + "-";
        for (String tag : byLanguage.keySet()) {
            if (tag.regionMatches(true, 0, variants, 0, variants.length())) {
                return tag;
            }
        }
        return null;
    }

    /** The form in which stores keep it: a text for all languages as it is, several as one line of JSON. */
    public String stored() {
        return fallback != null && byLanguage.isEmpty() && fallback.indexOf(SEVERAL) != 0
                ? fallback
                : SEVERAL + JsonMapper.shared().writeValueAsString(texts());
    }

    /** Reads {@link #stored}. */
    public static LocalizedText ofStored(String stored) {
        if (stored.indexOf(SEVERAL) == 0) {
            try {
                return of(JsonMapper.shared().readValue(stored.substring(1),
                        new TypeReference<Map<String, String>>() {
                        }));
            } catch (JacksonException | IllegalArgumentException _) {
                // a text of an earlier version that begins with this character
            }
        }
        return of(stored);
    }

    /** For logs and tables: the text, or all texts with their languages. */
    @Override
    public String toString() {
        return byLanguage.isEmpty()
                ? String.valueOf(fallback)
                : texts().entrySet().stream().map(text -> text.getKey() + ": " + text.getValue())
                        .collect(Collectors.joining(" | "));
    }
}
