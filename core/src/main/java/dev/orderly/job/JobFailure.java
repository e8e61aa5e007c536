package dev.orderly.job;

import dev.orderly.text.StoredText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The cause of a failed attempt, as kept with the job: cut to its bounds, and repaired by the rule of
 * {@link StoredText}.
 *
 * @param summary one line, at most {@value #SUMMARY_MAX} characters
 * @param detail stack trace or response, at most {@value #DETAIL_MAX} characters; may be empty
 */
public record JobFailure(String summary, String detail) {
    public static final int SUMMARY_MAX = 500;
    public static final int DETAIL_MAX = 8_000;

    public JobFailure {
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(summary, "summary");
        summary = StoredText.repaired(summary, SUMMARY_MAX);
        detail = StoredText.repaired(detail, DETAIL_MAX);
    }

    /**
     * The failure of an attempt that ended with an exception; the detail of a {@link ReportedFailureException} is its
     * own.
     */
    public static JobFailure of(Throwable thrown) {
        String message = messageOf(thrown);
        String type = thrown.getClass().getSimpleName();
        boolean own = steers(thrown) || thrown instanceof ReportedFailureException;
        return new JobFailure(own && message != null ? message : message == null ? type : type + ": " + message,
                detailOf(thrown));
    }

    private static String detailOf(Throwable thrown) {
        if (thrown instanceof ReportedFailureException reported) {
            return reported.detail();
        }
        return steers(thrown) && thrown.getCause() instanceof ReportedFailureException reported
                ? reported.detail()
                : stackOf(thrown);
    }

    private static boolean steers(Throwable thrown) {
        return thrown instanceof Unprocessable || thrown instanceof RetryLater || thrown instanceof Throttled;
    }

    /** The message of an exception, even if its {@code getMessage} throws. */
    public static @Nullable String messageOf(Throwable thrown) {
        Objects.requireNonNull(thrown, "thrown");
        try {
            return thrown.getMessage();
        } catch (Throwable e) { // getMessage() may be overridden and fail in any way
            return "(no message: getMessage() threw " + e.getClass().getName() + ")";
        }
    }

    /** The stack trace of an exception, even if its {@code getMessage} throws. */
    public static String stackOf(Throwable thrown) {
        StringWriter text = new StringWriter();
        try {
            thrown.printStackTrace(new PrintWriter(text));
        } catch (Throwable e) { // printStackTrace() calls getMessage() too
            text.append(thrown.getClass().getName());
            for (StackTraceElement frame : thrown.getStackTrace()) {
                text.append("\n\tat ").append(frame.toString());
            }
        }
        return text.toString();
    }
}
