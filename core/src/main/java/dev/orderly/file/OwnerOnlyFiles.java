package dev.orderly.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Files and folders that only the user of this process may read. Only POSIX file systems have modes; elsewhere the
 * folder decides. All methods block.
 */
public final class OwnerOnlyFiles {
    private static final String FILE = "rw-------";
    private static final String FOLDER = "rwx------";

    private OwnerOnlyFiles() {}

    /** The mode of a new file in an existing folder. */
    public static FileAttribute<?>[] mode(Path folder) throws IOException {
        return mode(folder, FILE);
    }

    /** Creates a folder, with missing parents. */
    public static void createFolders(Path folder) throws IOException {
        Path existing = folder.toAbsolutePath();
        while (existing != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        Files.createDirectories(folder, existing == null ? new FileAttribute<?>[0] : mode(existing, FOLDER));
    }

    /** Writes a file in one step, in place of the file before: a reader finds the one or the other, on disk. */
    public static void replace(Path file, String text) throws IOException {
        Path fresh = written(file, text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Writes a file in one step, unless there is one; creates its folder.
     *
     * @return false if there is a file, which stays as it is
     */
    public static boolean create(Path file, String text) throws IOException {
        createFolders(folder(file));
        Path fresh = written(file, text);
        try {
            Files.createLink(file, fresh);
            return true;
        } catch (FileAlreadyExistsException _) {
            return false;
        } finally {
            Files.delete(fresh);
        }
    }

    /** Whether files in a folder have modes. */
    public static boolean isPosix(Path folder) throws IOException {
        return Files.getFileStore(folder).supportsFileAttributeView("posix");
    }

    private static Path written(Path file, String text) throws IOException {
        Path folder = folder(file);
        Path fresh = Files.createTempFile(folder, file.getFileName().toString(), ".new", mode(folder));
        try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
            return fresh;
        } catch (IOException e) {
            Files.delete(fresh);
            throw e;
        }
    }

    private static Path folder(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || file.getFileName() == null) {
            throw new NoSuchFileException(file.toString());
        }
        return folder;
    }

    private static FileAttribute<?>[] mode(Path place, String mode) throws IOException {
        return isPosix(place)
                ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }
}
