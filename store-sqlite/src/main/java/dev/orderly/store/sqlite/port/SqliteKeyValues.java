package dev.orderly.store.sqlite.port;

import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The port of keys with values. Reads are requests to the writer too; they are rare. */
public final class SqliteKeyValues implements KeyValueStore {
    private final RequestQueue requests;

    public SqliteKeyValues(RequestQueue requests) {
        this.requests = requests;
    }

    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Optional<StoredValue> read(String key, Instant now) {
        return requests.ask(WriteRequest.shared(1,
                WriteRequest.work(state -> state.tables.values.read(key, now))));
    }

    @Override
    public OptionalLong replace(String key, long seen, String text, Instant until, Instant now) {
        KeyValueStore.check(key, text);
        return requests.ask(WriteRequest.shared(1,
                WriteRequest.work(state -> state.tables.values.replace(key, seen, text, until, now))));
    }
}
