package dev.orderly.http.openapi;

import dev.orderly.operate.OperationRefusedException.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The errors that operations answer, each a problem (RFC 9457). */
public enum ErrorAnswer {
    BAD_REQUEST(400, "An unknown or malformed parameter, header or body. The detail names what is accepted."),
    UNAUTHENTICATED(401, "The request has no token, or one that does not count.",
            Parameter.header("WWW-Authenticate", "The challenge, as RFC 6750 defines it.")),
    FORBIDDEN(403, "The role does not allow the operation (members `operation`, `role`, `required`), a worker's token"
            + " is for other queues (`queue`), a change in a session has no `X-CSRF-Token`, or a page of another site"
            + " sent the request."),
    NOT_FOUND(404, "Unknown queue, job, batch, schedule, node or path."),
    TOO_SLOW(408, "The body was not complete in time."),
    JOB_ENDED(409, "The job has already ended."),
    BATCH_CLOSED(409, "The batch is closed, cancelled or finished, or has another callback."),
    NOT_DELAYED(409, "The job is not delayed."),
    NOT_DEAD(409, "The job is no dead letter."),
    KEY_REUSED(409,
            "The idempotency key, or the dedupe id, stands for another request. A request of several lines stores"
                    + " those whose ids do not."),
    QUEUE_IN_USE(409, "The queue holds jobs that have not ended or are dead letters, or live nodes declare it; `detail`"
            + " names what stands in the way."),
    OPENING_CHANGED(409, "The openings or the draw of the room changed meanwhile, or the opening has begun."),
    SCHEDULE_DECLARED(409, "A live node declares the schedule; `detail` names it."),
    RUN_UNDER_WAY(409, "A run of the schedule has not ended; `job` is its id."),
    ATTEMPT_OVER(409, "The attempt is over: its lease ended, it was reported before, or the job was cancelled. Stop"
            + " its work."),
    NOT_PULLED(409, "The jobs of this queue are worked by a handler, not pulled."),
    TOKEN_CONFLICT(409, "A token of this name exists, or there are too many tokens."),
    BULK_REFUSED(409, "As many operations as may run together run on this node, or it stops."),
    BACKUP_REFUSED(409, "Another backup is being written."),
    EVENT_GONE(410, "The job has ended, or has gone on without the event, since its wait for it was over."),
    TOO_LARGE(413, "The body is larger than accepted here."),
    UNSUPPORTED_CONTENT(415, "The content type or encoding is not accepted; `Accept-Post` or `Accept-Encoding` names"
            + " what is.", Parameter.header("Accept-Post", ""), Parameter.header("Accept-Encoding", "")),
    MISDIRECTED(421, "The API does not answer to this host."),
    UNPROCESSABLE(422, "Empty or malformed content, or a rule of the queue is broken: group missing or forbidden, delay"
            + " or priority on a FIFO queue, a value out of its bounds. Of several lines, `line` is the number of the"
            + " line. Nothing was stored."),
    CONFIG_INVALID(422, "The configuration is refused; the detail names every problem. Nothing was changed."),
    QUEUE_FULL(429, "The queue has reached its maximum of pending jobs.", retryAfter()),
    TOO_MANY_FAILURES(429, "Too many credentials of one address failed.", retryAfter()),
    INTERNAL(500, "An internal error. The server's log has the reason."),
    UNAVAILABLE(503, "`unavailable`: nothing was stored, try again. `outcome-unknown`: repeat only with the same"
            + " Idempotency-Key or dedupe id.", retryAfter());

    private final int status;
    private final String description;
    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<Parameter> headers;

    ErrorAnswer(int status, String description, Parameter... headers) {
        this.status = status;
        this.description = description;
        this.headers = List.of(headers);
    }

    private static Parameter retryAfter() {
        return new Parameter("Retry-After", "header", false, Integer.class, "minimum: 1", "Seconds.");
    }

    /** The error of a refused operation. */
    static ErrorAnswer of(Reason reason) {
        return switch (reason) {
            case ROLE -> FORBIDDEN;
            case UNKNOWN_TOKEN, UNKNOWN_QUEUE, UNKNOWN_LIMIT, UNKNOWN_ROOM, UNKNOWN_SCHEDULE, UNKNOWN_NODE, UNKNOWN_JOB,
                    UNKNOWN_BATCH, UNKNOWN_OPERATION ->
                NOT_FOUND;
            case TOKEN_EXISTS, TOO_MANY_TOKENS -> TOKEN_CONFLICT;
            case BOUNDS -> UNPROCESSABLE;
            case JOB_ENDED -> JOB_ENDED;
            case BATCH_CLOSED -> BATCH_CLOSED;
            case EVENT_GONE -> EVENT_GONE;
            case NOT_DELAYED -> NOT_DELAYED;
            case NOT_DEAD -> NOT_DEAD;
            case QUEUE_IN_USE -> QUEUE_IN_USE;
            case OPENING_CHANGED -> OPENING_CHANGED;
            case SCHEDULE_DECLARED -> SCHEDULE_DECLARED;
            case RUN_UNDER_WAY -> RUN_UNDER_WAY;
            case BACKUP_REFUSED -> BACKUP_REFUSED;
            case BULK_REFUSED -> BULK_REFUSED;
            case CONFIG_INVALID -> CONFIG_INVALID;
            case STALE -> throw new IllegalArgumentException("The API shows no state before, so that none is stale");
        };
    }

    /** The name among the responses of the document, such as {@code NotFound}. */
    String text() {
        return Arrays.stream(name().split("_", -1))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    int status() {
        return status;
    }

    String description() {
        return description;
    }

    List<Parameter> headers() {
        return headers;
    }
}
