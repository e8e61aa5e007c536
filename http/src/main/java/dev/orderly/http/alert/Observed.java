package dev.orderly.http.alert;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What was observed at one moment. A kind that could not be observed is unknown: its conditions neither begin nor end.
 * Not thread-safe.
 */
public final class Observed {
    private final Set<AlertKind> known = EnumSet.noneOf(AlertKind.class);
    private final Map<Condition, String> present = new HashMap<>();
    private final Map<String, Long> dead = new HashMap<>();

    /** A condition: of this kind, about this subject. */
    public record Condition(AlertKind kind, String subject) {}

    /** Declares that all conditions of a kind were looked at. */
    public Observed knows(AlertKind kind) {
        known.add(kind);
        return this;
    }

    /** @param detail a sentence for people */
    public Observed holds(AlertKind kind, String subject, String detail) {
        present.put(new Condition(kind, subject), detail);
        return this;
    }

    /** The dead letters that a queue has now. */
    public Observed dead(String queue, long letters) {
        dead.put(queue, letters);
        return this;
    }

    boolean isKnown(AlertKind kind) {
        return known.contains(kind);
    }

    Map<Condition, String> present() {
        return present;
    }

    Map<String, Long> dead() {
        return dead;
    }
}
