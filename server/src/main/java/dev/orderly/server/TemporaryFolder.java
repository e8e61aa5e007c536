package dev.orderly.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Folders for stores of short-lived programs. */
final class TemporaryFolder {
    private static final Logger LOG = LoggerFactory.getLogger(TemporaryFolder.class);

    private TemporaryFolder() {}

    static Path make(String name) throws IOException {
        return Files.createTempDirectory(name);
    }

    /** Deletes the folder with its content; a file that cannot be deleted stays, with a warning. */
    static void delete(Path folder) {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.warn("The temporary folder {} could not be deleted: {}", folder, e.toString());
        }
    }
}
