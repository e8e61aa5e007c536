package dev.orderly.testkit.weather;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The warnings and errors of a logger and its children, until closed. Needs Logback on the class path. */
public final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                events.add(event);
            }
        }
    };

    private LogLines(Logger logger) {
        this.logger = logger;
        appender.start();
        logger.addAppender(appender);
    }

    /** Starts recording. */
    public static LogLines of(String logger) {
        return new LogLines((Logger) LoggerFactory.getLogger(logger));
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
    }
}
