package dev.orderly.web.room.page;

import dev.orderly.room.RoomName;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.web.page.ReaderLanguages;
import java.util.Map;
import java.util.Objects;

/**
 * The page that takes the code of an invitation, and says why one gives no place. It works without script. Rendered on
 * each call, in some tens of microseconds; never blocks; thread-safe.
 */
public final class InvitationPage {
    private static final PageFrame FRAME = new PageFrame("invitation.html");

    private final PageFrame.OfRoom frame;

    /** What the page says. */
    public enum Kind {
        /** The question for a code. */
        ASK("inviteText"),
        /** As {@link #ASK}, after too many codes that gave no place. */
        ASK_LATER("errorTooManyText"),
        /** As {@link #ASK}, after the server could not do it. */
        ASK_AGAIN("errorBusyText"),
        /** The code is none of this room. */
        UNKNOWN("inviteUnknown"),
        /** The invitation has ended. */
        ENDED("inviteEnded"),
        /** The invitation gave its place. */
        USED("inviteUsed"),
        /** The invitation was revoked. */
        REVOKED("inviteRevoked"),
        /** The invitation is for a user who did not sign in. */
        OTHER_USER("inviteOther"),
        /** The visitor enters sooner without it. */
        SOONER("inviteSooner"),
        /** The invitation gave a place to this device, and the place is over. */
        SPENT("inviteUsed");

        private final String lead;

        Kind(String lead) {
            this.lead = lead;
        }

        /** What the page says of a refusal. */
        public static Kind of(InvitationRefusal refusal) {
            return switch (refusal) {
                case UNKNOWN -> UNKNOWN;
                case ENDED -> ENDED;
                case USED -> USED;
                case REVOKED -> REVOKED;
                case OTHER_USER -> OTHER_USER;
                case SOONER -> SOONER;
                case SPENT -> SPENT;
            };
        }
    }

    /**
     * The values of a page.
     *
     * @param code what the field has; may be empty
     * @param device the value that tells this device from others
     * @param back path and query of the page of the site to go on to
     */
    public record Values(Kind kind, String code, String device, String back) {
        public Values {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(code, "code");
            Objects.requireNonNull(device, "device");
            Objects.requireNonNull(back, "back");
        }
    }

    InvitationPage(RoomName room, PageLook look, String style, String root) {
        this.frame = FRAME.of(room, look, style, root);
    }

    /** The {@code Content-Security-Policy} of this page. */
    public String contentSecurityPolicy() {
        return frame.policy();
    }

    public byte[] render(Values values, ReaderLanguages reader) {
        return frame.render("invite", values.kind.lead, Map.of("code", values.code, "device", values.device, "back",
                values.back, "anew", values.kind == Kind.SPENT), reader);
    }
}
