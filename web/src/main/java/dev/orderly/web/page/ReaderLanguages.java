package dev.orderly.web.page;

import dev.orderly.text.ChosenText;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.header.LanguageChoice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The languages of a reader of a page.
 *
 * @param page the language of the page's own texts
 * @param wanted the ranges by which an operator's texts are chosen, the most wanted first; they may name languages that
 *     the page itself does not speak
 */
public record ReaderLanguages(Language page, List<String> wanted) {
    /** @param acceptLanguage the values of all Accept-Language headers */
    public static ReaderLanguages of(List<String> acceptLanguage) {
        return new ReaderLanguages(Languages.choose(acceptLanguage), LanguageChoice.wanted(acceptLanguage));
    }

    /** A reader of one language. */
    public static ReaderLanguages of(Language language) {
        return new ReaderLanguages(language, List.of(language.tag()));
    }

    /** The operator's text for this reader. */
    public ChosenText choose(LocalizedText text) {
        return text.choose(wanted);
    }

    /** The tag for a {@code lang} attribute: of the text, or of the page around it if unknown. */
    public String tag(@Nullable ChosenText text) {
        return text == null || text.language() == null ? page.tag() : text.language();
    }
}
