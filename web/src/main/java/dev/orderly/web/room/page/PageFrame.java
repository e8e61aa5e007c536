package dev.orderly.web.room.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.orderly.room.RoomName;
import dev.orderly.text.ChosenText;
import dev.orderly.web.page.Language;
import dev.orderly.web.page.PageAsset;
import dev.orderly.web.page.ReaderLanguages;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The frame of the pages of a room beside its waiting page: a heading, a sentence, and a content of their own. */
final class PageFrame {
    private static final String FRAME = PageAsset.lines(PageFrame.class, "frame.html");

    private final String source;
    private final Template template;

    /** @param file the content: a Mustache template, in which the texts of a language are {@code t} */
    PageFrame(String file) {
        source = FRAME.replace("{{{content}}}", PageAsset.lines(PageFrame.class, file));
        template = Mustache.compiler().defaultValue("").emptyStringIsFalse(true).compile(source);
    }

    /** The frame of a room. */
    OfRoom of(RoomName room, PageLook look, String style, String root) {
        return new OfRoom(root + "/.orderly/rooms/" + room, look, style,
                ContentPolicy.of(source.replace("{{{style}}}", style)));
    }

    /** The frame with the look of a room. */
    final class OfRoom {
        private final String base;
        private final PageLook look;
        private final String style;
        private final String policy;

        private OfRoom(String base, PageLook look, String style, String policy) {
            this.base = base;
            this.look = look;
            this.style = style;
            this.policy = policy;
        }

        /** The {@code Content-Security-Policy} of the pages. */
        String policy() {
            return policy;
        }

        /**
         * A page.
         *
         * @param heading key of a text, as the lead
         * @param values of the content
         */
        byte[] render(String heading, String lead, Map<String, Object> values, ReaderLanguages reader) {
            Language language = reader.page();
            ChosenText title = reader.choose(look.title());
            Map<String, Object> texts = new HashMap<>();
            language.keys().stream().filter(key -> !key.contains("."))
                    .forEach(key -> texts.put(key, language.text(key)));
            Map<String, Object> page = new HashMap<>(Map.of("lang", language.tag(), "dir", language.text("dir"),
                    "title", title.text(), "titleLang", reader.tag(title), "heading", language.text(heading), "lead",
                    language.text(lead), "t", texts, "base", base, "style", style));
            page.putAll(values);
            return template.execute(page).getBytes(StandardCharsets.UTF_8);
        }
    }
}
