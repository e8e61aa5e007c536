package dev.orderly.server.log;

import dev.orderly.http.room.log.LineSink;
import java.io.IOException;
import java.io.PrintStream;

/** Standard output, for systems that collect it, such as containers. */
public final class StandardOutput implements LineSink {
    private final PrintStream out;

    public StandardOutput(PrintStream out) {
        this.out = out;
    }

    @Override
    public void write(byte[] lines) throws IOException {
        out.write(lines);
        out.flush();
        if (out.checkError()) {
            throw new IOException("standard output is closed");
        }
    }

    @Override
    public void reopen() {}

    @Override
    public void close() {
        out.flush();
    }
}
