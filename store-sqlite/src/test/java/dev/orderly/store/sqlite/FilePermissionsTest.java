package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.store.sqlite.file.FilePermissions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system without modes, such as an archive, can be used. */
class FilePermissionsTest {
    @Test
    void onAFileSystemWithoutModesFilesAndFoldersAreCreatedWithoutModes(@TempDir Path folder) throws IOException {
        URI archive = URI.create("jar:" + folder.resolve("files.zip").toUri());
        try (FileSystem files = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            Path deep = files.getPath("/a/b");
            OwnerOnlyFiles.createFolders(deep);
            assertThat(deep).isDirectory();
            assertThat(OwnerOnlyFiles.mode(deep)).isEmpty();
            Path file = Files.createFile(deep.resolve("orderly.db"), OwnerOnlyFiles.mode(deep));
            FilePermissions.warn(deep, List.of(file));
            assertThat(file).exists();
        }
    }
}
