package dev.orderly.web.room.log;

import dev.orderly.Internal;
import java.io.IOException;

/** The place to which lines of a log are written. Used by one thread. */
@Internal(to = "dev.orderly")
public interface LineSink extends AutoCloseable {
    /**
     * Writes whole lines. Blocks.
     *
     * @param lines UTF-8, each with its line end
     */
    void write(byte[] lines) throws IOException;

    /** Opens the file anew, which another program has renamed; nothing without a file. */
    void reopen() throws IOException;

    @Override
    void close();
}
