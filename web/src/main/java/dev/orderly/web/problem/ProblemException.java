package dev.orderly.web.problem;

/**
 * Ends an exchange whose request breaks a rule, with a problem as its answer. Has no stack trace, since it is not
 * logged.
 */
public final class ProblemException extends RuntimeException {
    private final transient Problem problem;

    public ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    public ProblemException(ProblemType type, String detail) {
        this(new Problem(type, detail));
    }

    public Problem problem() {
        return problem;
    }
}
