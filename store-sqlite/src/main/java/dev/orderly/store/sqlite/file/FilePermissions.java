package dev.orderly.store.sqlite.file;

import dev.orderly.file.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A check of the modes of the database's files. SQLite gives its own files the mode of the database. */
public final class FilePermissions {
    private static final Logger LOG = LoggerFactory.getLogger(FilePermissions.class);
    private static final Set<PosixFilePermission> OPEN = Set.of(PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private FilePermissions() {}

    /** Logs which files are open to all users of the machine, with the remedy. */
    public static void warn(Path folder, List<Path> files) throws IOException {
        if (!OwnerOnlyFiles.isPosix(folder)) {
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
}
