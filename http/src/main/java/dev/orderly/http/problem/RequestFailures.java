package dev.orderly.http.problem;

import dev.orderly.flow.FatalErrors;
import dev.orderly.flow.LogLimit;
import dev.orderly.job.PushRefused;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place where what a request ended with becomes a problem. The client hears nothing internal; the log says what an
 * operator must see, in one line a second of each kind, since clients go on asking while the store is away. Thread-safe.
 */
public final class RequestFailures {
    private static final Logger LOG = LoggerFactory.getLogger(RequestFailures.class);

    private final LogLimit unavailable;
    private final LogLimit unknown;
    private final LogLimit unusable;
    private final LogLimit unexpected;

    public RequestFailures(Time time) {
        unavailable = new LogLimit(LOG, time);
        unknown = new LogLimit(LOG, time);
        unusable = new LogLimit(LOG, time);
        unexpected = new LogLimit(LOG, time);
    }

    /** What to answer when this was thrown. */
    public Problem problem(Throwable thrown) {
        return switch (thrown) {
            case Refusal refusal -> refusal.problem();
            case PushRefused refused -> Problems.ofPush(refused, String.valueOf(refused.getMessage()));
            case StoreException store -> ofStore(store);
            default -> {
                FatalErrors.report("a request", thrown);
                unexpected.error("A request failed", thrown);
                yield new Problem(ProblemType.INTERNAL,
                        "The request failed for a reason that is in the log of this server. Whether it was done is not"
                                + " known: repeat it with an Idempotency-Key or a dedupe id only.");
            }
        };
    }

    private Problem ofStore(StoreException thrown) {
        return switch (thrown) {
            case StoreException.Unavailable e -> {
                unavailable.warn("A request was answered 503, since the store is not available: {}", e.getMessage());
                yield Problems.retry(new Problem(ProblemType.UNAVAILABLE,
                        "The store is not available. Nothing was done: try again as it is."), Problems.STORE_RETRY);
            }
            case StoreException.OutcomeUnknown e -> {
                unknown.warn("A request was answered 503, since the store's answer was lost: {}", e.getMessage());
                yield Problems.retry(new Problem(ProblemType.OUTCOME_UNKNOWN,
                        "The store's answer was lost: it may or may not have been done. Repeat the request with the same"
                                + " Idempotency-Key (or dedupe id); without one it may be done twice."),
                        Problems.STORE_RETRY);
            }
            case StoreException.Unusable e -> {
                unusable.error("The store cannot be used", e);
                yield new Problem(ProblemType.INTERNAL,
                        "The store holds what this version cannot work with; the reason is in the log of this server.");
            }
        };
    }
}
