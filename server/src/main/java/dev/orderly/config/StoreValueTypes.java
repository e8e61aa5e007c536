package dev.orderly.config;

import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.redis.RedisOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** The addresses of stores. */
public final class StoreValueTypes {
    private static final String SQLITE = "sqlite:";
    private static final Pattern POSTGRES = Pattern.compile("postgres(ql)?://.*"
            + "|jdbc:postgresql://[^/?#]+/[^/?#]+(\\?[^#]*)?");
    private static final Pattern REDIS = Pattern.compile("rediss?(-cluster)?://[^#]*|rediss?-sentinel://.*");
    private static final int LONGEST = 2_000;
    private static final String RULE = "sqlite: and the path of the database file, or"
            + " postgres://USER:PASSWORD@HOST:PORT/DATABASE with ?schema=, ?connections= and ?caller-hold= as options,"
            + " and HOST:PORT,HOST:PORT for a primary and its standbys (or the address of JDBC, jdbc:postgresql://…)";

    private StoreValueTypes() {}

    /** A store for jobs, and for everything else. */
    static ValueType<StoreUrl> everything() {
        return new ValueType<>(RULE + " (Redis keeps rooms only)", text -> sqlite(text).or(() -> postgres(text)),
                "sqlite:data/orderly.db");
    }

    /** A store for rooms. */
    public static ValueType<StoreUrl> rooms() {
        return new ValueType<>(RULE + ", or redis://USER:PASSWORD@HOST:PORT (rediss:// with TLS), or"
                + " redis-sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT#NAME of a primary, or"
                + " redis-cluster://USER:PASSWORD@HOST:PORT,HOST:PORT, with ?replicas= as option",
                text -> sqlite(text).or(() -> postgres(text)).or(() -> redis(text)), "redis://127.0.0.1:6379");
    }

    private static Optional<StoreUrl> sqlite(String text) {
        return Optional.of(text).filter(t -> t.startsWith(SQLITE)).map(t -> t.substring(SQLITE.length()))
                .filter(ValueTypes::isFilePath).map(path -> new StoreUrl.Sqlite(Path.of(path)));
    }

    private static Optional<StoreUrl> postgres(String text) {
        return address(text, POSTGRES).filter(_ -> holds(() -> PostgresOptions.at(text))).map(StoreUrl.Postgres::new);
    }

    private static Optional<StoreUrl> redis(String text) {
        return address(text, REDIS).filter(_ -> holds(() -> RedisOptions.at(text))).map(StoreUrl.Redis::new);
    }

    private static Optional<String> address(String text, Pattern form) {
        return Optional.of(text).filter(each -> each.length() <= LONGEST && form.matcher(each).matches());
    }

    private static boolean holds(Supplier<?> reading) {
        try {
            return reading.get() != null;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
