package dev.orderly.store;

import dev.orderly.store.BackupPort.Backup;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backups of one store while it is in use: one at a time, with the outcome of the last one since the start of the
 * process. Thread-safe.
 */
public final class StoreBackups {
    private static final Logger LOG = LoggerFactory.getLogger(StoreBackups.class);

    private final BackupPort port;
    private final AtomicReference<State> state = new AtomicReference<>(new State(null, 0, 0, null, null));

    public StoreBackups(BackupPort port) {
        Objects.requireNonNull(port, "port");
        this.port = port;
    }

    /**
     * The backup under way, and the last one.
     *
     * @param writing the file under way; null for none
     * @param copied bytes that are copied of it, of {@code all}
     * @param last the last backup that succeeded; null for none
     * @param failure why the last one failed; null if it succeeded, or there was none
     */
    public record State(@Nullable Path writing, long copied, long all, @Nullable Backup last,
            @Nullable String failure) {}

    public State state() {
        return state.get();
    }

    /**
     * Begins a backup on a thread of its own, and returns.
     *
     * @param file as for {@link BackupPort#write(Path)}
     * @param whenEnded receives the outcome, in words
     * @return false if another one is under way; then nothing is begun
     */
    public boolean begin(Path file, Consumer<String> whenEnded) {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(whenEnded, "whenEnded");
        if (!enter(file)) {
            return false;
        }
        Thread.ofPlatform().daemon().name("orderly-backup").start(() -> {
            try {
                Backup written = write(file, state.get().last);
                whenEnded.accept("written, " + written.bytes() + " bytes");
            } catch (RuntimeException e) {
                LOG.warn("{}", e.getMessage());
                whenEnded.accept("failed: " + e.getMessage());
            }
        });
        return true;
    }

    /**
     * Writes a backup, as {@link BackupPort#write(Path)}.
     *
     * @throws StoreException.Unavailable also if another one is under way
     */
    public Backup write(Path file) {
        Objects.requireNonNull(file, "file");
        if (!enter(file)) {
            throw new StoreException.Unavailable("A backup is being written, to " + state.get().writing
                    + ": wait for its end", null);
        }
        return write(file, state.get().last);
    }

    private boolean enter(Path file) {
        State before = state.get();
        return before.writing == null
                && state.compareAndSet(before, new State(file, 0, 0, before.last, before.failure));
    }

    private Backup write(Path file, @Nullable Backup last) {
        try {
            Backup written = port.write(file, (done, all) -> state.set(new State(file, done, all, last, null)));
            state.set(new State(null, 0, 0, written, null));
            LOG.info("Wrote the backup {}: {} bytes in {} ms", file, written.bytes(), written.took().toMillis());
            return written;
        } catch (RuntimeException | Error e) {
            state.set(new State(null, 0, 0, last, String.valueOf(e.getMessage())));
            throw e;
        }
    }
}
