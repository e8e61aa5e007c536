package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.JobStoreContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteJobStoreTest extends JobStoreContract {
    @TempDir
    private Path folder;

    private final List<Store> killed = new ArrayList<>();

    @Override
    protected Store open() {
        return SqliteStore.at(Places.fresh(folder));
    }

    @Override
    protected Store reopen(Store store) {
        killed.add(store);
        Path file = Path.of(store.name().substring("sqlite:".length()));
        return SqliteStore.at(Places.asKilled(file, folder));
    }

    @AfterEach
    void closeTheKilled() {
        killed.forEach(Store::close);
    }
}
