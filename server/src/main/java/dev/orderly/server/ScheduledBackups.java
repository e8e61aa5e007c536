package dev.orderly.server;

import dev.orderly.config.BackupConfig;
import dev.orderly.file.OwnerOnlyFiles;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.store.StoreBackups;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a backup into a folder at each interval, and deletes the oldest beyond a number. The names in the folder say
 * when the last one was, so that a restart begins none early. A failed one is tried again after five minutes.
 */
final class ScheduledBackups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ScheduledBackups.class);
    private static final Pattern NAME = Pattern.compile("orderly-(\\d{8}T\\d{6}Z)\\.db");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'")
            .withZone(ZoneOffset.UTC);
    private static final Duration ROUND = Duration.ofMinutes(1);
    private static final Duration AFTER_FAILURE = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final @Nullable BackupConfig config;
    private final StoreBackups backups;
    private final Time time;
    private final BackgroundLoop loop;
    private volatile @Nullable String failure;

    private record Kept(Path file, Instant at) {}

    /** @param config null for no backups */
    ScheduledBackups(@Nullable BackupConfig config, StoreBackups backups, Time time) {
        this.config = config;
        this.backups = backups;
        this.time = time;
        this.loop = new BackgroundLoop("backups", time, this::round);
    }

    void start() {
        if (config != null) {
            loop.start();
        }
    }

    /** Writes a backup if it is due; returns the wait until the next round. */
    Duration round() {
        BackupConfig to = config;
        if (to == null) {
            return ROUND;
        }
        try {
            OwnerOnlyFiles.createFolders(to.to());
            List<Kept> kept = kept(to.to());
            Instant now = time.now();
            // A name of the future is of a clock that was ahead.
            if (kept.isEmpty() || kept.getFirst().at.isAfter(now)
                    || !kept.getFirst().at.plus(to.every()).isAfter(now)) {
                backups.write(to.to().toAbsolutePath().resolve("orderly-" + TIME.format(now) + ".db"));
                prune(to);
            }
            failure = null;
            return ROUND;
        } catch (IOException | RuntimeException e) {
            failure = "The last backup failed: " + e.getMessage();
            LOG.warn("No backup was written to {}: {}", to.to(), e.getMessage());
            return AFTER_FAILURE;
        }
    }

    /** The complete backups, newest first. */
    private static List<Kept> kept(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.flatMap(file -> {
                Matcher name = NAME.matcher(file.getFileName().toString());
                return name.matches()
                        ? Stream.of(new Kept(file, Instant.from(TIME.parse(name.group(1)))))
                        : Stream.empty();
            }).sorted(Comparator.comparing(Kept::at).reversed()).toList();
        }
    }

    private static void prune(BackupConfig to) throws IOException {
        for (Kept each : kept(to.to()).stream().skip(to.keep()).toList()) {
            Files.delete(each.file);
            Files.deleteIfExists(each.file.resolveSibling(each.file.getFileName() + "-running"));
        }
    }

    /** The failure of the last backup, for the operator. */
    List<String> faults() {
        String known = failure;
        return known == null ? List.of() : List.of(known);
    }

    @Override
    public void close() {
        loop.stop(PATIENCE);
    }
}
