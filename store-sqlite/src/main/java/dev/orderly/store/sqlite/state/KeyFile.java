package dev.orderly.store.sqlite.state;

import dev.orderly.file.OwnerOnlyFiles;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;

/**
 * Scratch file for entries of dedupe keys, readable by its owner only. No process finds it after this one: POSIX
 * systems remove its name at once, others when it is closed. It is not synced, since each key is in the row of its job.
 */
final class KeyFile implements AutoCloseable {
    private static final int BUFFER = 2_048 * KeyTable.ENTRY_BYTES;

    /** Sequence numbers of all keys are smaller. */
    final long end;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private long size;

    private KeyFile(long end, FileChannel channel) {
        this.end = end;
        this.channel = channel;
    }

    static KeyFile create(long end, Path path) throws IOException {
        return new KeyFile(end, FileChannel.open(path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.READ,
                        StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE),
                OwnerOnlyFiles.mode(Objects.requireNonNull(path.getParent(), "an absolute path"))));
    }

    /** Appends all entries, or none. */
    void append(long[] entries) throws IOException {
        long at = size;
        for (int done = 0; done < entries.length;) {
            int some = Math.min(BUFFER / Long.BYTES, entries.length - done);
            buffer.clear().limit(some * Long.BYTES);
            buffer.asLongBuffer().put(entries, done, some);
            while (buffer.hasRemaining()) {
                at += channel.write(buffer, at);
            }
            done += some;
        }
        size = at;
    }

    /** Reads as many whole entries between two positions as fit into the buffer. Valid until the next call. */
    ByteBuffer read(long from, long until) throws IOException {
        buffer.clear().limit((int) Math.min(BUFFER, until - from));
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, from + buffer.position()) < 0) {
                throw new EOFException("cut by another program");
            }
        }
        return buffer.flip();
    }

    long size() {
        return size;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
