package dev.orderly.testkit.weather;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** The warnings and errors of a logger and its children, or also other lines, until closed. Needs Logback. */
public final class LogLines implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender;

    private LogLines(Logger logger, Level least) {
        this.logger = logger;
        this.appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getLevel().isGreaterOrEqual(least)) {
                    events.add(event);
                }
            }
        };
        appender.start();
        logger.addAppender(appender);
    }

    /** Starts recording warnings and errors. */
    public static LogLines of(String logger) {
        return of(logger, Level.WARN);
    }

    /** Starts recording lines of a level and above, as far as the logger writes them. */
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
    }
}
