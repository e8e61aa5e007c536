package dev.orderly.http.problem;

import dev.orderly.flow.Quota;

/** The answers to work beyond a limit. Each names the limit, so that a client knows what to wait for. */
public final class LimitProblems {
    private static final String SOON = "2";

    private LimitProblems() {}

    /**
     * The answer to a client that did not get its share of a quota.
     *
     * @param taken not {@link Quota.Taken#TAKEN}
     * @param what the quota is of, in the plural
     */
    public static Problem of(Quota.Taken taken, Quota.Limit limit, String what) {
        return taken == Quota.Taken.HOLDER_FULL ? ofAddress(limit, what) : ofAll(limit, what);
    }

    /** As many as one address may hold are held: 429. */
    public static Problem ofAddress(Quota.Limit limit, String what) {
        return soon(new Problem(ProblemType.ADDRESS_LIMIT, "Your address has " + limit.each() + " " + what
                + ", as many as one address may have. Nothing was done: let some end and try again."));
    }

    /** As many as there may be are held: 503. */
    public static Problem ofAll(Quota.Limit limit, String what) {
        return soon(new Problem(ProblemType.UNAVAILABLE, "There are " + limit.total() + " "
                + what + ", as many as this server takes. Nothing was done: try again."));
    }

    private static Problem soon(Problem problem) {
        return problem.withHeader(Problems.RETRY_AFTER, SOON);
    }
}
