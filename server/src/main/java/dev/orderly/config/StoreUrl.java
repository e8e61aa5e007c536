package dev.orderly.config;

import java.nio.file.Path;

/** Which store, and where. What its text shows is not secret. */
public sealed interface StoreUrl {
    /** The embedded store, in one file of this machine. */
    record Sqlite(Path file) implements StoreUrl {
        @Override
        public String toString() {
            return "sqlite:" + file;
        }
    }

    /** A PostgreSQL database. */
    record Postgres(String url) implements StoreUrl {
        @Override
        public String toString() {
            return Problem.shown(url);
        }
    }

    /** A Redis or Valkey server; keeps no jobs. */
    record Redis(String url) implements StoreUrl {
        @Override
        public String toString() {
            return Problem.shown(url);
        }
    }
}
