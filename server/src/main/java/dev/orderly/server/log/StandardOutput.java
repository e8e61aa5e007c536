package dev.orderly.server.log;

import dev.orderly.web.room.log.LineSink;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** Standard output, for systems that collect it, such as containers. */
final class StandardOutput implements LineSink {
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
