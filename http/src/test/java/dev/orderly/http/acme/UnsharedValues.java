package dev.orderly.http.acme;

import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** The store of one process. */
record UnsharedValues(KeyValueStore values) implements KeyValueStore {
    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public Optional<StoredValue> read(String key, Instant now) {
        return values.read(key, now);
    }

    @Override
    public OptionalLong replace(String key, long seen, String text, Instant until, Instant now) {
        return values.replace(key, seen, text, until, now);
    }
}
