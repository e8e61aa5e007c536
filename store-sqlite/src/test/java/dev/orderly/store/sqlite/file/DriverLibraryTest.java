package dev.orderly.store.sqlite.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteJDBCLoader;

class DriverLibraryTest {
    private static final String GLIBC = "7f00-7f01 r--p 0 fe:00 4711 /usr/lib/x86_64-linux-gnu/libc.so.6\n";
    private static final String MUSL = "7f00-7f01 r--p 0 fe:00 4711 /lib/ld-musl-x86_64.so.1\n";

    @TempDir
    private Path folder;

    private static Properties system(String name, String processor) {
        Properties system = new Properties();
        system.setProperty("os.name", name);
        system.setProperty("os.arch", processor);
        return system;
    }

    private static @Nullable String resource(String name, String processor, String maps) {
        return DriverLibrary.resource(system(name, processor), maps);
    }

    @Test
    void theDriverHasTheLibrariesThatAreLoaded() {
        for (String processor : List.of("amd64", "aarch64")) {
            String resource = resource("Linux", processor, GLIBC);
            assertThat(SQLiteJDBCLoader.class.getResource(String.valueOf(resource))).as(processor).isNotNull();
        }
        assertThat(resource("Linux", "amd64", GLIBC)).isNotEqualTo(resource("Linux", "aarch64", GLIBC));
    }

    @Test
    void whereTheLibraryIsNotCertainTheDriverDecides() {
        assertThat(resource("Linux", "amd64", MUSL)).isNull();
        assertThat(resource("Linux", "amd64", GLIBC + MUSL)).as("glibc by a layer above musl").isNull();
        assertThat(resource("Linux", "amd64", "7f00-7f01 r--p 0 fe:00 4711 /system/lib64/libc.so\n")).isNull();
        assertThat(resource("Linux", "arm", GLIBC)).isNull();
        assertThat(resource("Mac OS X", "aarch64", GLIBC)).isNull();
        for (String key : List.of("org.sqlite.lib.path", "org.sqlite.lib.name")) {
            Properties system = system("Linux", "amd64");
            system.setProperty(key, "/opt/sqlite");
            assertThat(DriverLibrary.resource(system, GLIBC)).as(key).isNull();
        }
    }

    /** A process with a database open. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] arguments) throws IOException {
            try (SqliteStore store = SqliteStore.at(Path.of(arguments[0]));
                    Stream<Path> left = Files.list(Path.of(arguments[1]))) {
                store.checkWritable();
                left.filter(path -> path.getFileName().toString().contains("sqlite")).forEach(System.out::println);
                System.out.println(System.getProperty("org.sqlite.lib.path") + " "
                        + System.getProperty("org.sqlite.tmpdir"));
            }
        }
    }

    private ChildProcess.Ended opened(Path temporary, String... options) {
        List<String> all = new ArrayList<>(ChildProcess.FAST_START);
        all.addAll(List.of(options));
        return ChildProcess.run(ChildProcess.java(all, Opener.class.getName(),
                folder.resolve("orderly.db").toString(), temporary.toString()));
    }

    @Test
    void theLoadedLibraryLeavesNoFileAndNoProperty() throws IOException {
        assumeLinuxWithGlibc();
        ChildProcess.Ended process = opened(folder, "-Djava.io.tmpdir=" + folder);
        assertThat(process.exitCode()).as(process.out()).isZero();
        assertThat(process.out().strip()).isEqualTo("null null");
    }

    @Test
    void aFolderThatTheDriverIsToldOfIsUsed() throws IOException {
        assumeLinuxWithGlibc();
        Path missing = folder.resolve("missing");
        ChildProcess.Ended process = opened(folder, "-Dorg.sqlite.tmpdir=" + missing);
        assertThat(process.exitCode()).isNotZero();
        assertThat(process.out()).contains("SQLite", missing.toString());
    }

    /** Elsewhere the driver unpacks its library itself. */
    private static void assumeLinuxWithGlibc() throws IOException {
        assumeTrue(DriverLibrary.resource(System.getProperties(), maps()) != null);
    }

    private static String maps() throws IOException {
        Path maps = Path.of("/proc/self/maps");
        return Files.exists(maps) ? Files.readString(maps) : "";
    }
}
