package dev.orderly.web.room.page;

import com.samskivert.mustache.Mustache;
import com.samskivert.mustache.Template;
import dev.orderly.room.RoomName;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.text.ChosenText;
import dev.orderly.web.page.Language;
import dev.orderly.web.page.PageAsset;
import dev.orderly.web.page.ReaderLanguages;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The page that takes the code of an invitation, and says why one gives no place. It works without script. Rendered on
 * each call, in some tens of microseconds; never blocks; thread-safe.
 */
public final class InvitationPage {
    private static final String SOURCE = PageAsset.lines(InvitationPage.class, "invitation.html");
    private static final Template TEMPLATE = Mustache.compiler().defaultValue("").emptyStringIsFalse(true)
            .compile(SOURCE);

    private final String base;
    private final PageLook look;
    private final String style;
    private final String policy;

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
        SOONER("inviteSooner");

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
        this.base = root + "/.orderly/rooms/" + room;
        this.look = look;
        this.style = style;
        this.policy = ContentPolicy.of(SOURCE.replace("{{{style}}}", style));
    }

    /** The {@code Content-Security-Policy} of this page. */
    public String contentSecurityPolicy() {
        return policy;
    }

    public byte[] render(Values values, ReaderLanguages reader) {
        Language language = reader.page();
        ChosenText title = reader.choose(look.title());
        Map<String, Object> page = new HashMap<>(Map.of("lang", language.tag(), "dir", language.text("dir"), "title",
                title.text(), "titleLang", reader.tag(title), "lead", language.text(values.kind.lead), "base", base,
                "style", style, "code", values.code, "device", values.device, "back", values.back));
        for (String key : new String[]{"invite", "inviteCode", "inviteYes", "moveBack"}) {
            page.put(key, language.text(key));
        }
        return TEMPLATE.execute(page).getBytes(StandardCharsets.UTF_8);
    }
}
