package dev.orderly.config;

import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.redis.RedisOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The addresses of stores. */
public final class StoreValueTypes {
    private static final String SQLITE = "sqlite:";
    private static final String JDBC = "jdbc:";
    private static final Set<String> POSTGRES = Set.of("postgres", "postgresql");
    private static final Set<String> REDIS = Set.of("redis", "rediss");
    private static final String RULE = "sqlite: and the path of the database file, or"
            + " postgres://USER:PASSWORD@HOST:PORT/DATABASE with ?schema=, ?connections= and ?caller-hold= as options"
            + " (or the address of JDBC, jdbc:postgresql://…)";

    private StoreValueTypes() {}

    /** A store for jobs, and for everything else. */
    static ValueType<StoreUrl> everything() {
        return new ValueType<>(RULE + " (Redis keeps rooms only)", text -> sqlite(text).or(() -> postgres(text)),
                "sqlite:data/orderly.db");
    }

    /** A store for rooms. */
    public static ValueType<StoreUrl> rooms() {
        return new ValueType<>(RULE + ", or redis://USER:PASSWORD@HOST:PORT (rediss:// with TLS)",
                text -> sqlite(text).or(() -> postgres(text)).or(() -> redis(text)), "redis://127.0.0.1:6379");
    }

    private static Optional<StoreUrl> sqlite(String text) {
        return Optional.of(text).filter(t -> t.startsWith(SQLITE)).map(t -> t.substring(SQLITE.length()))
                .filter(ValueTypes::isFilePath).map(path -> new StoreUrl.Sqlite(Path.of(path)));
    }

    private static Optional<StoreUrl> postgres(String text) {
        String address = text.startsWith(JDBC) ? text.substring(JDBC.length()) : text;
        return ValueTypes.uri(address).filter(uri -> isServer(uri, POSTGRES) && holds(() -> PostgresOptions.at(text)))
                .map(_ -> new StoreUrl.Postgres(text));
    }

    private static Optional<StoreUrl> redis(String text) {
        return ValueTypes.uri(text).filter(uri -> isServer(uri, REDIS) && holds(() -> RedisOptions.at(text)))
                .map(_ -> new StoreUrl.Redis(text));
    }

    private static boolean holds(Supplier<?> reading) {
        try {
            return reading.get() != null;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static boolean isServer(URI uri, Set<String> schemes) {
        return uri.getScheme() != null && schemes.contains(uri.getScheme()) && uri.getHost() != null
                && uri.getRawFragment() == null;
    }
}
