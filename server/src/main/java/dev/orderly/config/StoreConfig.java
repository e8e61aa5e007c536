package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Split;
import dev.orderly.config.source.YamlNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configured stores.
 *
 * @param jobs never {@link StoreUrl.Redis}
 * @param rooms the same as {@code jobs} unless configured separately
 * @param backup null for none by the server
 */
public record StoreConfig(StoreUrl jobs, StoreUrl rooms, @Nullable BackupConfig backup) {
    static final KeySpec.Key<StoreUrl> STORE = new KeySpec.Key<>("store", StoreValueTypes.everything(),
            new Absent.Refused(),
            "The store. A file and its folder are created if missing, and used by one process at a time; a PostgreSQL"
                    + " database is shared by all nodes that name it.");
    static final KeySpec.Key<StoreUrl> JOBS = new KeySpec.Key<>("jobs", StoreValueTypes.everything(),
            new Absent.Depends("the store of rooms, unless that is Redis"), "The store of jobs and schedules.");
    static final KeySpec.Key<StoreUrl> ROOMS = new KeySpec.Key<>("rooms", StoreValueTypes.rooms(),
            new Absent.Depends("the store of jobs"),
            "The store of rooms, which also carries live messages between nodes.");
    static final Split STORES = new Split(STORE, List.of(JOBS, ROOMS),
            "Two stores instead of one: `store: { jobs: \"postgres://…\", rooms: \"redis://…\" }`. Both take the values"
                    + " of `store`; `rooms` also takes `redis://`.");

    /** Without backups. */
    public StoreConfig(StoreUrl jobs, StoreUrl rooms) {
        this(jobs, rooms, null);
    }

    /** Whether a part is on a server that other nodes use too, so that it may come back without this node. */
    public boolean isShared() {
        return jobs.isShared() || rooms.isShared();
    }

    @Override
    public String toString() {
        return jobs.equals(rooms) ? jobs.toString() : "jobs " + jobs + ", rooms " + rooms;
    }

    static StoreConfig read(CheckedSection file) {
        CheckedSection parts = file.below(STORES);
        Optional<StoreUrl> whole = file.value(STORE);
        Optional<StoreUrl> rooms = whole.or(() -> parts.value(ROOMS));
        Optional<StoreUrl> jobs = whole.or(() -> parts.value(JOBS)).or(() -> rooms);
        if (jobs.isPresent() && jobs.get() instanceof StoreUrl.Redis) {
            parts.report(JOBS, "Redis keeps rooms, but neither jobs nor schedules",
                    "name a store for jobs, for instance jobs: " + StoreValueTypes.everything().example());
        } else if (file.node().entries().get(STORES.name()) instanceof YamlNode.Section named
                && named.entries().isEmpty()) {
            file.report(STORES, "Neither jobs nor rooms are named",
                    "write one address, or both keys");
        }
        StoreUrl nowhere = new StoreUrl.Sqlite(Path.of(""));
        return new StoreConfig(resolved(file, jobs.orElse(nowhere)),
                resolved(file, rooms.or(() -> jobs).orElse(nowhere)),
                BackupConfig.read(file, jobs.orElse(nowhere)));
    }

    private static StoreUrl resolved(CheckedSection at, StoreUrl url) {
        return switch (url) {
            case StoreUrl.Sqlite sqlite -> new StoreUrl.Sqlite(at.resolved(sqlite.file()));
            case StoreUrl.Postgres _,StoreUrl.Redis _ -> url;
        };
    }
}
