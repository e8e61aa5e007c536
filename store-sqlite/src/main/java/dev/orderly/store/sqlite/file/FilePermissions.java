package dev.orderly.store.sqlite.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File modes that allow only the owner to read payloads. SQLite gives its own files the mode of the database. Only
 * POSIX file systems have modes; elsewhere the folder decides.
 */
public final class FilePermissions {
    private static final Logger LOG = LoggerFactory.getLogger(FilePermissions.class);
    private static final String FILE = "rw-------";
    private static final String FOLDER = "rwx------";
    private static final Set<PosixFilePermission> OPEN = Set.of(PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private FilePermissions() {}

    /** The mode of a new file in an existing folder. */
    public static FileAttribute<?>[] ofFile(Path folder) throws IOException {
        return mode(folder, FILE);
    }

    /** Creates a folder, with missing parents. */
    public static void createFolders(Path folder) throws IOException {
        Path existing = folder;
        while (existing != null && Files.notExists(existing)) {
            existing = existing.getParent();
        }
        Files.createDirectories(folder, existing == null ? new FileAttribute<?>[0] : mode(existing, FOLDER));
    }

    /** Logs which files are open to all users of the machine, with the remedy. */
    public static void warn(Path folder, List<Path> files) throws IOException {
        if (!isPosix(folder)) {
            LOG.info("{} has no file modes: every user who may enter the folder can read the jobs in it", folder);
            return;
        }
        for (Path file : files) {
            if (Files.exists(file) && Files.getPosixFilePermissions(file).stream().anyMatch(OPEN::contains)) {
                LOG.warn("{} is open to every user of this machine, with the payloads of all jobs: chmod 600 {}", file,
                        file);
            }
        }
    }

    private static FileAttribute<?>[] mode(Path place, String mode) throws IOException {
        return isPosix(place)
                ? new FileAttribute<?>[]{PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))}
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix(Path place) throws IOException {
        return Files.getFileStore(place).supportsFileAttributeView("posix");
    }
}
