package dev.orderly.server.log;

import dev.orderly.config.VisitorLogConfig;
import dev.orderly.time.Time;
import dev.orderly.web.room.log.LineSink;
import dev.orderly.web.room.log.LoggedAddress;
import dev.orderly.web.room.log.QueuedVisitorLog;
import dev.orderly.web.room.log.VisitorLog;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The visitor log of a configuration, or none. */
public final class ConfiguredVisitorLog implements AutoCloseable {
    private final @Nullable QueuedVisitorLog log;

    /**
     * Opens its file.
     *
     * @param key hashes addresses
     * @throws UncheckedIOException if the file cannot be opened
     */
    public ConfiguredVisitorLog(VisitorLogConfig config, byte[] key) {
        LoggedAddress addresses = switch (config.addresses()) {
            case WHOLE -> new LoggedAddress.Whole();
            case SHORTENED -> new LoggedAddress.Shortened();
            case HASHED -> new LoggedAddress.Hashed(key);
        };
        log = config.share() <= 0
                ? null
                : new QueuedVisitorLog(sink(config), addresses, Time.system(), config.share(),
                        () -> ThreadLocalRandom.current().nextDouble());
    }

    private static LineSink sink(VisitorLogConfig config) {
        Path file = config.file();
        try {
            return file == null
                    ? new StandardOutput()
                    : new RollingFile(file, new RollingFile.Limits(config.fileBytes(),
                            Math.toIntExact(config.keep().toDays()), config.totalBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    public VisitorLog log() {
        return log == null ? VisitorLog.NONE : log;
    }

    public void start() {
        if (log != null) {
            log.start();
        }
    }

    /** Opens the file anew before the next line. */
    public void reopen() {
        if (log != null) {
            log.reopen();
        }
    }

    /** Writes what is queued. */
    @Override
    public void close() {
        if (log != null) {
            log.close();
        }
    }

    /** Standard output, for systems that collect it, such as containers. */
    private static final class StandardOutput implements LineSink {
        private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

        @Override
        public void write(byte[] lines) throws IOException {
            out.write(lines);
        }

        @Override
        public void reopen() {}

        /** Leaves standard output open: it belongs to the process. */
        @Override
        public void close() {}
    }
}
