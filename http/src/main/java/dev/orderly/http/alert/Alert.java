package dev.orderly.http.alert;

import java.time.Instant;

/**
 * A message about a condition.
 *
 * @param id unique; the same at every delivery
 * @param subject the room, queue, schedule, node, listener or part that it is about
 * @param detail a sentence for people, without data of users
 * @param count the new dead letters; 1 for other kinds
 * @param since the beginning of the condition
 * @param at the moment of this message
 */
public record Alert(String id, AlertKind kind, Phase phase, String subject, String detail, long count, Instant since,
        Instant at) {
    /** What happened to the condition. */
    public enum Phase {
        /** It holds. */
        BEGAN,
        /** It holds no longer. */
        OVER,
        /** It has no duration. */
        EVENT
    }
}
