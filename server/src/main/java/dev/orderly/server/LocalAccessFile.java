package dev.orderly.server;

import dev.orderly.access.TokenSecret;
import dev.orderly.file.OwnerOnlyFiles;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the credential of the server's own user, mode 0600, beside the secret: one line, the header that a
 * client sends ({@code curl -H @data/local-access}). All methods block.
 */
public final class LocalAccessFile {
    private static final Logger LOG = LoggerFactory.getLogger(LocalAccessFile.class);
    private static final String NAME = "local-access";
    private static final String HEADER = "Authorization: Bearer ";
    private static final int MOST = 1_000;

    private LocalAccessFile() {}

    /** The file that belongs to a secret. */
    public static Path beside(Path secretFile) {
        return secretFile.resolveSibling(NAME);
    }

    /** Writes the file, in place of the one before. Where that fails, a warning says so, and the server goes on. */
    static void write(Path file, TokenSecret token) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                OwnerOnlyFiles.createFolders(folder);
            }
            OwnerOnlyFiles.replace(file, HEADER + token.text() + "\n");
        } catch (IOException e) {
            LOG.warn("The server's own user has no access without a token, since {} cannot be written ({}): make the"
                    + " folder writable, or set admin.local-access to false", file, e.toString());
        }
    }

    /** Deletes the file if it has this token, and its folder if nothing else is there. */
    static void delete(Path file, TokenSecret token) {
        if (read(file).equals(Optional.of(token.text()))) {
            remove(file);
            File folder = file.toAbsolutePath().toFile().getParentFile();
            if (folder != null && !folder.delete()) {
                LOG.debug("{} has other files, and stays", folder);
            }
        }
    }

    /** Deletes the file. */
    static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} cannot be deleted ({}): delete it, its token does not count", file, e.toString());
        }
    }

    /** The token of the file; empty if there is none that this user may read. */
    public static Optional<String> read(Path file) {
        try {
            if (!Files.isReadable(file) || Files.size(file) > MOST) {
                return Optional.empty();
            }
            return Optional.of(Files.readString(file, StandardCharsets.US_ASCII))
                    .filter(text -> text.startsWith(HEADER))
                    .map(text -> text.substring(HEADER.length()).strip());
        } catch (IOException e) {
            LOG.debug("{} cannot be read: {}", file, e.toString());
            return Optional.empty();
        }
    }
}
