package dev.orderly.testkit.resilience;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The lines of a logger and its children, until closed: warnings and errors, or also lesser ones. Needs Logback on the
 * class path.
 */
public final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final Level least;
    private final @Nullable Level before;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(least)) {
                events.add(event);
            }
        }
    };

    private LogLines(Logger logger, Level least) {
        this.logger = logger;
        this.least = least;
        before = logger.getLevel();
        if (logger.getEffectiveLevel().isGreaterOrEqual(least)) {
            logger.setLevel(least);
        }
        appender.start();
        logger.addAppender(appender);
    }

    /** Starts recording of warnings and errors. */
    public static LogLines of(String logger) {
        return of(logger, Level.WARN);
    }

    /** Starts recording of lines of this level and above. */
    public static LogLines of(String logger, Level least) {
        return new LogLines((Logger) LoggerFactory.getLogger(logger), least);
    }

    public List<ILoggingEvent> events() {
        return List.copyOf(events);
    }

    /** The formatted lines that contain a text, without stack traces. */
    public List<String> with(String part) {
        return events.stream().map(ILoggingEvent::getFormattedMessage).filter(line -> line.contains(part)).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(before);
    }
}
