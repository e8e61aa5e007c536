package dev.orderly.web.problem;

import dev.orderly.operate.OperationRefusedException.Reason;
import java.util.Locale;

/** The types of errors in answers. The slug is stable and ends the {@code type} URN, for programs to match. */
public enum ProblemType {
    BAD_REQUEST(400, "bad-request", "The request is not well-formed"),
    UNAUTHENTICATED(401, "unauthenticated", "The request is not authenticated"),
    FORBIDDEN(403, "forbidden", "The request may not come from there"),
    INVITATION_REFUSED(403, "invitation-refused", "The invitation gives no place"),
    PLACE_REFUSED(403, "place-refused", "The check of the room gives no place"),
    ROLE(Reason.ROLE),
    CSRF(403, "csrf", "The request does not prove that it comes from this site"),
    UNKNOWN_TOKEN(Reason.UNKNOWN_TOKEN),
    ATTEMPT_TOKEN(403, "attempt-token", "The attempt token is not valid"),
    UNKNOWN_PATH(404, "unknown-path", "There is nothing at this path"),
    UNKNOWN_QUEUE(Reason.UNKNOWN_QUEUE),
    UNKNOWN_ROOM(Reason.UNKNOWN_ROOM),
    UNKNOWN_LIMIT(Reason.UNKNOWN_LIMIT),
    UNKNOWN_SCHEDULE(Reason.UNKNOWN_SCHEDULE),
    UNKNOWN_NODE(Reason.UNKNOWN_NODE),
    UNKNOWN_JOB(Reason.UNKNOWN_JOB),
    UNKNOWN_BATCH(Reason.UNKNOWN_BATCH),
    UNKNOWN_OPERATION(Reason.UNKNOWN_OPERATION),
    NO_TICKET(404, "no-ticket", "There is no ticket"),
    METHOD_NOT_ALLOWED(405, "method-not-allowed", "The path does not accept this method"),
    TOO_SLOW(408, "too-slow", "The body did not come in time"),
    STALE(Reason.STALE),
    JOB_ENDED(Reason.JOB_ENDED),
    BATCH_CLOSED(Reason.BATCH_CLOSED),
    TOKEN_EXISTS(Reason.TOKEN_EXISTS),
    TOO_MANY_TOKENS(Reason.TOO_MANY_TOKENS),
    ATTEMPT_OVER(409, "attempt-over", "The attempt is over"),
    NOT_PULLED(409, "not-pulled", "The queue is not pulled"),
    NOT_DELAYED(Reason.NOT_DELAYED),
    NOT_DEAD(Reason.NOT_DEAD),
    QUEUE_IN_USE(Reason.QUEUE_IN_USE),
    OPENING_CHANGED(Reason.OPENING_CHANGED),
    SCHEDULE_DECLARED(Reason.SCHEDULE_DECLARED),
    RUN_UNDER_WAY(Reason.RUN_UNDER_WAY),
    BACKUP_REFUSED(Reason.BACKUP_REFUSED),
    BULK_REFUSED(Reason.BULK_REFUSED),
    DEDUPE_REUSED(409, "dedupe-id-reused", "The dedupe id stands for another job"),
    KEY_REUSED(409, "idempotency-key-reused", "The idempotency key belongs to another request"),
    TICKET_GONE(410, "ticket-gone", "The ticket is no longer valid"),
    PLACE_MOVED(410, "place-moved", "The place was moved to another device"),
    EVENT_GONE(Reason.EVENT_GONE),
    LINK_GONE(410, "link-gone", "The link is not valid"),
    TOO_LARGE(413, "too-large", "The body is too large"),
    URI_TOO_LONG(414, "uri-too-long", "The request line is too long"),
    UNSUPPORTED_CONTENT(415, "unsupported-content", "The content type is not accepted"),
    EXPECTATION(417, "expectation", "The expectation cannot be met"),
    MISDIRECTED(421, "misdirected", "The host is not served here"),
    EMPTY(422, "empty", "The payload is empty"),
    MALFORMED(422, "malformed", "The content does not match its content type"),
    GROUP_MISSING(422, "group-missing", "The queue needs a group"),
    KEY_MISSING(422, "key-missing", "The queue needs a key"),
    GROUP_FORBIDDEN(422, "group-forbidden", "The queue accepts no group"),
    ORDER(422, "order", "The queue keeps push order"),
    CONFIG_INVALID(Reason.CONFIG_INVALID),
    BOUNDS(Reason.BOUNDS),
    QUEUE_FULL(429, "queue-full", "The queue is full"),
    RATE_LIMIT(429, "rate-limit", "Too many requests of one sender"),
    TOO_MANY_PLACES(429, "too-many-places", "Too many places were taken from this address"),
    PLACE_LATER(429, "place-later", "The room gives a place after a wait"),
    TOO_MANY_CONNECTIONS(429, "too-many-connections", "Too many live connections are open"),
    TOO_MANY_FAILURES(429, "too-many-failures", "Too many credentials of one address failed"),
    ADDRESS_LIMIT(429, "address-limit", "One address uses too much at once"),
    TOO_MANY_STREAMS(429, "too-many-streams", "Too many event streams are open"),
    HEADERS_TOO_LARGE(431, "headers-too-large", "The headers are too large"),
    INTERNAL(500, "internal", "The server failed"),
    WAITING(503, "waiting", "Visitors are in line for this"),
    ROOM_CLOSED(503, "room-closed", "The room admits no visitors"),
    BAD_GATEWAY(502, "bad-gateway", "The site is not answering"),
    NOT_READY(503, "not-ready", "The server is not ready"),
    UNAVAILABLE(503, "unavailable", "Temporarily unavailable, nothing was done"),
    ORIGIN_BUSY(503, "origin-busy", "The site is busy"),
    OUTCOME_UNKNOWN(503, "outcome-unknown", "The outcome of the request is not known"),
    VERSION(505, "version", "The HTTP version is not supported"),
    GATEWAY_TIMEOUT(504, "gateway-timeout", "The site takes too long to answer");

    private final int status;
    private final String slug;
    private final String title;

    ProblemType(int status, String slug, String title) {
        this.status = status;
        this.slug = slug;
        this.title = title;
    }

    /** The type of a refused operation, with its title. */
    ProblemType(Reason reason) {
        this(reason.status(), reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), reason.title());
    }

    /** The type that stands for the reason of a refused operation. */
    static ProblemType of(Reason reason) {
        return valueOf(reason.name());
    }

    public int status() {
        return status;
    }

    public String title() {
        return title;
    }

    /** The {@code type} member. */
    public String uri() {
        return "urn:orderly:problem:" + slug;
    }
}
