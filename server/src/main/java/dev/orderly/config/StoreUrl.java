package dev.orderly.config;

import dev.orderly.config.source.ConfigProblem;
import java.nio.file.Path;

/** Kind and address of a store. Its text form contains no secret. */
public sealed interface StoreUrl {
    /** Whether it is a server, which other nodes use too, and no file of this machine. */
    default boolean isShared() {
        return !(this instanceof Sqlite);
    }

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
            return ConfigProblem.shown(url);
        }
    }

    /** A Redis or Valkey server; stores no jobs. */
    record Redis(String url) implements StoreUrl {
        @Override
        public String toString() {
            return ConfigProblem.shown(url);
        }
    }
}
