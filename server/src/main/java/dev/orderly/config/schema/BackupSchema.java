package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The keys of backups. */
public final class BackupSchema {
    public static final KeySpec.Key<Path> TO = new KeySpec.Key<>("to", ValueTypes.path("/mnt/backups/orderly"),
            new Absent.Refused(),
            "The folder, best on another disk; created if it is missing. A backup is `orderly-TIME.db` and the file"
                    + " beside it that ends in `-running`.");
    public static final KeySpec.Key<Duration> EVERY = new KeySpec.Key<>("every",
            ValueTypes.duration("1m", "365d", "24h"), new Absent.Means("24h"),
            "The time from one backup to the next; also over restarts, by the names in the folder.");
    public static final KeySpec.Key<Long> KEEP = new KeySpec.Key<>("keep", ValueTypes.count(1, 10_000, "7"),
            new Absent.Means("7"), "How many backups are kept; the oldest are deleted after a new one is complete.");
    public static final Group BACKUP = new Group("backup", List.of(TO, EVERY, KEEP),
            "Backups of a SQLite store while it is in use. See [Running Orderly](operations.md#backups).", true);

    private BackupSchema() {}
}
