package dev.orderly.cli.process;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.pattern.CompositeConverter;
import dev.orderly.config.LogFormat;
import dev.orderly.job.JobId;
import dev.orderly.text.VisibleText;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Logging of the process: to standard error, so that standard output holds only a command's answer. Lines are
 * {@linkplain VisibleText visible}, whatever a logged value holds: none commands a terminal or forges a further line.
 */
public final class LogSetup {
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %-24logger{0} %visible(%msg"
            + "%replace( [%mdc]){' \\[\\]', ''}){}%n"; // without options, what follows a bracket is no conversion

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
        appender.setEncoder(encoder(context, format, verbose));
        appender.start();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(appender);
        context.getLogger("dev.orderly").setLevel(level);
    }

    /** What makes lines of events. */
    static Encoder<ILoggingEvent> encoder(LoggerContext context, LogFormat format, boolean verbose) {
        return switch (format) {
            case TEXT -> text(context, verbose);
            case JSON -> json(context);
        };
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context, boolean verbose) {
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(context);
        PatternLayout layout = new PatternLayout();
        layout.getInstanceConverterMap().put("visible", VisibleLine::new);
        layout.getInstanceConverterMap().put("stack", VisibleStack::new);
        layout.setContext(context);
        layout.setPattern(verbose ? PATTERN + "%stack" : PATTERN + "%stack{8}");
        layout.start();
        encoder.setLayout(layout);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context) {
        JsonEncoder encoder = new VisibleJson();
        encoder.setContext(context);
        encoder.setWithContext(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithSequenceNumber(false);
        encoder.setWithMessage(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        return encoder;
    }

    /** The lines of an exception; its message is part of the first. */
    private static final class VisibleStack extends ThrowableProxyConverter {
        @Override
        protected String throwableProxyToString(IThrowableProxy thrown) {
            return super.throwableProxyToString(new VisibleThrowable(thrown));
        }
    }

    /** The part of a line between brackets. */
    private static final class VisibleLine extends CompositeConverter<ILoggingEvent> {
        @Override
        protected String transform(ILoggingEvent event, String text) {
            return VisibleText.of(text);
        }
    }

    /** The JSON of an event, with the escapes that JSON allows besides those that it requires. */
    private static final class VisibleJson extends JsonEncoder {
        @Override
        public byte[] encode(ILoggingEvent event) {
            return VisibleText.lines(new String(super.encode(event), StandardCharsets.UTF_8))
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    /** An exception, its causes and what it suppressed, with visible messages. */
    private record VisibleThrowable(IThrowableProxy thrown) implements IThrowableProxy {
        @Override
        public @Nullable String getMessage() {
            return visible(thrown.getMessage());
        }

        @Override
        public @Nullable String getOverridingMessage() {
            return visible(thrown.getOverridingMessage());
        }

        private static @Nullable String visible(@Nullable String text) {
            return text == null ? null : VisibleText.of(text);
        }

        @Override
        public String getClassName() {
            return thrown.getClassName();
        }

        @Override
        public StackTraceElementProxy[] getStackTraceElementProxyArray() {
            return thrown.getStackTraceElementProxyArray();
        }

        @Override
        public int getCommonFrames() {
            return thrown.getCommonFrames();
        }

        @Override
        public @Nullable IThrowableProxy getCause() {
            return thrown.getCause() == null ? null : new VisibleThrowable(thrown.getCause());
        }

        @Override
        public IThrowableProxy @Nullable [] getSuppressed() {
            IThrowableProxy[] suppressed = thrown.getSuppressed();
            return suppressed == null
                    ? null
                    : Stream.of(suppressed).map(VisibleThrowable::new).toArray(IThrowableProxy[]::new);
        }

        @Override
        public boolean isCyclic() {
            return thrown.isCyclic();
        }
    }
}
