package dev.orderly.spring.boot;

import dev.orderly.Store;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.store.sqlite.SqliteStore;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Opens stores in SQLite files. Apart, so that its classes are needed by those alone. */
final class SqliteStores {
    private SqliteStores() {}

    static Store at(String path) {
        try {
            return SqliteStore.at(Path.of(path));
        } catch (InvalidPathException e) {
            throw new StartRefusedException(
                    "orderly.store = \"sqlite:" + path + "\": It has to be sqlite: and the path of the"
                            + " database file",
                    "For instance sqlite:data/orderly.db");
        }
    }
}
