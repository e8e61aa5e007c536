package dev.orderly.store.copy;

import dev.orderly.store.copy.CopyPort.Chunk;
import dev.orderly.store.copy.CopyResult.Comparison;
import dev.orderly.store.copy.CopyResult.Side;
import dev.orderly.store.copy.CopySource.Page;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a stopped store into an empty one, page by page; then reads both stores and compares them. The target
 * records how far the copy has come, so that a repeated call continues after a crash. Memory is bounded by a few pages.
 */
public final class StoreCopy {
    private static final int PAGE = 1_000;

    private final CopySource source;
    private final CopyPort target;
    private final Progress progress;

    /** Receives the progress of a copy. */
    public interface Progress {
        /** Records were written. Records of an earlier run are not reported. */
        void copied(CopyKind kind, int records);

        /** Records of one of both stores were read to compare them. */
        void read(CopyKind kind, int records);
    }

    public StoreCopy(CopySource source, CopyPort target, Progress progress) {
        this.source = source;
        this.target = target;
        this.progress = progress;
    }

    /** Whether a copy into this store is under way, so that nothing else may use it. */
    public static boolean isUnderWay(CopyPort store) {
        return store.mark().isPresent();
    }

    /**
     * Copies, or continues a copy, and compares. The target stays marked as under way unless both are equal.
     *
     * @param name of the source, which identifies a source without jobs
     * @param now the present of the source; the moment of a copy that begins
     * @throws dev.orderly.store.StoreException if a store fails: call again to continue
     */
    public CopyResult run(String name, Instant now) {
        String identity = source.identity().map(own -> HexFormat.of().toHexDigits(own.salt())).orElse(name);
        Optional<CopyMark> before = target.mark().map(CopyMark::read);
        String problem = uncopied();
        if (problem != null) {
            return new CopyResult.Refused(problem);
        }
        problem = before.isPresent() ? otherCopy(before.get(), identity) : notEmpty();
        problem = problem == null ? inUse() : problem;
        problem = problem == null ? unkept(now) : problem;
        if (problem != null) {
            return new CopyResult.Refused(problem);
        }
        CopyMark mark = before.orElseGet(() -> begin(identity, now.truncatedTo(ChronoUnit.MILLIS)));
        CopyKind kind = mark.kind();
        while (kind != null) {
            mark = copy(kind, mark);
            kind = mark.kind();
        }
        return compared(mark.moment(), before.isPresent());
    }

    private CopyResult compared(Instant moment, boolean resumed) {
        CopyResult.Compared result = new CopyResult.Compared(compare(moment), resumed);
        String problem = inUse();
        if (problem != null) {
            return new CopyResult.Refused("The copy is not complete. " + problem);
        }
        if (result.equal()) {
            target.finish();
        }
        return result;
    }

    // ---- refusals: null if there is no problem

    private @Nullable String uncopied() {
        return source.kinds().isEmpty() || target.kinds().isEmpty()
                ? "A store in memory ends with its process, and is not copied: name SQLite, PostgreSQL or Redis as the "
                        + (source.kinds().isEmpty() ? "source" : "target")
                : null;
    }

    private @Nullable String otherCopy(CopyMark mark, String identity) {
        return mark.source().equals(identity)
                ? null
                : "The target has an unfinished copy of another store (" + mark.source() + ", not " + identity
                        + "): continue that one, or empty the target";
    }

    private @Nullable String notEmpty() {
        List<String> found = Stream.of(CopyKind.values()).filter(target.kinds()::contains)
                .filter(kind -> !target.read(kind, "", 1, Instant.EPOCH).records().isEmpty()).map(CopyKind::text)
                .toList();
        return found.isEmpty()
                ? null
                : "The target is not empty, it has " + String.join(", ", found)
                        + ": name a new database, schema or file, which no server has used";
    }

    private @Nullable String inUse() {
        List<String> live = Stream.concat(source.liveNodes().stream().map(node -> "the source by " + node),
                target.liveNodes().stream().map(node -> "the target by " + node)).toList();
        return live.isEmpty()
                ? null
                : "A store is in use, " + String.join(", ", live) + ": stop every node, and try again "
                        + CopySource.SILENCE.toSeconds() + " s after the last one";
    }

    private @Nullable String unkept(Instant now) {
        List<String> lost = source.kinds().stream().filter(kind -> !target.kinds().contains(kind)).sorted()
                .filter(kind -> !source.read(kind, "", 1, now).records().isEmpty()).map(CopyKind::text).toList();
        return lost.isEmpty()
                ? null
                : "The target keeps no " + String.join(", ", lost) + ": Redis keeps rooms only, so name a target for"
                        + " the jobs and Redis for the rooms";
    }

    // ---- the copy

    private CopyMark begin(String identity, Instant moment) {
        CopyMark mark = new CopyMark(identity, moment, 0, kinds().getFirst(), "");
        target.begin(source.identity(), mark.write());
        return mark;
    }

    /** The kinds to copy, in their order. */
    private List<CopyKind> kinds() {
        return Stream.of(CopyKind.values()).filter(source.kinds()::contains).filter(target.kinds()::contains).toList();
    }

    /** Copies the rest of a kind; reads a page ahead while one is written. */
    private CopyMark copy(CopyKind kind, CopyMark from) {
        List<CopyKind> kinds = kinds();
        int at = kinds.indexOf(kind);
        CopyKind behind = at + 1 < kinds.size() ? kinds.get(at + 1) : null;
        CopyMark mark = from;
        FutureTask<Page> next = fork(() -> source.read(kind, from.after(), PAGE, from.moment()));
        while (true) {
            Page page = join(next);
            String position = page.next();
            if (position != null) {
                next = fork(() -> source.read(kind, position, PAGE, from.moment()));
            }
            mark = position == null ? mark.at(behind, "") : mark.at(kind, position);
            target.write(new Chunk(kind, page.records(), mark.moment(), mark.write()));
            progress.copied(kind, page.records().size());
            if (position == null) {
                return mark;
            }
        }
    }

    // ---- the comparison

    private List<Comparison> compare(Instant moment) {
        FutureTask<List<Side>> ofSource = fork(() -> sums(source, moment));
        List<Side> ofTarget = sums(target, moment);
        List<Side> all = join(ofSource);
        List<Comparison> found = new ArrayList<>();
        for (CopyKind kind : kinds()) {
            found.add(new Comparison(kind, all.get(found.size()), ofTarget.get(found.size())));
        }
        return found;
    }

    private List<Side> sums(CopySource store, Instant moment) {
        List<Side> sides = new ArrayList<>();
        for (CopyKind kind : kinds()) {
            CopySum sum = new CopySum();
            String after = "";
            while (after != null) {
                Page page = store.read(kind, after, PAGE, moment);
                page.records().forEach(sum::add);
                progress.read(kind, page.records().size());
                after = page.next();
            }
            sides.add(Side.of(sum));
        }
        return sides;
    }

    private static <T> FutureTask<T> fork(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().name("orderly-store-copy").start(task);
        return task;
    }

    /** Waits for an answer of a store, which is bounded by the store's own deadlines. */
    private static <T> T join(FutureTask<T> task) {
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted: copy again to continue", e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }
}
