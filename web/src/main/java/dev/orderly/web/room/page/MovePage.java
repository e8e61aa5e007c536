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

/**
 * The pages of a place that moves to another device, and the page that asks a visitor to sign in. They work without
 * script. Rendered on each call, in some tens of microseconds; never blocks; thread-safe.
 */
public final class MovePage {
    private static final String SOURCE = PageAsset.lines(MovePage.class, "move.html");
    private static final Template TEMPLATE = Mustache.compiler().defaultValue("").emptyStringIsFalse(true)
            .compile(SOURCE);

    private final String base;
    private final PageLook look;
    private final String style;
    private final String policy;

    /** What a page says. */
    public enum Kind {
        /** On the device with the place: the link. */
        LINK("moveHeading", "moveNote"),
        /** On the other device: the question whether the place shall move to it. */
        TAKE("takeHeading", "takeText"),
        /** As {@link #TAKE}, after too many requests. */
        TAKE_LATER("errorTooManyHeading", "errorTooManyText"),
        /** As {@link #TAKE}, after the server could not do it. */
        TAKE_AGAIN("errorBusyHeading", "errorBusyText"),
        /** On the other device: the link does not count. */
        STALE("staleHeading", "staleText"),
        /** On the device that had the place. */
        MOVED("movedHeading", "movedText"),
        /** To a visitor who is not signed in, where only users have places. */
        SIGN_IN("signInHeading", "signInText");

        private final String heading;
        private final String lead;

        Kind(String heading, String lead) {
            this.heading = heading;
            this.lead = lead;
        }

        boolean takes() {
            return this == TAKE || this == TAKE_LATER || this == TAKE_AGAIN;
        }
    }

    /**
     * The values of a page.
     *
     * @param link the link or its secret, or the address of the page that signs in; empty if the page has none
     * @param device the value that tells this device from others; empty for pages without a question
     * @param back path and query of the page of the site to go on to
     */
    public record Values(Kind kind, String link, String device, String back) {}

    MovePage(RoomName room, PageLook look, String style, String root) {
        this.base = root + "/.orderly/rooms/" + room;
        this.look = look;
        this.style = style;
        this.policy = ContentPolicy.of(SOURCE.replace("{{{style}}}", style));
    }

    /** The {@code Content-Security-Policy} of these pages. */
    public String contentSecurityPolicy() {
        return policy;
    }

    public byte[] render(Values values, ReaderLanguages reader) {
        Language language = reader.page();
        ChosenText title = reader.choose(look.title());
        Map<String, Object> texts = new HashMap<>();
        language.keys().stream().filter(key -> !key.contains(".")).forEach(key -> texts.put(key, language.text(key)));
        Map<String, Object> page = new HashMap<>(Map.of("lang", language.tag(), "dir", language.text("dir"), "title",
                title.text(), "titleLang", reader.tag(title), "heading", language.text(values.kind.heading), "lead",
                language.text(values.kind.lead), "t", texts, "base", base, "style", style));
        page.put("shows", values.kind == Kind.LINK);
        page.put("takes", values.kind.takes());
        page.put("anew", values.kind == Kind.MOVED);
        page.put("returns", values.kind == Kind.LINK || values.kind == Kind.STALE);
        page.put("signs", values.kind == Kind.SIGN_IN && !values.link.isEmpty());
        page.put("retries", values.kind == Kind.SIGN_IN);
        page.put("link", values.link);
        page.put("device", values.device);
        page.put("back", values.back);
        return TEMPLATE.execute(page).getBytes(StandardCharsets.UTF_8);
    }
}
