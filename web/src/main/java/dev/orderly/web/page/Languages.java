package dev.orderly.web.page;

import dev.orderly.web.header.LanguageChoice;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The languages of pages for visitors. */
public final class Languages {
    private static final List<String> TAGS = List.of("en", "ar", "cs", "da", "de", "es", "fr", "it", "ja", "ko", "nl",
            "pl", "pt", "sv", "tr", "uk", "zh");
    private static final LanguageChoice CHOICE = new LanguageChoice(TAGS);
    private static final Map<String, Language> ALL = TAGS.stream()
            .collect(Collectors.toUnmodifiableMap(Function.identity(), Language::read));

    /** The default language. */
    public static final Language ENGLISH = named("en");

    private Languages() {}

    /** All languages, English first. */
    public static List<Language> all() {
        return TAGS.stream().map(Languages::named).toList();
    }

    /** The best language for a browser's Accept-Language headers, English if none fits. */
    public static Language choose(List<String> acceptLanguage) {
        return named(CHOICE.best(acceptLanguage));
    }

    private static Language named(String tag) {
        Language language = ALL.get(tag);
        if (language == null) {
            throw new IllegalStateException("There is no language " + tag);
        }
        return language;
    }
}
