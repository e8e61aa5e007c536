package dev.orderly.server.log;

import ch.qos.logback.core.ContextBase;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.helper.ArchiveRemover;
import ch.qos.logback.core.rolling.helper.CompressionStrategy;
import ch.qos.logback.core.rolling.helper.Compressor;
import ch.qos.logback.core.status.ErrorStatus;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.util.FileSize;
import dev.orderly.web.room.log.LineSink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of lines, rotated at midnight of the machine's zone and when it has reached a size: {@code NAME.DATE.N.gz}
 * beside it. Files older than a number of days are deleted, and the oldest ones beyond a total size. The rolling
 * appender of Logback does all of it.
 */
public final class RollingFile implements LineSink {
    private static final Logger LOG = LoggerFactory.getLogger(RollingFile.class);

    private final Path file;
    private final Limits limits;
    private RollingFileAppender<byte[]> appender;
    private final AtomicReference<@Nullable String> fault = new AtomicReference<>();

    /**
     * How much is kept.
     *
     * @param fileBytes size at which a file is rotated; checked with each write
     * @param days for which rotated files are kept
     * @param totalBytes of all rotated files
     */
    public record Limits(long fileBytes, int days, long totalBytes) {}

    /** @throws IOException if the file cannot be opened; names it */
    public RollingFile(Path file, Limits limits) throws IOException {
        this.file = file;
        this.limits = limits;
        this.appender = open();
    }

    @Override
    public void write(byte[] lines) throws IOException {
        appender.doAppend(lines);
        String failed = fault.getAndSet(null);
        if (failed != null) {
            throw new IOException(file + ": " + failed);
        }
    }

    @Override
    public void reopen() throws IOException {
        appender.stop();
        appender = open();
    }

    @Override
    public void close() {
        appender.stop();
    }

    private RollingFileAppender<byte[]> open() throws IOException {
        ContextBase context = new ContextBase();
        context.getStatusManager().add(this::note);
        RollingFileAppender<byte[]> opened = new RollingFileAppender<>();
        SizeAndTimeBasedRollingPolicy<byte[]> policy = new SizeAndTimeBasedRollingPolicy<>();
        opened.setContext(context);
        opened.setFile(file.toString());
        opened.setEncoder(new Plain());
        policy.setContext(context);
        policy.setParent(opened);
        policy.setFileNamePattern(file.toString().replace("%", "\\%") + ".%d{yyyy-MM-dd}.%i.gz");
        policy.setMaxFileSize(new FileSize(limits.fileBytes()));
        policy.setMaxHistory(limits.days());
        policy.setTotalSizeCap(new FileSize(limits.totalBytes()));
        policy.setCleanHistoryOnStart(true);
        policy.start();
        opened.setRollingPolicy(policy);
        opened.start();
        String failed = fault.getAndSet(null);
        if (failed != null || !opened.isStarted()) {
            throw new IOException("The visitor log " + file + " cannot be opened (" + failed
                    + "): make its folder writable for this user, or name another file in visitor-log.file");
        }
        return opened;
    }

    private void note(Status status) {
        if (status instanceof ErrorStatus) {
            Throwable thrown = status.getThrowable();
            String failed = thrown == null ? status.getMessage() : status.getMessage() + ": " + thrown.getMessage();
            switch (status.getOrigin()) {
                // Lines that were written before: none is lost.
                case CompressionStrategy _,Compressor _,ArchiveRemover _ ->
                    LOG.warn("A rotated file of the visitor log stays as it is: {}", failed);
                case null, default -> fault.set(failed);
            }
        }
    }

    /** The bytes as they are. */
    private static final class Plain extends EncoderBase<byte[]> {
        @Override
        public byte[] headerBytes() {
            return new byte[0];
        }

        @Override
        public byte[] encode(byte[] lines) {
            return lines;
        }

        @Override
        public byte[] footerBytes() {
            return new byte[0];
        }
    }
}
