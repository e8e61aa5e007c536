package dev.orderly.http.api.backup;

import dev.orderly.http.openapi.Doc;
import dev.orderly.store.BackupPort.Backup;
import dev.orderly.store.StoreBackups;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The state of backups. */
@Doc(name = "BackupState")
record BackupJson(@Doc("The file under way; null if none is.") @Nullable String writing,
        @Doc("Bytes of it that are copied.") long copied,
        @Doc("Bytes to copy; 0 until the first are copied.") long of,
        @Doc("The last backup that succeeded.") @Nullable Last last,
        @Doc("Why the last backup failed; null if it succeeded.") @Nullable String failure) {
    /** A complete backup. */
    @Doc(name = "Backup")
    record Last(String file, @Doc("The size of the file.") long bytes,
            @Doc("The moment whose state it is.") Instant at, Duration took) {
        private static @Nullable Last of(@Nullable Backup last) {
            return last == null ? null : new Last(last.file().toString(), last.bytes(), last.at(), last.took());
        }
    }

    static BackupJson of(StoreBackups.State state) {
        Path writing = state.writing();
        return new BackupJson(writing == null ? null : writing.toString(), state.copied(), state.all(),
                Last.of(state.last()), state.failure());
    }
}
