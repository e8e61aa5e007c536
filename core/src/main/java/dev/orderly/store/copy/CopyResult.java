package dev.orderly.store.copy;

import java.util.List;

/** The result of a {@link StoreCopy}. */
public sealed interface CopyResult {
    /**
     * Nothing was changed.
     *
     * @param reason the rule and the remedy, as sentences
     */
    record Refused(String reason) implements CopyResult {}

    /**
     * The copy is complete, and both stores were read to compare them.
     *
     * @param resumed whether an earlier run had begun the copy
     */
    record Compared(List<Comparison> kinds, boolean resumed) implements CopyResult {
        public Compared {
            kinds = List.copyOf(kinds);
        }

        /** Whether source and target have the same records of every kind. */
        public boolean equal() {
            return kinds.stream().allMatch(Comparison::equal);
        }
    }

    /** The records of one kind in both stores. */
    record Comparison(CopyKind kind, Side source, Side target) {
        public boolean equal() {
            return source.equals(target);
        }
    }

    /** Number and {@linkplain CopySum#checksum checksum} of the records of one kind in one store. */
    record Side(long count, String checksum) {
        static Side of(CopySum sum) {
            return new Side(sum.count(), sum.checksum());
        }
    }
}
