package dev.orderly.web.problem;

import dev.orderly.flow.FatalErrors;
import dev.orderly.flow.LogLimit;
import dev.orderly.job.PushRefusedException;
import dev.orderly.operate.OperationRefusedException;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single translation of exceptions into problems. The client gets nothing internal; the log tells operators what
 * they must know, at most one line a second for each kind of failure, since clients keep asking while the store is out
 * of reach. Thread-safe.
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

    /** The answer for an exception. */
    public Problem problem(Throwable thrown) {
        return switch (thrown) {
            case ProblemException refusal -> refusal.problem();
            case OperationRefusedException refused ->
                new Problem(ProblemType.of(refused.reason()), refused.getMessage(), Map.of(), refused.members());
            case PushRefusedException refused -> Problems.ofPush(refused, String.valueOf(refused.getMessage()));
            case StoreException store -> ofStore(store);
            default -> {
                FatalErrors.report("a request", thrown);
                unexpected.error("A request failed", thrown);
                yield new Problem(ProblemType.INTERNAL,
                        "The request failed; the reason is in the log of this server. Whether it was done is not"
                                + " known: repeat it only with an Idempotency-Key or a dedupe id.");
            }
        };
    }

    private Problem ofStore(StoreException thrown) {
        return switch (thrown) {
            case StoreException.Unavailable e -> {
                unavailable.warn("A request was answered 503, since the store is not available: {}", e.getMessage());
                yield Problems.retry(new Problem(ProblemType.UNAVAILABLE,
                        "The store is not available. Nothing was done: repeat the request unchanged."),
                        Problems.STORE_RETRY);
            }
            case StoreException.OutcomeUnknown e -> {
                unknown.warn("A request was answered 503, since the store's answer was lost: {}", e.getMessage());
                yield Problems.retry(new Problem(ProblemType.OUTCOME_UNKNOWN,
                        "The store's answer was lost: the request may or may not have been done. Repeat it with the"
                                + " same Idempotency-Key (or dedupe id); without one it may be done twice."),
                        Problems.STORE_RETRY);
            }
            case StoreException.Unusable e -> {
                unusable.error("The store cannot be used", e);
                yield new Problem(ProblemType.INTERNAL,
                        "The stored data does not fit this version; the reason is in the log of this server.");
            }
        };
    }
}
