package dev.orderly.web.room.page;

import dev.orderly.room.RoomName;
import dev.orderly.web.page.ReaderLanguages;
import java.util.Map;

/**
 * The pages of a place that moves to another device, and the page that asks a visitor to sign in. They work without
 * script. Rendered on each call, in some tens of microseconds; never blocks; thread-safe.
 */
public final class MovePage {
    private static final PageFrame FRAME = new PageFrame("move.html");

    private final PageFrame.OfRoom frame;

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
        this.frame = FRAME.of(room, look, style, root);
    }

    /** The {@code Content-Security-Policy} of these pages. */
    public String contentSecurityPolicy() {
        return frame.policy();
    }

    public byte[] render(Values values, ReaderLanguages reader) {
        return frame.render(values.kind.heading, values.kind.lead, Map.of("shows", values.kind == Kind.LINK, "takes",
                values.kind.takes(), "anew", values.kind == Kind.MOVED, "returns",
                values.kind == Kind.LINK || values.kind == Kind.STALE, "signs",
                values.kind == Kind.SIGN_IN && !values.link.isEmpty(), "retries", values.kind == Kind.SIGN_IN, "link",
                values.link, "device", values.device, "back", values.back), reader);
    }
}
