package dev.orderly.web.room.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.orderly.room.RoomName;
import dev.orderly.text.ChosenText;
import dev.orderly.web.page.Language;
import dev.orderly.web.page.PageAsset;
import dev.orderly.web.page.ReaderLanguages;
import dev.orderly.web.room.page.PageState.Closed;
import dev.orderly.web.room.page.PageState.Door;
import dev.orderly.web.room.page.PageState.Held;
import dev.orderly.web.room.page.PageState.Lobby;
import dev.orderly.web.room.page.PageState.Opens;
import dev.orderly.web.room.page.PageState.Refused;
import dev.orderly.web.room.page.PageState.Slowed;
import dev.orderly.web.room.page.PageState.TooMany;
import dev.orderly.web.room.page.PageState.Turn;
import dev.orderly.web.room.page.PageState.Unavailable;
import dev.orderly.web.room.page.PageState.Waiting;
import dev.orderly.web.room.page.PageState.Working;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The waiting page of one room: self-contained HTML in UTF-8 that works without script, and is updated by events with
 * script.
 *
 * <p>It is to be answered with {@link #contentSecurityPolicy}, the language's tag as {@code Content-Language}, and
 * without a {@code Refresh} header: the page contains a refresh for browsers without script, and must not be reloaded
 * in other browsers.
 *
 * <p>The template runs once for each language, state and set of present values; after that a page costs a few
 * microseconds and its own bytes. Never blocks; thread-safe.
 */
public final class WaitingPage {
    /**
     * The maximum number of cached shapes, about 15 kB each, more than a room uses; further shapes are rendered each
     * time.
     */
    private static final int SHAPES_MAX = 512;
    /** A longer time to the opening is its date only: nobody counts hours for days. */
    private static final Duration CLOCK_MAX = Duration.ofDays(2);

    private static final Template LEFT = Mustache.compiler().compile(PageAsset.lines(WaitingPage.class, "left.html"));

    private record Shape(Language language, PageKind kind, Set<TemplateSlot> present) {}

    private final RoomName room;
    private final PageLook look;
    private final PageTemplate template;
    private final String root;
    private final PageConstants constants;
    private final String policy;
    private final MovePage moving;
    private final InvitationPage inviting;
    private final Map<Shape, Skeleton> skeletons = new ConcurrentHashMap<>();

    public WaitingPage(RoomName room, PageLook look, PageTemplate template) {
        this(room, look, template, "");
    }

    private WaitingPage(RoomName room, PageLook look, PageTemplate template, String root) {
        this.room = room;
        this.root = root;
        this.look = look;
        this.template = template;
        this.constants = new PageConstants(room, look, root);
        this.policy = template.policy(constants.style(), constants.script());
        this.moving = new MovePage(room, look, constants.style(), root);
        this.inviting = new InvitationPage(room, look, constants.style(), root);
    }

    /**
     * The page of a site below a path.
     *
     * @param path percent-encoded, without a slash at its end; empty for the root
     */
    public WaitingPage below(String path) {
        return path.equals(root) ? this : new WaitingPage(room, look, template, path);
    }

    /** The path that the site is below; empty for the root. */
    public String root() {
        return root;
    }

    /** Whether both are pages of one room with the same look and template. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof WaitingPage that && room.equals(that.room) && look.equals(that.look)
                && template.equals(that.template) && root.equals(that.root);
    }

    @Override
    public int hashCode() {
        return Objects.hash(room, look, template, root);
    }

    /** The {@code Content-Security-Policy} of every page of this room. */
    public String contentSecurityPolicy() {
        return policy;
    }

    /** The page for one visitor. */
    public byte[] render(PageView view, ReaderLanguages reader) {
        PageKind kind = PageKind.of(view.state());
        SlotValues values = values(view, reader, kind);
        Shape shape = new Shape(reader.page(), kind, values.present());
        Skeleton known = skeletons.get(shape);
        return (known == null ? layOut(shape) : known).fill(values);
    }

    /**
     * The page for a visitor who has left the line with the page's form: rendered on each call, in some tens of
     * microseconds.
     *
     * @param back the URL for joining again
     */
    public byte[] left(ReaderLanguages reader, String back) {
        return notice("left", reader, back);
    }

    /** The page for a visitor whose browser keeps no cookies, and so no place. Otherwise as {@link #left}. */
    public byte[] withoutCookies(ReaderLanguages reader, String back) {
        return notice("noCookies", reader, back);
    }

    private byte[] notice(String words, ReaderLanguages reader, String back) {
        Objects.requireNonNull(back, "back");
        Language language = reader.page();
        ChosenText title = reader.choose(look.title());
        String page = LEFT.execute(Map.of("lang", language.tag(), "dir", language.text("dir"), "title", title.text(),
                "titleLang", reader.tag(title), "heading", language.text(words + "Heading"), "text",
                language.text(words + "Text"), "again",
                language.text("again"), "back", back, "style", constants.style()));
        return page.getBytes(StandardCharsets.UTF_8);
    }

    /** The pages of a place that moves to another device. */
    public MovePage moving() {
        return moving;
    }

    /** The page that takes the code of an invitation. */
    public InvitationPage inviting() {
        return inviting;
    }

    private Skeleton layOut(Shape shape) {
        Skeleton skeleton = template.layOut(constants.values(shape.language, shape.kind, shape.present));
        if (skeletons.size() < SHAPES_MAX) {
            skeletons.put(shape, skeleton);
        }
        return skeleton;
    }

    private SlotValues values(PageView view, ReaderLanguages reader, PageKind kind) {
        SlotValues values = new SlotValues();
        Language language = reader.page();
        long refresh = view.refresh().toSeconds();
        ShownPosition position = position(view.state());
        ChosenText title = reader.choose(look.title());
        values.put(TemplateSlot.TITLE, title.text());
        values.put(TemplateSlot.TITLE_LANG, reader.tag(title));
        values.put(TemplateSlot.PAGE_TITLE, pageTitle(language, kind, position, title.text()));
        values.put(TemplateSlot.LEAD, lead(view.state(), kind, language));
        putOperatorTexts(view, reader, values);
        values.put(TemplateSlot.REFRESH, Long.toString(refresh));
        values.put(TemplateSlot.REFRESH_NOTE,
                kind == PageKind.REFUSED ? "" : language.counted("refreshNote", refresh));
        values.put(TemplateSlot.CHALLENGE, view.state() instanceof Working(String challenge) ? challenge : null);
        values.put(TemplateSlot.NOW, now(view, kind, position, title.text()));
        ShownOpening opening = opening(view.state());
        if (opening != null) {
            String kept = position == null ? "" : " " + language.text("lobbyText");
            boolean drawing = opening.draw() != null && opening.draw().drawing();
            values.put(TemplateSlot.OPENING, drawing
                    ? language.text("drawingText")
                    : Wording.opens(language, opening) + kept);
            put(opening, language, values);
        }
        if (position != null) {
            values.put(TemplateSlot.RATE, Wording.rate(language, view.rule().rate()));
            values.put(TemplateSlot.MOVE, view.move());
            values.put(TemplateSlot.INVITATION, view.invitation());
            values.put(TemplateSlot.TIERS, Wording.tiers(language, position.tier(), view.rule().tiers()));
            values.put(TemplateSlot.CAPACITY, Wording.capacity(language, view.rule().capacity()));
            boolean drawn = position.drawn() || (opening != null && opening.draw() != null);
            values.put(TemplateSlot.RECEIPT, drawn ? root + "/.orderly/rooms/" + room + "/receipt" : null);
            put(position, kind, language, values);
        }
        return values;
    }

    private static void put(ShownOpening opening, Language language, SlotValues values) {
        values.put(TemplateSlot.OPENS_IN, Long.toString(opening.until().toSeconds()));
        values.put(TemplateSlot.CLOCK,
                opening.until().compareTo(CLOCK_MAX) > 0 || (opening.draw() != null && opening.draw().drawing())
                        ? null
                        : Wording.clock(opening.until()));
        values.put(TemplateSlot.INSTEAD, Wording.instead(language, opening));
        values.put(TemplateSlot.CROWD, Wording.crowd(language, opening.crowd()));
        ShownOpening.Draw draw = opening.draw();
        if (draw != null) {
            values.put(TemplateSlot.DRAW, language.text(draw.drawing() ? "lobbyText" : "drawText"));
            values.put(TemplateSlot.COMMITMENT, draw.commitment());
            values.put(TemplateSlot.NONCE, draw.wantsNonce() ? "1" : null);
        }
    }

    private static @Nullable ShownOpening opening(PageState state) {
        return state instanceof Lobby lobby
                ? lobby.opening()
                : state instanceof Opens opens ? opens.opening() : null;
    }

    private void putOperatorTexts(PageView view, ReaderLanguages reader, SlotValues values) {
        ChosenText message = view.message();
        values.put(TemplateSlot.MESSAGE, message == null ? null : message.text());
        values.put(TemplateSlot.MESSAGE_LANG, reader.tag(message));
        if (look.text() != null) {
            ChosenText text = reader.choose(look.text());
            values.put(TemplateSlot.TEXT, text.text());
            values.put(TemplateSlot.TEXT_LANG, reader.tag(text));
        }
        HelpLink link = look.link();
        if (link != null) {
            ChosenText text = link.text() == null ? null : reader.choose(link.text());
            values.put(TemplateSlot.HELP, reader.choose(link.address()).text());
            values.put(TemplateSlot.HELP_TEXT, text == null ? reader.page().text("help") : text.text());
            values.put(TemplateSlot.HELP_LANG, reader.tag(text));
        }
    }

    private static void put(ShownPosition position, PageKind kind, Language language, SlotValues values) {
        values.put(TemplateSlot.PLACE, language.text("place").replace("{n}", language.number(position.place())));
        values.put(TemplateSlot.PROGRESS, Long.toString(Math.round(position.progress() * 100)));
        long ahead = position.ahead().number();
        if (ahead == 0) {
            values.put(TemplateSlot.AHEAD_AFTER, language.text("next"));
            values.put(TemplateSlot.AHEAD_SIZE, "0");
        } else {
            String sentence = Wording.ahead(language, position.ahead());
            String number = language.number(ahead);
            int at = sentence.indexOf("{n}");
            values.put(TemplateSlot.AHEAD_BEFORE, sentence.substring(0, at).strip());
            values.put(TemplateSlot.AHEAD, number);
            values.put(TemplateSlot.AHEAD_AFTER, sentence.substring(at + 3).strip());
            values.put(TemplateSlot.AHEAD_SIZE, number.length() < 4 ? "s" : "l");
        }
        if (kind == PageKind.WAITING) {
            values.put(TemplateSlot.ESTIMATE, Wording.wait(language, position.estimate()));
            values.put(TemplateSlot.KEPT, Wording.kept(language, position.estimate()));
        }
        if (kind != PageKind.DOOR && kind != PageKind.LOBBY) {
            values.put(TemplateSlot.CAUSE, language.text("cause-" + position.cause().wire()));
        }
    }

    private static String pageTitle(Language language, PageKind kind, @Nullable ShownPosition position, String site) {
        String title = kind.heading(language) + " – " + site;
        return kind == PageKind.WAITING && position != null && position.ahead().number() > 0
                ? language.number(position.ahead().number()) + " · " + title
                : title;
    }

    private static @Nullable String lead(PageState state, PageKind kind, Language language) {
        return switch (state) {
            case Waiting _ -> null;
            case TooMany tooMany -> language.counted("tooManyText", Math.max(1, tooMany.tryAgain().toSeconds()));
            case Lobby _,Opens _ -> null;
            case Closed(ZonedDateTime cancelled) when cancelled != null -> Wording.onlyCancelled(language, cancelled);
            case Door _,Turn _,Held _,Closed _,Slowed _,Working _,Refused _,Unavailable _ ->
                language.text(kind.wire() + "Text");
        };
    }

    private static @Nullable ShownPosition position(PageState state) {
        return switch (state) {
            case Waiting waiting -> waiting.position();
            case Door door -> door.position();
            case Held held -> held.position();
            case Lobby lobby -> lobby.position();
            case Turn _,Opens _,Closed _,TooMany _,Slowed _,Working _,Refused _,Unavailable _ -> null;
        };
    }

    /** The state in the form of an event, so that the script starts from the page's content. */
    private static String now(PageView view, PageKind kind, @Nullable ShownPosition position, String title) {
        ChosenText message = view.message();
        StringBuilder out = new StringBuilder("{");
        ScriptJson.text(out, "state", kind.wire());
        ScriptJson.text(out, "title", title);
        ScriptJson.text(out, "message", message == null ? null : message.text());
        if (message != null && message.language() != null) {
            ScriptJson.text(out, "messageLanguage", message.language());
        }
        ScriptJson.name(out, "refresh").append(view.refresh().toSeconds());
        ShownOpening opening = opening(view.state());
        if (opening != null) {
            ScriptJson.name(out, "opening").append('{');
            ScriptJson.text(out, "opens", opening.opens().toInstant().toString());
            out.append('}');
        }
        if (position != null) {
            ShownWait estimate = position.estimate();
            ScriptJson.name(out, "place").append(position.place());
            ScriptJson.name(out, "ahead").append(position.ahead().number());
            ScriptJson.name(out, "aheadKnown").append(position.ahead().isKnown());
            ScriptJson.name(out, "progress").append(position.progress());
            ScriptJson.name(out, "low").append(estimate == null ? null : (Long) estimate.low().toSeconds());
            ScriptJson.name(out, "high").append(estimate == null || estimate.high() == null
                    ? null
                    : (Long) estimate.high().toSeconds());
            ScriptJson.name(out, "kept").append(estimate == null || estimate.high() == null ? null : estimate.kept());
            ScriptJson.text(out, "cause", position.cause().wire());
        }
        return out.append('}').toString();
    }
}
