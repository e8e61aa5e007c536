package dev.orderly.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.postgres.sql.SchemaChoice;
import dev.orderly.store.postgres.sql.SchemaUse;
import dev.orderly.store.postgres.sql.SessionStart;
import dev.orderly.store.postgres.sql.UuidArray;

/** Settings of the pools of connections of a store. */
final class PostgresPools {
    private PostgresPools() {}

    /** Of transactions on the tables of a schema. */
    static HikariConfig ofTables(PostgresOptions options, String schema) {
        HikariConfig config = at(options);
        config.setPoolName("orderly-postgres");
        config.setMaximumPoolSize(options.connections());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(PostgresOptions.WAIT.toMillis());
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        // a property would give way to the address, which may be that of the application
        config.setConnectionInitSql(SessionStart.check() + "; " + SessionStart.settings() + "; "
                + SchemaChoice.searchPath(schema) + "; " + SchemaUse.share(schema));
        config.addDataSourceProperty("ApplicationName", "orderly");
        config.addDataSourceProperty("binaryTransferEnable", UuidArray.BINARY);
        options.patience(NodeTimes.ANSWER).forEach(config::addDataSourceProperty);
        return config;
    }

    /**
     * Of one connection, on which each statement commits by itself. A lost answer leaves time for two more beats.
     */
    static HikariConfig ofBeats(PostgresOptions options, String schema) {
        HikariConfig config = ofTables(options, schema);
        config.setPoolName("orderly-postgres-beats");
        config.setMaximumPoolSize(1);
        config.setAutoCommit(true);
        options.patience(NodeTimes.BEAT_ANSWER).forEach(config::addDataSourceProperty);
        return config;
    }

    /** Of the transactions of steps, with the settings that the server gives an application. */
    static HikariConfig ofSteps(PostgresOptions options, int connections) {
        HikariConfig config = at(options);
        config.setPoolName("orderly-postgres-steps");
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(NodeTimes.ANSWER.toMillis());
        config.setConnectionInitSql(SessionStart.check());
        config.addDataSourceProperty("ApplicationName", "orderly steps");
        // for the sign-in: a first server that is silent leaves time for the next
        options.patience(NodeTimes.BEAT_ANSWER).forEach(config::addDataSourceProperty);
        config.addDataSourceProperty("assumeMinServerVersion", "9.0"); // so that DISCARD leaves the name
        return config;
    }

    private static HikariConfig at(PostgresOptions options) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(options.url());
        if (options.user() != null) {
            config.setUsername(options.user());
        }
        if (options.password() != null) {
            config.setPassword(options.password());
        }
        config.setInitializationFailTimeout(-1);
        config.setAutoCommit(false);
        // commits the first statements, so that a rollback of the connection's first transaction keeps the settings
        config.setIsolateInternalQueries(true);
        options.choice().forEach(config::addDataSourceProperty);
        return config;
    }
}
