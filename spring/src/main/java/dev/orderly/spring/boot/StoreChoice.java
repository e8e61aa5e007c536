package dev.orderly.spring.boot;

import dev.orderly.Store;
import dev.orderly.spring.StartRefusedException;
import dev.orderly.spring.config.OrderlyProperties;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * The place of the jobs, chosen by {@code orderly.store}: the PostgreSQL database of the application's data source, a
 * PostgreSQL database of its own, or a SQLite file.
 *
 * @param dataSource the data source whose transactions pushes can be part of; null for none
 * @param name for the log, without secrets
 */
record StoreChoice(@Nullable DataSource dataSource, String name, Supplier<Store> opening) {
    private static final Logger LOG = LoggerFactory.getLogger(StoreChoice.class);
    private static final String OF_DATA_SOURCE = "datasource";
    private static final String SQLITE = "sqlite:";
    private static final String DEFAULT_FILE = "sqlite:data/orderly.db";

    /** @throws StartRefusedException if the choice cannot be met */
    static StoreChoice of(OrderlyProperties properties, BeanFactory beans) {
        String wanted = properties.getStore() == null ? "" : properties.getStore().strip();
        if (wanted.isEmpty()) {
            return byDefault(properties, beans);
        }
        if (wanted.equals(OF_DATA_SOURCE)) {
            return ofDataSource(properties, beans);
        }
        if (wanted.startsWith(SQLITE) && wanted.length() > SQLITE.length()) {
            return sqlite(wanted);
        }
        if (wanted.matches("(postgres|postgresql|jdbc:postgresql):.*")) {
            requirePostgres("orderly.store names a PostgreSQL database");
            return new StoreChoice(null, "a PostgreSQL database of its own",
                    () -> PostgresStores.at(wanted, properties.getPostgres()));
        }
        throw new StartRefusedException("orderly.store is none of datasource, sqlite:PATH and postgres://...",
                "For instance orderly.store: sqlite:data/orderly.db. Rooms and live messages in Redis need a bean of"
                        + " Store: Store.of(postgres, redis).");
    }

    /** Opens the store. Blocks. */
    Store open() {
        LOG.info("Orderly keeps its jobs in {}", name);
        return opening.get();
    }

    private static StoreChoice byDefault(OrderlyProperties properties, BeanFactory beans) {
        DataSource source = hasJdbc() ? beans.getBeanProvider(DataSource.class).getIfUnique() : null;
        if (source == null && hasJdbc() && beans instanceof ListableBeanFactory all
                && all.getBeanNamesForType(DataSource.class, true, false).length > 1) {
            throw new StartRefusedException("There are several data sources, and none is primary",
                    "Mark the one for the jobs @Primary, or set orderly.store to an address, such as " + DEFAULT_FILE);
        }
        if (source != null && DataSourceAddress.of(source, beans).isPostgres()) {
            return ofDataSource(properties, beans);
        }
        if (!isPresent("dev.orderly.store.sqlite.SqliteStore")) {
            throw new StartRefusedException("Orderly has no place for its jobs: "
                    + (source == null ? "there is no data source" : "the data source is not PostgreSQL")
                    + ", and orderly-store-sqlite is not on the class path",
                    "Add dev.orderly:orderly-store-sqlite for a file, or dev.orderly:orderly-store-postgres and set"
                            + " spring.datasource.url to a PostgreSQL database.");
        }
        return sqlite(DEFAULT_FILE);
    }

    private static StoreChoice ofDataSource(OrderlyProperties properties, BeanFactory beans) {
        DataSource source = hasJdbc() ? beans.getBeanProvider(DataSource.class).getIfUnique() : null;
        if (source == null) {
            throw new StartRefusedException(
                    "orderly.store is datasource, and there is no data source, or several without a"
                            + " primary one",
                    "Set spring.datasource.url, mark one data source @Primary, or set orderly.store to an address.");
        }
        DataSourceAddress address = DataSourceAddress.of(source, beans);
        if (!address.isPostgres()) {
            throw new StartRefusedException("orderly.store is datasource, and the data source is not PostgreSQL",
                    "Use a PostgreSQL database, or orderly.store: " + DEFAULT_FILE);
        }
        requirePostgres("The data source is PostgreSQL");
        return new StoreChoice(source, "the PostgreSQL database of the data source",
                () -> PostgresStores.of(address, properties.getPostgres()));
    }

    private static StoreChoice sqlite(String address) {
        if (!isPresent("dev.orderly.store.sqlite.SqliteStore")) {
            throw new StartRefusedException(
                    "orderly.store is a SQLite file, and orderly-store-sqlite is not on the class path",
                    "Add the dependency dev.orderly:orderly-store-sqlite.");
        }
        return new StoreChoice(null, address, () -> SqliteStores.at(address.substring(SQLITE.length())));
    }

    private static void requirePostgres(String because) {
        if (!isPresent("dev.orderly.store.postgres.PostgresStore")) {
            throw new StartRefusedException(because + ", and orderly-store-postgres is not on the class path",
                    "Add the dependency dev.orderly:orderly-store-postgres, or set orderly.store: " + DEFAULT_FILE);
        }
    }

    private static boolean hasJdbc() {
        return isPresent("org.springframework.jdbc.datasource.ConnectionHolder");
    }

    private static boolean isPresent(String type) {
        return ClassUtils.isPresent(type, StoreChoice.class.getClassLoader());
    }
}
