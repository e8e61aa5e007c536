package dev.orderly.store.copy;

import dev.orderly.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The port of a store for {@link StoreCopy}: reads its data as {@link CopiedRecord records}, page by page, and writes
 * such records. Nothing else may use a store meanwhile. Blocks; throws {@link StoreException} as the other ports do.
 *
 * <p>A store that was written to has to be closed and opened again before any other use: its open ports do not know the
 * new data.
 */
public interface CopyPort {
    /** A node that was silent for longer has stopped. */
    Duration SILENCE = Duration.ofSeconds(30);

    /** The key under which stores of keys with values keep the {@link #mark}; it is no key of the data. */
    String MARK = "store-copy";

    /**
     * What makes the ids of a store of jobs its own.
     *
     * @param salt the salt of its job ids
     * @param lastSequence the last sequence number that was drawn; zero for none
     */
    record Identity(long salt, long lastSequence) {}

    /**
     * A page of records of one kind.
     *
     * @param next position of the page behind this one; null at the end
     */
    record Page(List<CopiedRecord> records, @Nullable String next) {
        public Page {
            records = List.copyOf(records);
        }

        /** The records of a kind that fits into one page. */
        public static Page whole(List<? extends CopiedRecord> records) {
            return new Page(List.copyOf(records), null);
        }

        /** Records of a kind that is read by the key of the last one, in the order of these keys. */
        public static Page upTo(List<? extends CopiedRecord> records, int limit) {
            return new Page(List.copyOf(records),
                    records.size() < limit ? null : position(records.getLast()).toString());
        }

        private static CopyPosition position(CopiedRecord last) {
            return switch (last) {
                case CopiedRecord.Audit audit -> CopyPosition.behind(audit.entry().id());
                case CopiedRecord.Minute minute ->
                    CopyPosition.behind(minute.subject(), minute.at().getEpochSecond(), minute.source());
                case CopiedRecord.Hour hour -> CopyPosition.behind(hour.subject(), hour.at().getEpochSecond());
                case CopiedRecord.Value value -> CopyPosition.behind(value.key());
                default -> CopyPosition.START;
            };
        }
    }

    /**
     * Records to write.
     *
     * @param records of one kind
     * @param moment the moment of the copy, as in {@link #read}
     * @param mark replaces the mark
     */
    record Batch(CopyKind kind, List<CopiedRecord> records, Instant moment, String mark) {
        public Batch {
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
            throw new IllegalStateException("This store cannot be copied: use SQLite, PostgreSQL or Redis");
        }

        @Override
        public void write(Batch batch) {
            throw new IllegalStateException("This store cannot be copied: use SQLite, PostgreSQL or Redis");
        }

        @Override
        public Optional<String> mark() {
            return Optional.empty();
        }

        @Override
        public void finish() {}
    };

    /** The kinds of data that this store keeps. */
    Set<CopyKind> kinds();

    /** Empty for a store without jobs. */
    Optional<Identity> identity();

    /** Nodes and gates that have used this store within {@link #SILENCE}, as texts for an operator. */
    List<String> liveNodes();

    /**
     * Reads a page. The same position gives the same page while nobody writes; every record is on one page.
     *
     * @param after the position that the page before named; empty for the first page
     * @param limit about the largest number of records; fewer if they are large
     * @param moment what has ended by then is left out: keys, values, passes, revocations, admissions
     */
    Page read(CopyKind kind, String after, int limit, Instant moment);

    /**
     * Begins a copy into this empty store.
     *
     * @param identity the identity to take over; empty for none
     * @param mark becomes the mark
     */
    void begin(Optional<Identity> identity, String mark);

    /**
     * Writes records of an earlier {@link #read} of another store, together with the mark: after a crash both are
     * there or none is. A store without such transactions writes the mark last, and accepts the same batch again.
     */
    void write(Batch batch);

    /** The mark of the copy into this store; empty if none is under way. */
    Optional<String> mark();

    /** Ends the copy: removes the mark. */
    void finish();
}
