package dev.orderly.access.store;

import dev.orderly.access.Identity;
import dev.orderly.text.StoredText;
import dev.orderly.text.VisibleText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An act that the audit log records: who did what, from where, on what. Texts are {@linkplain VisibleText visible} and
 * cut to their bounds, whoever makes the act.
 *
 * @param at in milliseconds
 * @param kind of the identity
 * @param name of the identity
 * @param address of the client; at most 60 characters
 * @param operation the operation's id in the OpenAPI document; at most 60 characters
 * @param object the changed thing, such as {@code queue emails}; at most 300 characters
 * @param before the state before the change, without payloads and secrets; at most {@link #STATE_MAX} characters
 */
public record AuditAct(Instant at, Identity.Kind kind, String name, String address, String operation, String object,
        @Nullable String before) {
    /** Upper bound of the characters of a state. */
    public static final int STATE_MAX = 2_000;

    private static final Pattern LINE_END = Pattern.compile("\\r?\\n\\s*");
    static final int NAME_MAX = 200;
    static final int SHORT_MAX = 60;
    static final int OBJECT_MAX = 300;

    public AuditAct {
        at = at.truncatedTo(ChronoUnit.MILLIS);
        name = visible(name, NAME_MAX);
        address = visible(address, SHORT_MAX);
        operation = visible(operation, SHORT_MAX);
        object = visible(object, OBJECT_MAX);
        before = before == null ? null : state(before);
    }

    /** A state as entries have it: visible, in one line, cut to its bound. */
    public static String state(String text) {
        return visible(LINE_END.matcher(text).replaceAll(", "), STATE_MAX);
    }

    /** An escape is visible, so that a text that is read back stays as it is. */
    static String visible(String text, int max) {
        return StoredText.repaired(VisibleText.of(text), max);
    }
}
