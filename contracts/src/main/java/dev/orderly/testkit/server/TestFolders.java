package dev.orderly.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Folders for the files of a test. In memory where the machine has a file system for that with enough room, and among
 * other temporary files elsewhere: tests kill processes, not the machine, so nothing needs to reach a disk.
 */
public final class TestFolders implements TempDirFactory {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** Room that the tests of two modules leave free. A container grants 64 MB unless it is asked for more. */
    private static final long ROOM = 4L << 30;

    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
        return create("junit-");
    }

    /** A new empty folder, which the caller removes. */
    public static Path create(String prefix) throws IOException {
        return isMemoryUsable() ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
    }

    /** Copies a folder with everything in it, which nobody writes meanwhile. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Removes a folder with everything in it. What another process removes or writes meanwhile is left to it. */
    public static void remove(Path folder) {
        try {
            Files.walkFileTree(folder, new Removal());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether programs may run there, as tests of launchers want, and there is room. */
    private static boolean isMemoryUsable() {
        try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mounts"))) {
            return mounts.map(mount -> mount.split(" "))
                    .anyMatch(mount -> mount[1].equals(MEMORY.toString())
                            && !List.of(mount[3].split(",")).contains("noexec"))
                    && MEMORY.toFile().getUsableSpace() > ROOM;
        } catch (IOException | UncheckedIOException _) {
            return false; // not Linux
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return remove(file);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure) {
            return remove(folder);
        }

        private static FileVisitResult remove(Path each) {
            var _ = each.toFile().delete();
            return FileVisitResult.CONTINUE;
        }
    }
}
