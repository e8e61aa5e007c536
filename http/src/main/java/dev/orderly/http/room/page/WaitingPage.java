package dev.orderly.http.room.page;

import dev.orderly.http.room.page.PageState.Closed;
import dev.orderly.http.room.page.PageState.Door;
import dev.orderly.http.room.page.PageState.Held;
import dev.orderly.http.room.page.PageState.TooMany;
import dev.orderly.http.room.page.PageState.Turn;
import dev.orderly.http.room.page.PageState.Unavailable;
import dev.orderly.http.room.page.PageState.Waiting;
import dev.orderly.room.RoomName;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The waiting page of one room: HTML in UTF-8 that needs nothing else, works without script, and with script is kept up
 * to date by events.
 *
 * <p>To be answered with {@link #contentSecurityPolicy}, the language's tag as {@code Content-Language}, and without a
 * {@code Refresh} header: the page has one of its own for browsers without script, and must not be reloaded under the
 * others.
 *
 * <p>The template runs once for each language, state and set of values that are there; after that a page costs a few
 * microseconds and its own bytes. Never blocks; for any thread.
 */
public final class WaitingPage {
    /** Kinds of page kept: some 15 kB each. More than a room shows; what is beyond is laid out each time. */
    private static final int SHAPES_MAX = 512;

    private record Shape(Language language, Kind kind, Set<Slot> present) {}

    private final PageLook look;
    private final PageTemplate template;
    private final PageConstants constants;
    private final String policy;
    private final Map<Shape, Skeleton> skeletons = new ConcurrentHashMap<>();

    public WaitingPage(RoomName room, PageLook look, PageTemplate template) {
        this.look = look;
        this.template = template;
        this.constants = new PageConstants(room, look);
        this.policy = template.policy(constants.style(), constants.script());
    }

    /** The {@code Content-Security-Policy} of every page this one gives. */
    public String contentSecurityPolicy() {
        return policy;
    }

    /** The page for one visitor. */
    public byte[] render(PageView view, Language language) {
        Kind kind = Kind.of(view.state());
        SlotValues values = values(view, language, kind);
        Shape shape = new Shape(language, kind, values.present());
        Skeleton known = skeletons.get(shape);
        return (known == null ? layOut(shape) : known).fill(values);
    }

    private Skeleton layOut(Shape shape) {
        Skeleton skeleton = template.layOut(constants.values(shape.language, shape.kind, shape.present));
        if (skeletons.size() < SHAPES_MAX) {
            skeletons.put(shape, skeleton);
        }
        return skeleton;
    }

    private SlotValues values(PageView view, Language language, Kind kind) {
        SlotValues values = new SlotValues();
        long refresh = view.refresh().toSeconds();
        Standing standing = standing(view.state());
        values.put(Slot.PAGE_TITLE, pageTitle(language, kind, standing));
        values.put(Slot.LEAD, lead(view.state(), kind, language));
        values.put(Slot.MESSAGE, view.message());
        values.put(Slot.REFRESH, Long.toString(refresh));
        values.put(Slot.REFRESH_NOTE, language.counted("refreshNote", refresh));
        values.put(Slot.NOW, now(view, kind, standing));
        if (standing != null) {
            values.put(Slot.RATE, Wording.rate(language, view.rule().rate()));
            values.put(Slot.CAPACITY, Wording.capacity(language, view.rule().capacity()));
            put(standing, kind, language, values);
        }
        return values;
    }

    private static void put(Standing standing, Kind kind, Language language, SlotValues values) {
        values.put(Slot.PLACE, language.text("place").replace("{n}", language.number(standing.place())));
        values.put(Slot.PROGRESS, Long.toString(Math.round(standing.progress() * 100)));
        if (standing.ahead() == 0) {
            values.put(Slot.AHEAD_AFTER, language.text("next"));
            values.put(Slot.AHEAD_SIZE, "0");
        } else {
            String sentence = language.text("ahead", standing.ahead());
            String number = language.number(standing.ahead());
            int at = sentence.indexOf("{n}");
            values.put(Slot.AHEAD_BEFORE, sentence.substring(0, at).strip());
            values.put(Slot.AHEAD, number);
            values.put(Slot.AHEAD_AFTER, sentence.substring(at + 3).strip());
            values.put(Slot.AHEAD_SIZE, number.length() < 4 ? "s" : "l");
        }
        if (kind == Kind.WAITING) {
            values.put(Slot.ESTIMATE, Wording.wait(language, standing.estimate()));
        }
        if (kind != Kind.DOOR) {
            values.put(Slot.CAUSE, language.text("cause-" + standing.cause().wire()));
        }
    }

    private String pageTitle(Language language, Kind kind, @Nullable Standing standing) {
        String title = kind.heading(language) + " – " + look.title();
        return kind == Kind.WAITING && standing != null && standing.ahead() > 0
                ? language.number(standing.ahead()) + " · " + title
                : title;
    }

    private static @Nullable String lead(PageState state, Kind kind, Language language) {
        return switch (state) {
            case Waiting _ -> null;
            case TooMany tooMany -> language.counted("tooManyText", Math.max(1, tooMany.tryAgain().toSeconds()));
            case Door _,Turn _,Held _,Closed _,Unavailable _ -> language.text(kind.wire() + "Text");
        };
    }

    private static @Nullable Standing standing(PageState state) {
        return switch (state) {
            case Waiting waiting -> waiting.standing();
            case Door door -> door.standing();
            case Held held -> held.standing();
            case Turn _,Closed _,TooMany _,Unavailable _ -> null;
        };
    }

    /** As an event would say it, so that the script starts from what the page shows. */
    private static String now(PageView view, Kind kind, @Nullable Standing standing) {
        StringBuilder out = new StringBuilder("{");
        Json.text(out, "state", kind.wire());
        Json.text(out, "message", view.message());
        Json.name(out, "refresh").append(view.refresh().toSeconds());
        if (standing != null) {
            Estimate estimate = standing.estimate();
            Json.name(out, "place").append(standing.place());
            Json.name(out, "ahead").append(standing.ahead());
            Json.name(out, "progress").append(standing.progress());
            Json.name(out, "low").append(estimate == null ? null : (Long) estimate.low().toSeconds());
            Json.name(out, "high").append(estimate == null || estimate.high() == null
                    ? null
                    : (Long) estimate.high().toSeconds());
            Json.text(out, "cause", standing.cause().wire());
        }
        return out.append('}').toString();
    }
}
