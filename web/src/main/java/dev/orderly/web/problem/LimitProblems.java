package dev.orderly.web.problem;

import dev.orderly.flow.Quota;

/** Answers to requests beyond a limit. Each names the limit, so that a client knows what to reduce. */
public final class LimitProblems {
    private static final String SOON = "2";

    private LimitProblems() {}

    /**
     * The answer to a client that got nothing from a quota.
     *
     * @param taken not {@link Quota.Taken#TAKEN}
     * @param what the items of the quota, in the plural
     */
    public static Problem of(Quota.Taken taken, Quota.Limit limit, String what) {
        return taken == Quota.Taken.HOLDER_FULL ? ofAddress(limit, what) : ofAll(limit, what);
    }

    /** The limit of one address is reached: 429. */
    public static Problem ofAddress(Quota.Limit limit, String what) {
        return soon(new Problem(ProblemType.ADDRESS_LIMIT, "Your address has " + limit.each() + " " + what
                + ", as many as one address may have. Nothing was done: let some end and try again."));
    }

    /** The limit of the server is reached: 503. */
    public static Problem ofAll(Quota.Limit limit, String what) {
        return soon(new Problem(ProblemType.UNAVAILABLE, "There are " + limit.total() + " "
                + what + ", as many as this server allows. Nothing was done: try again."));
    }

    private static Problem soon(Problem problem) {
        return problem.withHeader(Problems.RETRY_AFTER, SOON);
    }
}
