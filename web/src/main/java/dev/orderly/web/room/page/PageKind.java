package dev.orderly.web.room.page;

import dev.orderly.web.page.Language;
/** The kinds of pages, by their names in templates, events and the keys of texts. */
enum PageKind {
    WAITING("waiting", "inLine"),
    DOOR("door", "doorHeading"),
    TURN("turn", "turnHeading"),
    HELD("held", "heldHeading"),
    LOBBY("lobby", "opensHeading"),
    OPENS("opens", "opensHeading"),
    CLOSED("closed", "closedHeading"),
    TOO_MANY("tooMany", "tooManyHeading"),
    SLOWED("slowed", "tooManyHeading"),
    WORKING("working", "tooManyHeading"),
    REFUSED("refused", "refusedHeading"),
    UNAVAILABLE("unavailable", "unavailableHeading");

    private final String wire;
    private final String heading;

    PageKind(String wire, String heading) {
        this.wire = wire;
        this.heading = heading;
    }

    static PageKind of(PageState state) {
        return switch (state) {
            case PageState.Waiting _ -> WAITING;
            case PageState.Door _ -> DOOR;
            case PageState.Turn _ -> TURN;
            case PageState.Held _ -> HELD;
            case PageState.Lobby _ -> LOBBY;
            case PageState.Opens _ -> OPENS;
            case PageState.Closed _ -> CLOSED;
            case PageState.TooMany _ -> TOO_MANY;
            case PageState.Slowed _ -> SLOWED;
            case PageState.Working _ -> WORKING;
            case PageState.Refused _ -> REFUSED;
            case PageState.Unavailable _ -> UNAVAILABLE;
        };
    }

    String wire() {
        return wire;
    }

    String heading(Language language) {
        return language.text(heading);
    }
}
