package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.time.Time;
import java.nio.file.Path;

/** SQLite as the source and the target of copies in tests. */
public final class SqliteKind implements MovingStore.Kind {
    private static final SqliteOptions QUICK = new SqliteOptions(Durability.NORMAL, 4);

    private final Path folder;
    private Time clock = Time.system();

    /** @param folder for the files of all its stores */
    public SqliteKind(Path folder) {
        this.folder = folder;
    }

    @Override
    public Store open(Time time) {
        clock = time;
        return SqliteStore.at(Places.fresh(folder), QUICK, time, Places.TINY);
    }

    @Override
    public Store reopen(Store killed) {
        Path left = Places.asKilled(Path.of(killed.name().substring("sqlite:".length())), folder);
        killed.close();
        return SqliteStore.at(left, QUICK, clock, Places.TINY);
    }
}
