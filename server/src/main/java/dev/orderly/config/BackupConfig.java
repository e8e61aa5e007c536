package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Backups of the SQLite store by the server.
 *
 * @param to the folder
 * @param every from one backup to the next
 * @param keep number of backups in the folder, 1 or more
 */
public record BackupConfig(Path to, Duration every, int keep) {
    static final KeySpec.Key<Path> TO = new KeySpec.Key<>("to", ValueTypes.path("/mnt/backups/orderly"),
            new Absent.Refused(),
            "The folder, best on another disk; created if it is missing. A backup is `orderly-TIME.db` and the file"
                    + " beside it that ends in `-running`.");
    static final KeySpec.Key<Duration> EVERY = new KeySpec.Key<>("every",
            ValueTypes.duration("1m", "365d", "24h"), new Absent.Means("24h"),
            "The time from one backup to the next; also over restarts, by the names in the folder.");
    static final KeySpec.Key<Long> KEEP = new KeySpec.Key<>("keep", ValueTypes.count(1, 10_000, "7"),
            new Absent.Means("7"), "How many backups are kept; the oldest are deleted after a new one is complete.");
    static final Group BACKUP = new Group("backup", List.of(TO, EVERY, KEEP),
            "Backups of a SQLite store while it is in use. See [Running Orderly](operations.md#backups).", true);

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return "to " + to + ", every " + UnitText.text(every) + ", keep " + keep;
    }

    static @Nullable BackupConfig read(CheckedSection file, StoreUrl jobs) {
        if (file.has(BACKUP) && !(jobs instanceof StoreUrl.Sqlite)) {
            file.report(BACKUP, "The server writes backups of a SQLite store only",
                    "remove backup, and back up PostgreSQL with pg_dump or by its provider");
        }
        CheckedSection at = file.below(BACKUP);
        return at.path(TO).map(to -> new BackupConfig(to,
                at.value(EVERY).orElse(Duration.ZERO),
                Math.toIntExact(at.value(KEEP).orElse(1L)))).orElse(null);
    }
}
