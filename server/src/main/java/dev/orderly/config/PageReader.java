package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.room.RoomName;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.room.page.HelpLink;
import dev.orderly.web.room.page.Logo;
import dev.orderly.web.room.page.PageFile;
import dev.orderly.web.room.page.PageLook;
import dev.orderly.web.room.page.PageTemplate;
import dev.orderly.web.room.page.WaitingPage;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The keys of waiting pages; builds the pages from them and the files that they name. */
final class PageReader {
    static final KeySpec.ByLanguage TITLE = new KeySpec.ByLanguage("title",
            RoomValueTypes.text(200, "Lantern Festival"),
            new Absent.Depends("the room's name"), "The name of the site or the event.");
    static final KeySpec.ByLanguage TEXT = new KeySpec.ByLanguage("text",
            RoomValueTypes.text(2_000, "\"Doors open at ten.\""),
            new Absent.Depends("none"),
            "A paragraph; line ends are kept.");
    static final KeySpec.Key<Path> LOGO = new KeySpec.Key<>("logo", ValueTypes.path("logo.svg"),
            new Absent.Depends("the title"),
            "A picture (SVG, PNG, JPEG, WebP, GIF or AVIF), embedded in the page.");
    static final KeySpec.Key<Path> CSS = new KeySpec.Key<>("css", ValueTypes.path("waiting.css"),
            new Absent.Depends(
                    "the built-in rules alone"),
            "CSS rules after the built-in ones, such as `:root{--accent:#a3123a}`.");
    static final KeySpec.Key<Path> TEMPLATE = new KeySpec.Key<>("template", ValueTypes.path("waiting.html"),
            new Absent.Depends(
                    "the built-in page"),
            "A Mustache template instead of the built-in page.");
    static final KeySpec.ByLanguage HELP = new KeySpec.ByLanguage("help",
            RoomValueTypes.text(2_000, "https://help.example.com/"),
            new Absent.Depends("none"),
            "The address of a help page or contact: https:, http:, mailto:, tel: or a path.");
    static final KeySpec.ByLanguage HELP_TEXT = new KeySpec.ByLanguage("help-text",
            RoomValueTypes.text(100, "Help"),
            new Absent.Depends("the word for help in the visitor's language"),
            "The text of the link to it.");
    static final Group PAGE = new Group("page", List.of(TITLE, TEXT, LOGO, CSS, TEMPLATE, HELP, HELP_TEXT),
            "The look of the waiting page. A text may be a map of languages: `text: { en: \"Doors open at ten.\", de:"
                    + " \"Einlass ab zehn Uhr.\" }`. Visitors read it in their language if it has a text, `pt` also for"
                    + " `pt-BR`; otherwise the text under `default`, the English text, or the first.");

    private PageReader() {}

    static WaitingPage read(RoomName room, CheckedSection at) {
        LocalizedText title = at.text(TITLE).orElse(LocalizedText.of(room.value()));
        LocalizedText text = at.text(TEXT).orElse(null);
        Logo logo = file(at, LOGO, Logo::read);
        String css = file(at, CSS, PageFile::css);
        PageTemplate template = file(at, TEMPLATE, PageTemplate::read);
        HelpLink help = help(at);
        PageLook look = new PageLook(title, text, logo, css == null ? "" : css, help);
        return new WaitingPage(room, look, template == null ? PageTemplate.standard() : template);
    }

    private static <T> @Nullable T file(CheckedSection at, KeySpec.Key<Path> key, Function<PageFile, T> read) {
        Path file = at.path(key).orElse(null);
        try {
            return file == null ? null : read.apply(PageFile.of(file));
        } catch (IllegalArgumentException e) {
            at.report(key, String.valueOf(e.getMessage()), "repair it, name another file, or remove "
                    + key.name());
            return null;
        }
    }

    private static @Nullable HelpLink help(CheckedSection at) {
        LocalizedText address = at.text(HELP).orElse(null);
        if (address == null) {
            if (at.has(HELP_TEXT) && !at.has(HELP)) {
                at.report(HELP_TEXT, "The link has no address",
                        "set help to an address, or remove help-text");
            }
            return null;
        }
        try {
            return new HelpLink(at.text(HELP_TEXT).orElse(null), address);
        } catch (IllegalArgumentException e) {
            at.report(HELP, String.valueOf(e.getMessage()), "for instance "
                    + HELP.kind().example());
            return null;
        }
    }
}
