package dev.orderly.spring.web;

import dev.orderly.room.RoomName;
import dev.orderly.spring.config.RoomProperties.Page;
import dev.orderly.spring.config.RoomProperties.Texts;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.room.page.HelpLink;
import dev.orderly.web.room.page.Logo;
import dev.orderly.web.room.page.PageFile;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.io.ApplicationResourceLoader;

/** The waiting pages of the properties: texts in all languages, and the files they name. */
final class WaitingPages {
    private WaitingPages() {}

    /**
     * The page of a room, laid out from the files.
     *
     * @throws IllegalArgumentException naming the language, the text or the file that breaks its rule
     */
    static WaitingPage page(RoomName room, Page page) {
        PageTemplate template = file(page.template(), PageTemplate::read);
        return new WaitingPage(room, look(room.value(), page), template == null ? PageTemplate.standard() : template);
    }

    private static PageLook look(String room, Page page) {
        LocalizedText title = texts(page.title() == null ? room : page.title(), page, Texts::title);
        LocalizedText text = texts(page.text(), page, Texts::text);
        LocalizedText help = texts(page.help(), page, Texts::help);
        LocalizedText label = texts(page.helpText(), page, Texts::helpText);
        if (help == null && label != null) {
            throw new IllegalArgumentException("The page has a help-text and no help: set page.help to the address of"
                    + " a help page, or remove help-text");
        }
        String css = file(page.css(), PageFile::css);
        return new PageLook(title == null ? LocalizedText.of(room) : title, text, file(page.logo(), Logo::read),
                css == null ? "" : css,
                help == null ? null : new HelpLink(label, help));
    }

    /** A location without a prefix is the path of a file, as in the server's configuration. */
    private static <T> @Nullable T file(@Nullable String location, Function<PageFile, T> read) {
        return location == null
                ? null
                : read.apply(
                        new PageFile(location, ApplicationResourceLoader.get().getResource(location)::getInputStream));
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
