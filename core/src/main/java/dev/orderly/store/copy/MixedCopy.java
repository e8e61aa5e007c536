package dev.orderly.store.copy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The port of a store in two parts: jobs and all about them in the first, rooms in the second. Of the keys with values,
 * settings of operators are in the first part and the others in the part over which nodes find each other.
 */
public final class MixedCopy extends MixedSource implements CopyPort {
    private final CopyPort jobs;
    private final CopyPort rooms;
    private final CopyPort shared;

    /** @param shared the first or the second part */
    public MixedCopy(CopyPort jobs, CopyPort rooms, CopyPort shared) {
        super(jobs, rooms, shared);
        this.jobs = jobs;
        this.rooms = rooms;
        this.shared = shared;
    }

    private CopyPort part(CopyKind kind) {
        return CopyKind.OF_ROOMS.contains(kind) ? rooms : jobs;
    }

    @Override
    public void begin(Optional<Identity> identity, String mark) {
        jobs.begin(identity, mark);
        rooms.begin(Optional.empty(), mark);
    }

    @Override
    public void write(Chunk chunk) {
        if (chunk.kind() != CopyKind.KEY_VALUES) {
            part(chunk.kind()).write(chunk);
            return;
        }
        List<CopiedRecord> settings = new ArrayList<>();
        List<CopiedRecord> others = new ArrayList<>();
        chunk.records().forEach(value -> (MixedSource.isSetting(value) ? settings : others).add(value));
        // The mark moves on with the second write only: a crash in between repeats both.
        shared.write(new Chunk(chunk.kind(), others, chunk.moment(), mark().orElse(chunk.mark())));
        jobs.write(new Chunk(chunk.kind(), settings, chunk.moment(), chunk.mark()));
    }

    /** The later one of both parts: each has the mark of its own last write. */
    @Override
    public Optional<String> mark() {
        return Stream.of(jobs, rooms).flatMap(part -> part.mark().stream())
                .max(Comparator.comparingLong(mark -> CopyMark.read(mark).step()));
    }

    @Override
    public void finish() {
        rooms.finish();
        jobs.finish();
    }
}
