package dev.orderly.store.copy;

import dev.orderly.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The port of a store for {@link StoreCopy}, as its source or its target: also writes {@link CopiedRecord records}.
 * Nothing else may use a store meanwhile. Blocks; throws {@link StoreException} as the other ports do.
 *
 * <p>A store that was written to has to be closed and opened again before any other use: its open ports do not know the
 * new data.
 */
public interface CopyPort extends CopySource {
    /** The key under which stores of keys with values keep the {@link #mark}; it is no key of the data. */
    String MARK = "store-copy";

    /**
     * Records to write in one call.
     *
     * @param records of one kind
     * @param moment the moment of the copy, as in {@link #read}
     * @param mark replaces the mark
     */
    record Chunk(CopyKind kind, List<CopiedRecord> records, Instant moment, String mark) {
        public Chunk {
            records = List.copyOf(records);
        }
    }

    /** The port of a store that cannot be copied: it has no kinds, and accepts nothing. */
    CopyPort NONE = new CopyPort() {
        @Override
        public Set<CopyKind> kinds() {
            return Set.of();
        }

        @Override
        public Optional<Identity> identity() {
            return Optional.empty();
        }

        @Override
        public List<String> liveNodes() {
            return List.of();
        }

        @Override
        public Page read(CopyKind kind, String after, int limit, Instant moment) {
            return Page.whole(List.of());
        }

        @Override
        public void begin(Optional<Identity> identity, String mark) {
            throw refused();
        }

        @Override
        public void write(Chunk chunk) {
            throw refused();
        }

        @Override
        public Optional<String> mark() {
            return Optional.empty();
        }

        @Override
        public void finish() {}

        private static IllegalStateException refused() {
            return new IllegalStateException(
                    "A store in memory takes no copy: name SQLite, PostgreSQL or Redis as the target");
        }
    };

    /**
     * Begins a copy into this empty store.
     *
     * @param identity the identity to take over; empty for none
     * @param mark becomes the mark
     */
    void begin(Optional<Identity> identity, String mark);

    /**
     * Writes records of an earlier {@link #read} of another store, together with the mark: after a crash both are
     * there or none is. A store without such transactions writes the mark last, and accepts the same chunk again.
     */
    void write(Chunk chunk);

    /** The mark of the copy into this store; empty if none is under way. */
    Optional<String> mark();

    /** Ends the copy: removes the mark. */
    void finish();
}
