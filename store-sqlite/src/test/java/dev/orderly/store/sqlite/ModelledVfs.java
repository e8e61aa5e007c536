package dev.orderly.store.sqlite;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.sqlite.SQLiteConnection;
import org.sqlite.core.NativeDB;

/**
 * A VFS of SQLite (its layer of files) that reports writes, truncations and syncs of databases and logs to a model, and
 * does all else as the system's own VFS. The driver exports no function of SQLite, so the VFS is linked into SQLite's
 * list of them behind the default, which each connection points to.
 *
 * @see <a href="https://www.sqlite.org/c3ref/vfs.html">sqlite3_vfs</a>
 * @see <a href="https://www.sqlite.org/c3ref/io_methods.html">sqlite3_io_methods</a>
 */
@SuppressWarnings("restricted") // functions of SQLite by their addresses
final class ModelledVfs {
    private static final int OK = 0;
    private static final int IOERR = 10;
    private static final int FULL = 13;
    private static final int IOERR_WRITE = 778;
    private static final int IOERR_TRUNCATE = 1_546;
    private static final int IOERR_FSYNC = 1_034;
    private static final int OPEN_MAIN_DB_OR_WAL = 0x100 | 0x80000;

    private static final int VFS_SIZE = 168;
    private static final int VFS_NEXT = 16;
    private static final int VFS_NAME = 24;
    private static final int VFS_OPEN = 40;

    private static final int METHODS_SIZE = 152;
    private static final int WRITE = 24;
    private static final int TRUNCATE = 32;
    private static final int SYNC = 40;

