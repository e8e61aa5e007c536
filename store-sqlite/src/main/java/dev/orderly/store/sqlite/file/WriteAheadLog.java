package dev.orderly.store.sqlite.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of the database (SQLite's WAL) as a file: room behind its end, and its frames written once more. SQLite takes
 * no lock on this file, so closing it releases none. The writer owns it, and changes it only while it has SQLite's lock
 * for writing: behind the end another program could append a commit.
 *
 * @see <a href="https://www.sqlite.org/fileformat2.html#walformat">The format of the log</a>
 */
public final class WriteAheadLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WriteAheadLog.class);

    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;
    private static final int PAGE_SIZE_AT = 8;
    private static final int SALT_AT = 16;
    private static final int FRAME_SALT_AT = 8;
    private static final int FRAME_CHECKSUM_AT = 16;
    /** With its last bit, which names the byte order of checksums. */
    private static final int MAGIC = 0x377F0682;
    private static final int PAGE = 4_096;

    /** The size from which a checkpoint begins the log anew: 4,000 frames. SQLite cuts a longer log to it. */
    public static final long SIZE = HEADER + 4_000L * (FRAME_HEADER + PAGE);

    private static final int FILL_MIN = 64 << 10;
    private static final int FILL_STEP_MAX = 4 << 20;

    private final FileChannel file;
    /** The end of the zeros written ahead. */
    private long filled;

    WriteAheadLog(FileChannel file) {
        this.file = file;
    }

    FileChannel file() {
        return file;
    }

    /**
     * Enlarges the log by zeros once SQLite has written up to its end: the sync of a commit then need not make a new
     * size of the file durable, which takes as long again. A reader of the log stops at a frame that is zero.
     */
    void fillAhead() throws IOException {
        long size = file.size();
        if (size <= filled || size >= SIZE) {
            return;
        }
        long step = Math.min(Math.max(size, FILL_MIN), Math.min(FILL_STEP_MAX, SIZE - size));
        filled = size + step;
        try {
            write(ByteBuffer.allocate((int) step), size);
        } catch (IOException e) {
            LOG.debug("The log is not enlarged ahead: {}", e.getMessage());
        }
    }

    /**
     * Writes the first frames of the log once more, as they are read now, so that a sync that succeeds afterwards makes
     * them durable. A page of the log that a failed sync did not write counts as written for the system, and no later
     * sync would write it.
     *
     * @return how many frames are whole, counted from the first: their checksums are a chain, as in a recovery
     */
    int rewrite(int frames) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(HEADER);
        if (!isRead(head, 0) || (head.getInt(0) & ~1) != MAGIC) {
            return 0;
        }
        Checksum sum = new Checksum((head.getInt(0) & 1) == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        sum.add(head, 0, FRAME_HEADER);
        if (!sum.isAt(head, FRAME_HEADER)) {
            return 0;
        }
        write(head, 0);
        ByteBuffer frame = ByteBuffer.allocate(FRAME_HEADER + head.getInt(PAGE_SIZE_AT));
        int whole = 0;
        for (int number = 0; number < frames; number++) {
            long at = HEADER + (long) number * frame.capacity();
            if (!isRead(frame, at)) {
                break;
            }
            sum.add(frame, 0, FRAME_SALT_AT);
            sum.add(frame, FRAME_HEADER, frame.capacity());
            if (whole == number && frame.getLong(FRAME_SALT_AT) == head.getLong(SALT_AT)
                    && sum.isAt(frame, FRAME_CHECKSUM_AT)) {
                whole++;
            }
            write(frame, at);
        }
        return whole;
    }

    private boolean isRead(ByteBuffer into, long at) throws IOException {
        into.clear();
        while (into.hasRemaining()) {
            if (file.read(into, at + into.position()) < 0) {
                return false;
            }
        }
        return true;
    }

    private void write(ByteBuffer from, long at) throws IOException {
        from.rewind();
        while (from.hasRemaining()) {
            file.write(from, at + from.position());
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** SQLite's checksum of the log, over all that was added. */
    private static final class Checksum {
        private final ByteOrder order;
        private int first;
        private int second;

        Checksum(ByteOrder order) {
            this.order = order;
        }

        void add(ByteBuffer bytes, int from, int to) {
            ByteBuffer words = bytes.duplicate().order(order);
            for (int at = from; at < to; at += 2 * Integer.BYTES) {
                first += words.getInt(at) + second;
                second += words.getInt(at + Integer.BYTES) + first;
            }
        }

        boolean isAt(ByteBuffer bytes, int at) {
            return bytes.getInt(at) == first && bytes.getInt(at + Integer.BYTES) == second;
        }
    }
}
