package dev.orderly.access.store;

import dev.orderly.access.Identity;
import dev.orderly.text.StoredText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * An act that the audit log records: who did what, from where, on what. Texts are cut to their bounds.
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

    private static final int NAME_MAX = 200;
    private static final int SHORT_MAX = 60;
    private static final int OBJECT_MAX = 300;

    public AuditAct {
        at = at.truncatedTo(ChronoUnit.MILLIS);
        name = StoredText.repaired(name, NAME_MAX);
        address = StoredText.repaired(address, SHORT_MAX);
        operation = StoredText.repaired(operation, SHORT_MAX);
        object = StoredText.repaired(object, OBJECT_MAX);
        before = before == null ? null : StoredText.repaired(before, STATE_MAX);
    }
}
