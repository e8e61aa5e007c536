package dev.orderly.web.room.page;

import dev.orderly.room.RoomName;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.web.page.Language;
import dev.orderly.web.page.PageAsset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The constant part of a room's pages in one language and state: all values but those of {@link TemplateSlot}. */
final class PageConstants {
    static final Set<String> NAMES = Set.of("lang", "dir", "room", "base", "logo", "state", "heading", "checkText",
            "style", "script", "data");

    /** The texts that the script needs for changes while the page is open. */
    private static final List<String> LIVE = List.of("inLine", "next", "place", "etaLabel", "kept", "soon", "overHour",
            "overDay",
            "unknown", "atMost", "doorHeading", "doorText", "turnHeading", "turnText", "heldHeading", "heldText",
            "closedHeading",
            "closedText", "leftHeading", "leftText", "liveNote", "lostNote", "check", "enter", "again");
    private static final List<String> LIVE_COUNTED = List.of("ahead", "minutes", "minutesRange", "hours", "hoursRange");

    private final String room;
    private final PageLook look;
    private final String root;
    private final String style;
    private final String script;

    PageConstants(RoomName room, PageLook look, String root) {
        this.room = room.value();
        this.root = root;
        this.look = look;
        this.style = PageAsset.style() + look.css();
        this.script = PageAsset.script(PageConstants.class, "page.js");
    }

    String style() {
        return style;
    }

    String script() {
        return script;
    }

    /** All values of templates, with marks for the slots that have a value. */
    Map<String, Object> values(Language language, PageKind kind, Set<TemplateSlot> present) {
        Map<String, Object> values = new HashMap<>();
        present.forEach(slot -> values.put(slot.key(), slot.mark()));
        values.put(kind.wire(), true);
        values.put("state", kind.wire());
        values.put("heading", kind.heading(language));
        values.put("checkText", language.text(kind == PageKind.TURN ? "enter" : "check"));
        Map<String, String> texts = new HashMap<>();
        language.keys().stream().filter(key -> !key.contains(".")).forEach(key -> texts.put(key, language.text(key)));
        values.put("t", texts);
        values.put("lang", language.tag());
        values.put("dir", language.text("dir"));
        values.put("room", room);
        values.put("base", base());
        values.put("style", style);
        values.put("script", script);
        values.put("data", data(language, kind));
        if (look.logo() != null) {
            values.put("logo", look.logo().dataUri());
        }
        return values;
    }

    private String base() {
        return root + "/.orderly/rooms/" + room;
    }

    private String data(Language language, PageKind kind) {
        StringBuilder out = new StringBuilder("{");
        ScriptJson.text(out, "base", base());
        ScriptJson.text(out, "lang", language.tag());
        ScriptJson.text(out, "group", language.text("group"));
        ScriptJson.name(out, "groupFrom").append(language.text("groupFrom"));
        ScriptJson.name(out, "t").append('{');
        if (kind == PageKind.TURN) {
            List.of("turnHeading", "turnText", "enter", "check")
                    .forEach(key -> ScriptJson.text(out, key, language.text(key)));
        } else if (kind == PageKind.WAITING || kind == PageKind.DOOR || kind == PageKind.HELD
                || kind == PageKind.LOBBY) {
            addTexts(out, language);
            if (kind == PageKind.LOBBY) {
                ScriptJson.text(out, "lobbyHeading", kind.heading(language));
            }
        }
        out.append('}');
        ScriptJson.name(out, TemplateSlot.NOW.key()).append(TemplateSlot.NOW.mark());
        return out.append('}').toString();
    }

    private static void addTexts(StringBuilder out, Language language) {
        LIVE.forEach(key -> ScriptJson.text(out, key, language.text(key)));
        for (String key : LIVE_COUNTED) {
            ScriptJson.name(out, key).append('{');
            addForms(out, language, key);
            out.append('}');
        }
        ScriptJson.name(out, "causes").append('{');
        for (WaitEstimate.Cause cause : WaitEstimate.Cause.values()) {
            if (cause == WaitEstimate.Cause.OPENING) {
                continue; // the page of a lobby says it otherwise
            }
            ScriptJson.text(out, cause.wire(), language.text("cause-" + cause.wire()));
        }
        out.append('}');
    }

    /**
     * Adds the last form, and the forms that differ from it: the script falls back to the last form. A range ends with
     * 2 or more, so that the form of 1 alone is not needed for it.
     */
    private static void addForms(StringBuilder out, Language language, String key) {
        String last = language.plural().forms().getLast();
        String fallback = language.text(key + "." + last);
        int least = key.endsWith("Range") ? 2 : 0;
        Set<String> used = IntStream.range(least, 200).mapToObj(language.plural()::form).collect(Collectors.toSet());
        for (String form : language.plural().forms()) {
            String text = language.text(key + "." + form);
            if (form.equals(last) || (used.contains(form) && !text.equals(fallback))) {
                ScriptJson.text(out, form, text);
            }
        }
    }
}
