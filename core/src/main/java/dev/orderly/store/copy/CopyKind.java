package dev.orderly.store.copy;

import java.util.Locale;
import java.util.Set;

/** The kinds of data of a copy, in the order in which they are copied. */
public enum CopyKind {
    /** Queues, with their pauses, and whether a dead letter halts its group. */
    QUEUES,
    /** What operators have set for keys and groups. */
    KEY_SETTINGS,
    /** Batches, with their counts. Jobs say which they belong to. */
    BATCHES,
    /** Waiting and delayed jobs, and dead letters. A job that ran waits again, with the number of its attempt. */
    JOBS,
    /** Done and cancelled jobs that are kept. */
    ENDED_JOBS,
    /** What jobs keep of the steps that they have done. */
    JOB_STEPS,
    /** The events of jobs: what has come, and what is awaited. */
    JOB_EVENTS,
    /** Dedupe keys within their window. */
    DEDUPE_KEYS,
    /** Dedupe keys with a window of their own, within it. */
    KEPT_KEYS,
    /** Idempotency keys within their window. */
    IDEMPOTENCY_KEYS,
    SCHEDULES,
    ACCESS_TOKENS,
    /** Logins to the dashboard. */
    SESSIONS,
    AUDIT_ENTRIES,
    /** Figures of queues and rooms by minute. */
    MINUTES,
    /** Figures of queues and rooms by hour. */
    HOURS,
    /** Values of {@link dev.orderly.store.KeyValueStore} that have not ended. */
    KEY_VALUES,
    /** Rooms, with epoch, line, mode, message and the limits of an operator. */
    ROOMS,
    /** Places whose tickets are used up. */
    USED_PLACES,
    /** Live passes. */
    PASSES,
    /** Revoked visitors whose revocation has not ended. */
    REVOCATIONS,
    /** Admissions of the last hour, which count towards a rate. */
    ADMISSIONS,
    /** Tickets of lobbies with a draw. */
    LOBBY_TICKETS,
    /** The places of users with one place each. */
    USER_PLACES;

    /** The kinds that belong to rooms, which a store of rooms keeps too. */
    public static final Set<CopyKind> OF_ROOMS = Set.of(ROOMS, USED_PLACES, PASSES, REVOCATIONS, ADMISSIONS,
            LOBBY_TICKETS, USER_PLACES);

    /** The name for people, such as {@code dedupe keys}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
