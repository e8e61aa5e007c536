package dev.orderly.trace;

import dev.orderly.Internal;
import dev.orderly.text.VisibleText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Names and values that every log line of this thread carries until the context is closed, on the same thread: SLF4J's
 * MDC. Holds ids only, never payloads or tokens; an id is {@linkplain VisibleText visible}, since outsiders choose
 * some.
 */
@Internal(to = "dev.orderly")
public final class LogContext implements AutoCloseable {
    private final List<String> names = new ArrayList<>(5);

    private LogContext() {}

    /** The context of an attempt of a job. */
    public static LogContext ofJob(String queue, String job, @Nullable String group, @Nullable String user) {
        Objects.requireNonNull(job, "job");
        return ofQueue(queue).with("job", job).with("group", group).with("user", user);
    }

    /** The context of work for several jobs of a queue. */
    public static LogContext ofQueue(String queue) {
        return new LogContext().with("queue", Objects.requireNonNull(queue, "queue"));
    }

    /** The context of work for a room; null for none. */
    public static LogContext ofRoom(@Nullable String room) {
        return new LogContext().with("room", room);
    }

    /** Adds the id of the trace, if there is one. */
    public LogContext with(@Nullable TraceContext trace) {
        return with("trace", trace == null ? null : trace.traceId());
    }

    private LogContext with(String name, @Nullable String value) {
        if (value != null) {
            MDC.put(name, VisibleText.of(value));
            names.add(name);
        }
        return this;
    }

    @Override
    public void close() {
        names.forEach(MDC::remove);
    }
}
