package dev.orderly.spring.boot;

import dev.orderly.Store;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.config.OrderlyProperties.Postgres;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import java.util.function.Supplier;

/** Opens stores in PostgreSQL. Apart, so that its classes are needed by those alone. */
final class PostgresStores {
    private PostgresStores() {}

    /** A store of the database of a data source, with connections of its own beside the application's. */
    static Store of(DataSourceAddress address, Postgres settings) {
        return PostgresStore.open(checked(() -> with(settings, PostgresOptions.at(address.withoutSession())
                .withCredentials(address.user(), address.password()))));
    }

    /** A store of another database; parameters of its address are left as they are. */
    static Store at(String url, Postgres settings) {
        return PostgresStore.open(checked(() -> url.startsWith("jdbc:")
                ? with(settings, PostgresOptions.at(url))
                : PostgresOptions.at(url)));
    }

    private static PostgresOptions with(Postgres settings, PostgresOptions options) {
        return options.withSchema(settings.schema()).withConnections(settings.connections())
                .withCallerHold(settings.callerHold());
    }

    private static PostgresOptions checked(Supplier<PostgresOptions> options) {
        try {
            return options.get();
        } catch (IllegalArgumentException e) {
            throw new StartRefusedException("orderly.postgres: " + e.getMessage(),
                    "Correct the property and start again.");
        }
    }
}
