package dev.orderly.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads classes before the first connection comes. A class is read from its file at its first use; a class of an error
 * path would then find no file handle left just when it is needed, and stay missing.
 */
final class Preload {
    private static final Logger LOG = LoggerFactory.getLogger(Preload.class);
    private static final String NOWHERE = "dev.orderly.NoSuchClass";
    private static final String OURS = "dev/orderly";
    private static final String SUFFIX = ".class";

    private Preload() {}

    /** Archives are opened once and stay open; classes in folders are loaded one by one. */
    static void classes() {
        exists(NOWHERE); // the search for a missing class opens every archive
        for (String entry : System.getProperty("java.class.path", "").split(File.pathSeparator, -1)) {
            Path folder = Path.of(entry);
            if (!entry.isEmpty() && Files.isDirectory(folder.resolve(OURS)) && !folder.endsWith("test-classes")) {
                classesBelow(folder);
            }
        }
    }

    private static void classesBelow(Path folder) {
        try (Stream<Path> files = Files.walk(folder.resolve(OURS))) {
            List<String> names = files.map(file -> folder.relativize(file).toString())
                    .filter(file -> file.endsWith(SUFFIX))
                    .map(file -> file.substring(0, file.length() - SUFFIX.length()).replace(File.separatorChar, '.'))
                    .toList();
            long missing = names.stream().filter(name -> !exists(name)).count();
            LOG.debug("{} classes of {} are loaded, {} cannot be", names.size() - missing, folder, missing);
        } catch (IOException e) {
            LOG.warn("Classes in {} are not loaded ahead: {}", folder, e.toString());
        }
    }

    /** Loads a class without initialising it. */
    private static boolean exists(String name) {
        try {
            Class.forName(name, false, Preload.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError _) {
            return false; // it belongs to an optional part
        }
    }
}
