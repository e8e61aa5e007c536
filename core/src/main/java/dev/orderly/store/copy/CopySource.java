package dev.orderly.store.copy;

import dev.orderly.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A store that is read by {@link StoreCopy}: its data as {@link CopiedRecord records}, page by page. Nothing else may
 * use the store meanwhile. Blocks; throws {@link StoreException} as the ports of stores do.
 */
public interface CopySource {
    /** A node that was silent for longer has stopped. */
    Duration SILENCE = Duration.ofSeconds(30);

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
                case CopiedRecord.KeySetting set -> CopyPosition.behind(set.queue().value(), set.key());
                case CopiedRecord.Batch batch -> CopyPosition.behind(batch.state().number());
                case CopiedRecord.Event event -> CopyPosition.behind(event.job().sequence(), event.event().name());
                case CopiedRecord.Step step -> CopyPosition.behind(step.job().sequence(), step.step().name());
                case CopiedRecord.Audit audit -> CopyPosition.behind(audit.entry().id());
                case CopiedRecord.Minute minute ->
                    CopyPosition.behind(minute.subject(), minute.at().getEpochSecond(), minute.source());
                case CopiedRecord.Hour hour -> CopyPosition.behind(hour.subject(), hour.at().getEpochSecond());
                case CopiedRecord.Value value -> CopyPosition.behind(value.key());
                default -> CopyPosition.START;
            };
        }
    }

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
}