    private static final MemoryLayout POINTER = ValueLayout.ADDRESS;
    private static final FunctionDescriptor OPENING = FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER, POINTER,
            POINTER, ValueLayout.JAVA_INT, POINTER);
    private static final FunctionDescriptor WRITING = FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER, POINTER,
            ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor TRUNCATING = FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER,
            ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor SYNCING = FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER,
            ValueLayout.JAVA_INT);

    /** The model. */
    interface Disk {
        /** An open file. */
        Handle open(String path);
    }

    /** @param code of SQLite, for the caller */
    record Written(int bytes, int code) {
        static Written all(int length) {
            return new Written(length, OK);
        }

        /** A full disk: some bytes are written. */
        static Written full(int bytes) {
            return new Written(bytes, FULL);
        }

        static Written failed(int bytes) {
            return new Written(bytes, IOERR_WRITE);
        }
    }

    /** An open file of the model. */
    interface Handle {
        /** How many of the bytes are written, from the first; the write fails if that is not all. */
        Written write(long at, int length);

        /** False if the truncation fails, and nothing is done. */
        boolean truncate(long size);

        /** False if the sync fails. */
        boolean sync();
    }

    private final Disk disk;
    private final MemorySegment vfs = Arena.global().allocate(VFS_SIZE, Long.BYTES);
    private final Map<Long, Open> open = new ConcurrentHashMap<>();
    private final MethodHandle realOpen;
    /** By the address of the system's table. */
    private final Map<Long, Methods> methods = new ConcurrentHashMap<>();

    private record Open(Handle handle, Methods real) {}

    /** The table of the system's functions for a file, and ours. */
    private record Methods(MemorySegment modelled, MethodHandle write, MethodHandle truncate) {}

    ModelledVfs(Disk disk) throws SQLException {
        this.disk = disk;
        try (Connection any = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            Field pointer = NativeDB.class.getDeclaredField("pointer");
            pointer.setAccessible(true);
            long database = pointer.getLong(any.unwrap(SQLiteConnection.class).getDatabase());
            MemorySegment real = MemorySegment.ofAddress(database).reinterpret(Long.BYTES).get(ValueLayout.ADDRESS, 0)
                    .reinterpret(VFS_SIZE);
            realOpen = Linker.nativeLinker().downcallHandle(real.get(ValueLayout.ADDRESS, VFS_OPEN), OPENING);
            vfs.copyFrom(real);
            vfs.set(ValueLayout.ADDRESS, VFS_NAME, Arena.global().allocateFrom(name()));
            vfs.set(ValueLayout.ADDRESS, VFS_OPEN, upcall("open", OPENING));
            real.set(ValueLayout.ADDRESS, VFS_NEXT, vfs);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The layout of SQLite or its driver has changed", e);
        }
    }

    /** The name that a connection's URI has to give. */
    String name() {
        return "modelled" + vfs.address();
    }

    private MemorySegment upcall(String method, FunctionDescriptor type) {
        try {
            MethodType signature = type.toMethodType();
            return Linker.nativeLinker().upcallStub(MethodHandles.lookup().bind(this, method, signature), type,
                    Arena.global());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("The layout of SQLite or its driver has changed", e);
        }
    }

    @SuppressWarnings("unused") // called by SQLite
    private int open(MemorySegment ignored, MemorySegment name, MemorySegment file, int flags, MemorySegment out) {
        try {
            int result = (int) realOpen.invokeExact(vfs, name, file, flags, out);
            if (result == OK && (flags & OPEN_MAIN_DB_OR_WAL) != 0) {
                MemorySegment start = file.reinterpret(Long.BYTES);
                Methods real = methods(start.get(ValueLayout.ADDRESS, 0));
                start.set(ValueLayout.ADDRESS, 0, real.modelled);
                Handle handle = disk.open(name.reinterpret(Integer.MAX_VALUE).getString(0));
                open.put(file.address(), new Open(handle, real));
            }
            return result;
        } catch (Throwable e) {
            return failed(e);
        }
    }

    /** The tables of a database and of a log differ, in what they lock. */
    private Methods methods(MemorySegment real) {
        return methods.computeIfAbsent(real.address(), _ -> {
            MemorySegment table = real.reinterpret(METHODS_SIZE);
            MemorySegment modelled = Arena.global().allocate(METHODS_SIZE, Long.BYTES).copyFrom(table);
            modelled.set(ValueLayout.ADDRESS, WRITE, upcall("write", WRITING));
            modelled.set(ValueLayout.ADDRESS, TRUNCATE, upcall("truncate", TRUNCATING));
            modelled.set(ValueLayout.ADDRESS, SYNC, upcall("sync", SYNCING));
            Linker linker = Linker.nativeLinker();
            return new Methods(modelled, linker.downcallHandle(table.get(ValueLayout.ADDRESS, WRITE), WRITING),
                    linker.downcallHandle(table.get(ValueLayout.ADDRESS, TRUNCATE), TRUNCATING));
        });
    }

    @SuppressWarnings("unused") // called by SQLite
    private int write(MemorySegment file, MemorySegment bytes, int length, long at) {
        try {
            Open known = open(file);
            Written written = known.handle.write(at, length);
            int result = written.bytes == 0 ? OK : (int) known.real.write.invokeExact(file, bytes, written.bytes, at);
            return result == OK ? written.code : result;
        } catch (Throwable e) {
            return failed(e);
        }
    }

    @SuppressWarnings("unused") // called by SQLite
    private int truncate(MemorySegment file, long size) {
        try {
            Open known = open(file);
            return known.handle.truncate(size) ? (int) known.real.truncate.invokeExact(file, size) : IOERR_TRUNCATE;
        } catch (Throwable e) {
            return failed(e);
        }
    }

    @SuppressWarnings("unused") // called by SQLite
    private int sync(MemorySegment file, int flags) {
        try {
            return open(file).handle.sync() ? OK : IOERR_FSYNC;
        } catch (Throwable e) {
            return failed(e);
        }
    }

    private Open open(MemorySegment file) {
        return Objects.requireNonNull(open.get(file.address()), "a file that was opened here");
    }

    /** An exception must not leave a function that SQLite has called. */
    private static int failed(Throwable e) {
        e.printStackTrace();
        return IOERR;
    }
}
