package dev.orderly.config;

import java.nio.file.Path;

/** Which store, and where. */
public sealed interface StoreUrl {
    /** The embedded store, in one file of this machine. */
    record Sqlite(Path file) implements StoreUrl {
        @Override
        public String toString() {
            return "sqlite:" + file;
        }
    }
}
