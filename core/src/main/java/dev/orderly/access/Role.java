package dev.orderly.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * The right to use operations of the API. {@code VIEWER}, {@code OPERATOR} and {@code ADMIN} include each other in this
 * order; {@code WORKER} is beside them and includes nothing else.
 */
public enum Role {
    /** Views everything, changes nothing. */
    VIEWER,
    /** Also pushes, and operates queues, jobs, rooms and schedules. */
    OPERATOR,
    /** Also manages tokens, and reads the audit log. */
    ADMIN,
    /** Pushes, claims, settles and sends messages, for named queues only. */
    WORKER;

    /** Whether an identity with this role may do what at least {@code least} may do. */
    public boolean includes(Role least) {
        Objects.requireNonNull(least, "least");
        boolean beside = this == WORKER || least == WORKER;
        return beside ? this == least : compareTo(least) >= 0;
    }

    /** The name in the API, the configuration and the store. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role of a name in any case; empty for an unknown name. */
    public static Optional<Role> parse(String text) {
        return Arrays.stream(values()).filter(role -> role.text().equals(text.toLowerCase(Locale.ROOT))).findFirst();
    }
}
