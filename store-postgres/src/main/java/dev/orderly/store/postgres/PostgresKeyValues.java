package dev.orderly.store.postgres;

import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The port of keys with values. A replacement locks its row, and the rows of ended values, until the commit. */
final class PostgresKeyValues implements KeyValueStore {
    private final Transactions transactions;

    PostgresKeyValues(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public Optional<StoredValue> read(String key, Instant now) {
        return transactions.run(connection -> Optional.ofNullable(
                new Sql(connection, "SELECT version, text FROM key_value WHERE key = ? AND until > ?").with(key)
                        .with(now.toEpochMilli()).first(row -> new StoredValue(row.getLong(1), row.getString(2)))));
    }

    @Override
    public OptionalLong replace(String key, long seen, String text, Instant until, Instant now) {
        KeyValueStore.check(key, text);
        return transactions.run(connection -> {
            new Sql(connection, "DELETE FROM key_value WHERE until <= ?").with(now.toEpochMilli()).update();
            return version((seen == ABSENT
                    ? new Sql(connection, "INSERT INTO key_value(text, until, key) VALUES(?, ?, ?)"
                            + " ON CONFLICT DO NOTHING RETURNING version").with(text).with(until.toEpochMilli())
                            .with(key)
                    : new Sql(connection, "UPDATE key_value SET text = ?, until = ?, version = DEFAULT"
                            + " WHERE key = ? AND version = ? RETURNING version").with(text)
                            .with(until.toEpochMilli()).with(key).with(seen))
                    .first(row -> row.getLong(1)));
        });
    }

    private static OptionalLong version(@Nullable Long found) {
        return found == null ? OptionalLong.empty() : OptionalLong.of(found);
    }
}
