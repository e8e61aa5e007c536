package dev.orderly.store.sqlite;

import dev.orderly.testkit.contract.api.PublicApiContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** The public API of the store in a file. */
class SqliteApiTest extends PublicApiContract {
    private final SqliteStore store;

    SqliteApiTest(@TempDir Path folder) {
        super(SqliteStore.class, 5);
        store = SqliteStore.at(folder.resolve("orderly.db"));
        samples().with(store);
    }

    @AfterEach
    void close() {
        store.close();
    }
}
