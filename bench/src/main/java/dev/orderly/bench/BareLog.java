package dev.orderly.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The reference: the best that this disk and these cores can do. Records are appended to a file whose space is filled
 * with zeros in advance, with one write and one sync for all records that arrived meanwhile. It does not index, claim
 * or clean up.
 */
final class BareLog implements AutoCloseable {
    private static final int AHEAD = 64 << 20;
    private static final int GROUP_MAX = 4_096;

    private final FileChannel file;
    private final BlockingQueue<Append> mailbox = new ArrayBlockingQueue<>(65_536);
    private final Thread writer;
    private volatile boolean closing;
    private long end;
    private long filled;

    private static final class Append {
        final byte[] record;
        final Thread caller = Thread.currentThread();
        volatile boolean durable;

        Append(byte[] record) {
            this.record = record;
        }
    }

    BareLog(Path path) throws IOException {
        this.file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.writer = Thread.ofPlatform().name("bare-log").start(this::run);
    }

    /** Returns when the record is on the disk. */
    void append(byte[] record) throws InterruptedException {
        Append append = new Append(record);
        mailbox.put(append);
        while (!append.durable) {
            LockSupport.park(append);
        }
    }

    private void run() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(4 << 20);
        List<Append> group = new ArrayList<>();
        try {
            while (!closing) {
                Append first = mailbox.poll(100, TimeUnit.MILLISECONDS);
                if (first != null) {
                    group.add(first);
                    mailbox.drainTo(group, GROUP_MAX - 1);
                    write(group, buffer);
                    for (Append append : group) {
                        append.durable = true;
                        LockSupport.unpark(append.caller);
                    }
                    group.clear();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(List<Append> group, ByteBuffer buffer) throws IOException {
        buffer.clear();
        for (Append append : group) {
            buffer.putInt(append.record.length).put(append.record);
        }
        buffer.flip();
        if (end + buffer.remaining() > filled) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(AHEAD);
            file.write(zeros, filled);
            filled += AHEAD;
        }
        end += file.write(buffer, end);
        file.force(false);
    }

    @Override
    public void close() throws IOException {
        closing = true;
        try {
            writer.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        file.close();
    }
}
