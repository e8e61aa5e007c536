package dev.orderly.store.sqlite.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;

/**
 * The native library of SQLite's driver, unpacked by us where that is certain: on Linux with glibc. The driver's own
 * way takes a fifth of the time of opening a database. It starts a process to tell Android from Linux, follows every
 * mapping of this process to tell musl from glibc, and compares what it has unpacked byte by byte. The file of a
 * process that is killed stays behind, too; ours is deleted as soon as it is loaded.
 *
 * <p>Elsewhere, for a library that {@code org.sqlite.lib.path} or {@code org.sqlite.lib.name} names, and after a
 * failure here, the driver loads it at the first connection, and reports why it cannot.
 */
public final class DriverLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(DriverLibrary.class);
    private static final String PATH = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";
    private static final String TEMPORARY = "org.sqlite.tmpdir";
    private static final Map<String, String> PROCESSORS = Map.of("amd64", "x86_64", "x86_64", "x86_64", "aarch64",
            "aarch64");

    private DriverLibrary() {}

    /** The one attempt of this process: others wait for it. */
    private static final class Attempt {
        static {
            attempt();
        }

        static void await() {}
    }

    /** Loads the library, unless that was tried before. Blocks. */
    public static void load() {
        Attempt.await();
    }

    private static void attempt() {
        try {
            String resource = resource(System.getProperties(), Files.readString(Path.of("/proc/self/maps")));
            if (resource != null) {
                load(resource, Path.of(System.getProperty(TEMPORARY, System.getProperty("java.io.tmpdir"))));
            }
        } catch (Exception | LinkageError e) {
            LOG.debug("The driver of SQLite has to load its library itself", e);
        }
    }

    /**
     * The resource with the library for this process; null if only the driver knows.
     *
     * @param maps the mappings of this process, by which its C library is known
     */
    static @Nullable String resource(Properties system, String maps) {
        String processor = PROCESSORS.get(system.getProperty("os.arch", "").toLowerCase(Locale.ROOT));
        boolean isGlibc = (maps.contains("/libc.so.6") || maps.contains("/libc-2.")) && !maps.contains("musl");
        return processor != null && isGlibc && system.getProperty("os.name", "").equals("Linux")
                && system.getProperty(PATH) == null && system.getProperty(NAME) == null
                        ? "/org/sqlite/native/Linux/" + processor + "/libsqlitejdbc.so"
                        : null;
    }

    /** Unpacks the library below a folder, and has the driver load it from there. */
    private static void load(String resource, Path temporary) throws Exception {
        try (InputStream packed = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (packed == null) {
                return;
            }
            Path folder = Files.createTempDirectory(temporary, "orderly-sqlite-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            try {
                Path library = folder.resolve("libsqlitejdbc.so");
                Files.copy(packed, library);
                // Not executable where the folder is mounted noexec.
                if (library.toFile().setExecutable(true) && Files.isExecutable(library)) {
                    loadFrom(folder);
                }
            } finally {
                delete(folder);
            }
        }
    }

    /** The driver takes places by system properties only, which have their values again when this returns. */
    private static void loadFrom(Path folder) throws Exception {
        String path = System.setProperty(PATH, folder.toString());
        String temporary = System.setProperty(TEMPORARY, folder.toString());
        try {
            SQLiteJDBCLoader.initialize();
        } finally {
            reset(PATH, path);
            reset(TEMPORARY, temporary);
        }
    }

    private static void reset(String key, @Nullable String value) {
        if (value == null) {
            System.clearProperty(key);
        } else {
            System.setProperty(key, value);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
