package dev.orderly.store;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Port of a store that writes a backup of itself into a file of this machine while it is in use.
 *
 * <p>A backup is the store at one moment: everything that was acknowledged before the call is in it, and whatever a
 * transaction wrote is in it whole or not at all.
 */
@FunctionalInterface
public interface BackupPort {
    /**
     * Writes a backup. Blocks for the time of the copy; pushes, claims and settlements go on meanwhile. One at a time.
     *
     * @param file absolute, in a folder that exists; appears when the backup is complete, checked and on the disk
     * @param progress called now and then by this thread; must not throw
     * @throws UnsupportedOperationException if the store is backed up by other means; the message names them
     * @throws StoreException.Unavailable if there is such a file, or the backup failed; nothing is left of it then, and
     *     the message names the remedy
     */
    Backup write(Path file, Progress progress);

    /** As {@link #write(Path, Progress)}, without a report of the progress. */
    default Backup write(Path file) {
        return write(file, (_, _) -> {});
    }

    /** The port of a store that is backed up by other means. */
    static BackupPort unsupported(String means) {
        return (_, _) -> {
            throw new UnsupportedOperationException(means);
        };
    }

    /**
     * A complete backup.
     *
     * @param bytes size of the file
     * @param at the moment whose state it is
     * @param took from the call to the end of the check
     */
    record Backup(Path file, long bytes, Instant at, Duration took) {}

    /** Receives how much of the store is copied. */
    @FunctionalInterface
    interface Progress {
        /** Both in bytes; {@code all} may change while the backup is written. */
        void copied(long done, long all);
    }
}
