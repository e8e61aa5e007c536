package dev.orderly.web.room.page;

import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A value that differs between pages, by its name in templates. The output of a template contains the slot's mark in
 * place of the value.
 */
enum TemplateSlot {
    TITLE("title"),
    TITLE_LANG("titleLang"),
    TEXT("text"),
    TEXT_LANG("textLang"),
    HELP("help"),
    HELP_TEXT("helpText"),
    HELP_LANG("helpLang"),
    PAGE_TITLE("pageTitle"),
    LEAD("lead"),
    PLACE("place"),
    AHEAD_BEFORE("aheadBefore"),
    AHEAD("ahead"),
    AHEAD_AFTER("aheadAfter"),
    AHEAD_SIZE("aheadSize"),
    PROGRESS("progress"),
    ESTIMATE("estimate"),
    KEPT("kept"),
    CAUSE("cause"),
    MESSAGE("message"),
    MESSAGE_LANG("messageLang"),
    REFRESH("refresh"),
    REFRESH_NOTE("refreshNote"),
    RATE("rate"),
    CAPACITY("capacity"),
    TIERS("tiers"),
    MOVE("move"),
    INVITATION("invitation"),
    OPENING("opening"),
    OPENS_IN("opensIn"),
    CLOCK("clock"),
    INSTEAD("instead"),
    CROWD("crowd"),
    DRAW("draw"),
    COMMITMENT("commitment"),
    NONCE("nonce"),
    RECEIPT("receipt"),
    CHALLENGE("challenge"),
    /** Used inside the data block only; it is JSON already and is not escaped. */
    NOW("now");

    /** A noncharacter of Unicode; templates and settings must not contain it. */
    static final char MARK = '\uFDD0';

    private static final Map<String, TemplateSlot> BY_KEY = Stream.of(values())
            .collect(Collectors.toUnmodifiableMap(TemplateSlot::key,
                    Function.identity()));

    private final String key;

    TemplateSlot(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    String mark() {
        return MARK + key + MARK;
    }

    /** @param between the text between two marks */
    static TemplateSlot marked(String between) {
        return Objects.requireNonNull(BY_KEY.get(between), between);
    }
}
