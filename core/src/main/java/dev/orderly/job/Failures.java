package dev.orderly.job;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** What is kept of an exception, even of one that throws when it is asked for its message. */
final class Failures {
    private Failures() {}

    static Failure of(Throwable thrown) {
        String message = messageOf(thrown);
        String type = thrown.getClass().getSimpleName();
        boolean own = thrown instanceof Unprocessable || thrown instanceof RetryLater;
        return new Failure(own && message != null ? message : message == null ? type : type + ": " + message,
                stackOf(thrown));
    }

    static @Nullable String messageOf(Throwable thrown) {
        try {
            return thrown.getMessage();
        } catch (Throwable e) { // a message made when asked for may fail in any way
            return "(no message: getMessage() threw " + e.getClass().getName() + ")";
        }
    }

    static String stackOf(Throwable thrown) {
        StringWriter text = new StringWriter();
        try {
            thrown.printStackTrace(new PrintWriter(text));
        } catch (Throwable e) { // it asks for messages too
            text.append(thrown.getClass().getName());
            for (StackTraceElement frame : thrown.getStackTrace()) {
                text.append("\n\tat ").append(frame.toString());
            }
        }
        return text.toString();
    }
}
