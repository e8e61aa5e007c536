package dev.orderly.spring.web;

import dev.orderly.spring.config.RoomProperties.Page;
import dev.orderly.spring.config.RoomProperties.Texts;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.room.page.HelpLink;
import dev.orderly.web.room.page.PageLook;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The texts of a waiting page in all languages of the properties. */
final class WaitingTexts {
    private WaitingTexts() {}

    /**
     * The look of a room's page.
     *
     * @throws IllegalArgumentException naming the language or the text that breaks its rule
     */
    static PageLook look(String room, Page page) {
        LocalizedText title = texts(page.title() == null ? room : page.title(), page, Texts::title);
        LocalizedText text = texts(page.text(), page, Texts::text);
        LocalizedText help = texts(page.help(), page, Texts::help);
        LocalizedText label = texts(page.helpText(), page, Texts::helpText);
        if (help == null && label != null) {
            throw new IllegalArgumentException("The page has a help-text and no help: set page.help to the address of"
                    + " a help page, or remove help-text");
        }
        return new PageLook(title == null ? LocalizedText.of(room) : title, text, null, "",
                help == null ? null : new HelpLink(label == null ? help : label, help));
    }

    private static @Nullable LocalizedText texts(@Nullable String fallback, Page page,
            Function<Texts, @Nullable String> part) {
        Map<String, String> byLanguage = new TreeMap<>();
        page.languages().forEach((language, texts) -> {
            String text = part.apply(texts);
            if (text != null) {
                byLanguage.put(language, text);
            }
        });
        return fallback == null && byLanguage.isEmpty() ? null : new LocalizedText(fallback, byLanguage);
    }
}
