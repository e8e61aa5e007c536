package dev.orderly.job;

import java.util.Objects;

/**
 * A failure that another program reported, such as the receiver of a webhook. As an exception of a handler, or as the
 * cause of one, its detail is kept with the job in place of a stack trace.
 */
public final class ReportedFailureException extends Exception {
    private static final long serialVersionUID = 1;

    private final String detail;

    /**
     * @param message one line; kept as the summary of the failure, unless another exception has this one as its cause
     * @param detail the words of the other program; may be empty
     */
    public ReportedFailureException(String message, String detail) {
        super(Objects.requireNonNull(message, "message"), null, false, false);
        this.detail = Objects.requireNonNull(detail, "detail");
    }

    public String detail() {
        return detail;
    }
}
