package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.BackupConfig;
import dev.orderly.store.BackupPort;
import dev.orderly.store.StoreBackups;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScheduledBackupsTest {
    @TempDir
    private Path folder;
    private final ManualTime time = new ManualTime();
    private final AtomicBoolean full = new AtomicBoolean();

    private ScheduledBackups backups(int keep) {
        return new ScheduledBackups(new BackupConfig(folder.resolve("to"), Duration.ofHours(1), keep),
                new StoreBackups(this::write), time);
    }

    private BackupPort.Backup write(Path file, BackupPort.Progress progress) {
        if (full.get()) {
            throw new StoreException.Unavailable("The disk is full: free space", null);
        }
        try {
            Files.writeString(Path.of(file + "-running"), "running");
            Files.writeString(file, "backup");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BackupPort.Backup(file, 6, time.now(), Duration.ZERO);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("to"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aBackupIsWrittenWhenItIsDueAlsoAfterARestart() throws IOException {
        backups(7).round();
        assertThat(files()).hasSize(2).allMatch(name -> name.matches("orderly-\\d{8}T\\d{6}Z\\.db(-running)?"));
        time.advance(Duration.ofMinutes(59));
        backups(7).round();
        assertThat(files()).hasSize(2);
        time.advance(Duration.ofMinutes(1));
        backups(7).round();
        assertThat(files()).hasSize(4);
    }

    @Test
    void theNewestAreKeptAndOtherFilesAreLeftAlone() throws IOException {
        ScheduledBackups backups = backups(2);
        backups.round();
        String first = files().getFirst();
        Files.writeString(folder.resolve("to/monday.db"), "by hand");
        for (int i = 0; i < 3; i++) {
            time.advance(Duration.ofHours(1));
            backups.round();
        }
        assertThat(files()).hasSize(5).contains("monday.db").doesNotContain(first, first + "-running");
    }

    @Test
    void aFailureDeletesNothingIsReportedAndTriedAgain() throws IOException {
        ScheduledBackups backups = backups(1);
        backups.round();
        List<String> before = files();
        time.advance(Duration.ofHours(1));
        full.set(true);
        assertThat(backups.round()).isLessThan(Duration.ofHours(1));
        assertThat(files()).isEqualTo(before);
        assertThat(backups.faults()).singleElement().asString().contains("The disk is full");
        full.set(false);
        backups.round();
        assertThat(backups.faults()).isEmpty();
        assertThat(files()).hasSize(2).isNotEqualTo(before);
    }
}
