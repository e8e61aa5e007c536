package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.WritableContract;

/** A server with read-only transactions, which hosted services set when the disk is full. It still writes its log. */
class PostgresWritableTest extends WritableContract {
    @Override
    protected Store open() {
        return Server.open(Server.fresh());
    }

    @Override
    protected void refuseWrites(Store store) {
        readOnly("SET default_transaction_read_only = on", store);
    }

    @Override
    protected void allowWrites(Store store) {
        readOnly("RESET default_transaction_read_only", store);
    }

    private static void readOnly(String change, Store store) {
        Server.run("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I " + change + "', current_database()); END $$",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
                        + ((Server.Opened) store).options().schema() + "'");
    }
}
