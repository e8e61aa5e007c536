package dev.orderly.http.problem;

/** Thrown where a request breaks a rule: ends the exchange with its problem. Carries no stack, since none is logged. */
public final class Refusal extends RuntimeException {
    private final transient Problem problem;

    public Refusal(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    public Refusal(ProblemType type, String detail) {
        this(new Problem(type, detail));
    }

    public Problem problem() {
        return problem;
    }
}
