package dev.orderly.web.problem;

import dev.orderly.job.PushRefusedException;
import java.time.Duration;

/** Problems that several packages use. */
public final class Problems {
    public static final String RETRY_AFTER = "Retry-After";

    static final Duration STORE_RETRY = Duration.ofSeconds(2);

    private Problems() {}

    /** The problem of a line of a push, with the line's number instead of the list index. */
    public static Problem ofLine(PushRefusedException refused) {
        int line = refused.position().orElse(1);
        String message = String.valueOf(refused.getMessage());
        String rule = refused.position().isPresent() ? message.substring(message.indexOf(": ") + 2) : message;
        return ofPush(refused, "Line " + line + ": " + rule).withMember("line", line);
    }

    /** Nothing was done because the server is overloaded. */
    public static Problem overloaded(String what) {
        return retry(new Problem(ProblemType.UNAVAILABLE, what + " Nothing was done: try again."),
                Duration.ofSeconds(1));
    }

    /** No answer came in time. */
    public static Problem unanswered(Duration waited) {
        return retry(new Problem(ProblemType.OUTCOME_UNKNOWN, "There was no answer within " + waited.toSeconds()
                + " s. Whether the request was done is not known: repeat it with the same Idempotency-Key or dedupe id,"
                + " or check its effect first."), STORE_RETRY);
    }

    static Problem ofPush(PushRefusedException refused, String detail) {
        ProblemType type = switch (refused.reason()) {
            case UNKNOWN_QUEUE -> ProblemType.UNKNOWN_QUEUE;
            case GROUP_MISSING -> ProblemType.GROUP_MISSING;
            case KEY_MISSING -> ProblemType.KEY_MISSING;
            case BATCH -> ProblemType.BATCH_CLOSED;
            case GROUP_FORBIDDEN -> ProblemType.GROUP_FORBIDDEN;
            case ORDER -> ProblemType.ORDER;
            case EMPTY -> ProblemType.EMPTY;
            case TOO_LARGE -> ProblemType.TOO_LARGE;
            case MALFORMED -> ProblemType.MALFORMED;
            case BOUNDS -> ProblemType.BOUNDS;
            case KEY_REUSED -> ProblemType.DEDUPE_REUSED;
            case QUEUE_FULL -> ProblemType.QUEUE_FULL;
        };
        Problem problem = new Problem(type, detail);
        return refused.retryAfter().map(after -> retry(problem, after)).orElse(problem);
    }

    /** The problem with {@code Retry-After}, in whole seconds, 1 or more. */
    public static Problem retry(Problem problem, Duration after) {
        long seconds = Math.max(1, after.plusMillis(999).toSeconds());
        return problem.withHeader(RETRY_AFTER, Long.toString(seconds));
    }
}
