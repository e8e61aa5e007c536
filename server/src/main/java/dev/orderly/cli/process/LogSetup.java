package dev.orderly.cli.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import dev.orderly.config.LogFormat;
import dev.orderly.job.JobId;
import org.slf4j.LoggerFactory;

/** Logging of the process: to standard error, so that standard output holds only a command's answer. */
public final class LogSetup {
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %-24logger{0} %msg"
            + "%replace( [%mdc]){' \\[\\]', ''}%n";

    private LogSetup() {}

    /** Logging of commands: warnings, or with {@code verbose} more. */
    public static void quiet(boolean verbose) {
        configure(LogFormat.TEXT, verbose ? Level.INFO : Level.WARN, verbose);
    }

    /** Logging of servers. */
    public static void server(LogFormat format, boolean verbose) {
        configure(format, verbose ? Level.DEBUG : Level.INFO, verbose);
    }

    /** Logging of the demo, whose pages show every retry: no retries unless {@code verbose}. */
    public static void demo(boolean verbose) {
        configure(LogFormat.TEXT, verbose ? Level.DEBUG : Level.WARN, verbose);
        if (!verbose) {
            ((Logger) LoggerFactory.getLogger(JobId.class.getPackageName())).setLevel(Level.OFF);
        }
    }

    private static void configure(LogFormat format, Level level, boolean verbose) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(switch (format) {
            case TEXT -> text(context, verbose);
            case JSON -> json(context);
        });
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        context.getLogger("dev.orderly").setLevel(level);
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context, boolean verbose) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(verbose ? PATTERN + "%ex" : PATTERN + "%ex{8}");
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context) {
        JsonEncoder encoder = new JsonEncoder();
        encoder.setContext(context);
        encoder.setWithContext(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithSequenceNumber(false);
        encoder.setWithMessage(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        return encoder;
    }
}
