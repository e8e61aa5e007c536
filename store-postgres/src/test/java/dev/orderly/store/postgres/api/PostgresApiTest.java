package dev.orderly.store.postgres.api;

import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.postgres.Server;
import dev.orderly.testkit.contract.api.PublicApiContract;
import org.junit.jupiter.api.AfterEach;

/** The public API of the store in PostgreSQL. */
class PostgresApiTest extends PublicApiContract {
    private final PostgresOptions options = Server.fresh();
    private final PostgresStore store = PostgresStore.open(options);

    PostgresApiTest() {
        super(PostgresStore.class, 5);
        samples().with(store, options).with(String.class, "jdbc:postgresql://none/none");
    }

    @AfterEach
    void close() {
        store.close();
        Server.run("DROP SCHEMA " + options.schema() + " CASCADE");
    }
}
