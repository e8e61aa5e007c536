package dev.orderly.testkit.contract.copy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.store.copy.StoreCopy;
import java.time.Instant;
import java.util.List;

/** Copies between stores that tests have open, and the bugs that a copy has to find in them. */
public final class CopyTrial {
    /** Shows no progress. */
    public static final StoreCopy.Progress SILENT = new StoreCopy.Progress() {
        @Override
        public void copied(CopyKind kind, int records) {}

        @Override
        public void read(CopyKind kind, int records) {}
    };

    private CopyTrial() {}

    /** The process dies in the middle of a copy. */
    public static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A target whose process dies at a write, before or after it is durable. */
    public static final class Dying extends StoppedStore {
        private final int atWrite;
        private final boolean before;
        private int writes;

        public Dying(CopyPort store, int atWrite, boolean before) {
            super(store);
            this.atWrite = atWrite;
            this.before = before;
        }

        @Override
        public void write(Chunk chunk) {
            boolean now = ++writes == atWrite;
            if (now && before) {
                throw new Killed();
            }
            super.write(chunk);
            if (now) {
                throw new Killed();
            }
        }
    }

    /** A store that serves small pages, so that every kind has several. */
    public static final class SmallPages extends StoppedStore {
        public SmallPages(CopyPort store) {
            super(store);
        }

        @Override
        public Page read(CopyKind kind, String after, int limit, Instant moment) {
            return super.read(kind, after, Math.min(limit, 40), moment);
        }
    }

    /** A target that loses the last record of each write of a kind. */
    public static final class Forgetful extends StoppedStore {
        private final CopyKind forgotten;

        public Forgetful(CopyPort store, CopyKind forgotten) {
            super(store);
            this.forgotten = forgotten;
        }

        @Override
        public void write(Chunk chunk) {
            List<CopiedRecord> kept = chunk.kind() == forgotten && !chunk.records().isEmpty()
                    ? chunk.records().subList(0, chunk.records().size() - 1)
                    : chunk.records();
            super.write(new Chunk(chunk.kind(), kept, chunk.moment(), chunk.mark()));
        }
    }

    public static CopyResult run(CopyPort source, CopyPort target, Instant now) {
        return new StoreCopy(source, target, SILENT).run("a test", now);
    }

    /** Copies, and fails unless both stores have the same data; every kind of the target occurs. */
    public static CopyResult.Compared copied(CopyPort source, CopyPort target, Instant now) {
        CopyResult result = run(new SmallPages(source), new StoppedStore(target), now);
        assertThat(result).isInstanceOf(CopyResult.Compared.class);
        CopyResult.Compared compared = (CopyResult.Compared) result;
        assertThat(compared.kinds()).allSatisfy(kind -> {
            assertThat(kind.target()).as("%s", kind.kind()).isEqualTo(kind.source());
            assertThat(kind.source().count()).as("%s of the random state", kind.kind()).isPositive();
        });
        return compared;
    }
}
