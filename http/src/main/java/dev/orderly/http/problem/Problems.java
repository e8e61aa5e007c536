package dev.orderly.http.problem;

import dev.orderly.flow.FatalErrors;
import dev.orderly.job.PushRefused;
import dev.orderly.store.StoreException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one place where a failure becomes a problem. */
public final class Problems {
    public static final String RETRY_AFTER = "Retry-After";

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
    private static final Duration STORE_RETRY = Duration.ofSeconds(2);

    private Problems() {}

    /** What to answer when this was thrown. Logs what an operator must see; tells the client nothing internal. */
    public static Problem of(Throwable thrown) {
        return switch (thrown) {
            case Refusal refusal -> refusal.problem();
            case PushRefused refused -> ofPush(refused, String.valueOf(refused.getMessage()));
            case StoreException store -> ofStore(store);
            default -> {
                FatalErrors.report("a request", thrown);
                LOG.error("A request failed", thrown);
                yield new Problem(ProblemType.INTERNAL,
                        "The request failed for a reason that is in the log of this server. Whether it was done is not"
                                + " known: repeat it with an Idempotency-Key or a dedupe id only.");
            }
        };
    }

    /** A problem that names the line of a batch instead of the place in a list. */
    public static Problem ofBatch(PushRefused refused) {
        int line = refused.place().orElse(1);
        String message = String.valueOf(refused.getMessage());
        String rule = refused.place().isPresent() ? message.substring(message.indexOf(": ") + 2) : message;
        return ofPush(refused, "Line " + line + ": " + rule).withMember("line", line);
    }

    /** Nothing was done because there is too much to do. */
    public static Problem overloaded(String what) {
        return retry(new Problem(ProblemType.UNAVAILABLE, what + " Nothing was done: try again."),
                Duration.ofSeconds(1));
    }

    /** The answer did not come in time. */
    public static Problem unanswered(Duration waited) {
        return retry(new Problem(ProblemType.OUTCOME_UNKNOWN, "There was no answer within " + waited.toSeconds()
                + " s. Whether it was done is not known: repeat it with the same Idempotency-Key or dedupe id, or look"
                + " whether it was done."), STORE_RETRY);
    }

    private static Problem ofPush(PushRefused refused, String detail) {
        ProblemType type = switch (refused.reason()) {
            case UNKNOWN_QUEUE -> ProblemType.UNKNOWN_QUEUE;
            case GROUP_MISSING -> ProblemType.GROUP_MISSING;
            case GROUP_FORBIDDEN -> ProblemType.GROUP_FORBIDDEN;
            case ORDER -> ProblemType.ORDER;
            case EMPTY -> ProblemType.EMPTY;
            case TOO_LARGE -> ProblemType.TOO_LARGE;
            case MALFORMED -> ProblemType.MALFORMED;
            case BOUNDS -> ProblemType.BOUNDS;
            case QUEUE_FULL -> ProblemType.QUEUE_FULL;
        };
        Problem problem = new Problem(type, detail);
        return refused.retryAfter().map(after -> retry(problem, after)).orElse(problem);
    }

    private static Problem ofStore(StoreException thrown) {
        return switch (thrown) {
            case StoreException.Unavailable e -> {
                LOG.warn("A request was answered 503, since the store is not available: {}", e.getMessage());
                yield retry(new Problem(ProblemType.UNAVAILABLE,
                        "The store is not available. Nothing was done: try again as it is."), STORE_RETRY);
            }
            case StoreException.OutcomeUnknown e -> {
                LOG.warn("A request was answered 503, since the store's answer was lost: {}", e.getMessage());
                yield retry(new Problem(ProblemType.OUTCOME_UNKNOWN,
                        "The store's answer was lost: it may or may not have been done. Repeat the request with the same"
                                + " Idempotency-Key (or dedupe id); without one it may be done twice."),
                        STORE_RETRY);
            }
            case StoreException.Unusable e -> {
                LOG.error("The store cannot be used", e);
                yield new Problem(ProblemType.INTERNAL,
                        "The store holds what this version cannot work with; the reason is in the log of this server.");
            }
        };
    }

    private static Problem retry(Problem problem, Duration after) {
        long seconds = Math.max(1, after.plusMillis(999).toSeconds());
        return problem.withHeader(RETRY_AFTER, Long.toString(seconds));
    }
}
