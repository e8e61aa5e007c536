package dev.orderly.store.copy;

import dev.orderly.job.settings.LimitSettings;
import dev.orderly.job.settings.QueueSettings;
import dev.orderly.schedule.ScheduleDefinitions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store in two parts as the source of a copy, as {@link MixedCopy}. */
public class MixedSource implements CopySource {
    private static final String SHARED = "shared";

    private final CopySource jobs;
    private final CopySource rooms;
    private final CopySource shared;

    /** @param shared the first or the second part */
    public MixedSource(CopySource jobs, CopySource rooms, CopySource shared) {
        this.jobs = jobs;
        this.rooms = rooms;
        this.shared = shared;
    }

    @Override
    public Set<CopyKind> kinds() {
        Set<CopyKind> all = EnumSet.copyOf(jobs.kinds());
        all.addAll(CopyKind.OF_ROOMS);
        return all;
    }

    @Override
    public Optional<Identity> identity() {
        return jobs.identity();
    }

    @Override
    public List<String> liveNodes() {
        return Stream.concat(jobs.liveNodes().stream(), rooms.liveNodes().stream()).toList();
    }

    @Override
    public Page read(CopyKind kind, String after, int limit, Instant moment) {
        if (kind != CopyKind.KEY_VALUES) {
            return part(kind).read(kind, after, limit, moment);
        }
        boolean first = !after.startsWith(SHARED);
        Page page = first
                ? jobs.read(kind, after, limit, moment)
                : shared.read(kind, after.substring(SHARED.length()), limit, moment);
        List<CopiedRecord> own = page.records().stream().filter(value -> isSetting(value) == first).toList();
        return new Page(own, next(page.next(), first));
    }

    private static @Nullable String next(@Nullable String position, boolean first) {
        if (first) {
            return position == null ? SHARED : position;
        }
        return position == null ? null : SHARED + position;
    }

    static boolean isSetting(CopiedRecord value) {
        return value instanceof CopiedRecord.Value(String key, String _, Instant _)
                && (QueueSettings.isKey(key) || LimitSettings.isKey(key) || ScheduleDefinitions.isKey(key));
    }

    private CopySource part(CopyKind kind) {
        return CopyKind.OF_ROOMS.contains(kind) ? rooms : jobs;
    }
}
