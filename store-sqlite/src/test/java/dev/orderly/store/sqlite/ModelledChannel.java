package dev.orderly.store.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** The channel of a log whose writes and syncs are a model's. */
final class ModelledChannel extends FileChannel {
    private final FileChannel real;
    private final ModelledVfs.Handle handle;

    ModelledChannel(FileChannel real, ModelledVfs.Handle handle) {
        this.real = real;
        this.handle = handle;
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
        return real.read(into, at);
    }

    @Override
    public int write(ByteBuffer from, long at) throws IOException {
        int length = from.remaining();
        int bytes = handle.write(at, length).bytes();
        int written = real.write(from.slice(from.position(), bytes), at);
        from.position(from.position() + written);
        if (bytes < length) {
            throw new IOException("No space left on device, or an input/output error, by the test");
        }
        return written;
    }

    @Override
    public long size() throws IOException {
        return real.size();
    }

    @Override
    public void force(boolean metaData) throws IOException {
        if (!handle.sync()) {
            throw new IOException("Input/output error by the test");
        }
    }

    @Override
    protected void implCloseChannel() throws IOException {
        real.close();
    }

    @Override
    public int read(ByteBuffer into) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer from) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long position() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel position(long position) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileChannel truncate(long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) {
        throw new UnsupportedOperationException();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) {
        throw new UnsupportedOperationException();
    }
}
