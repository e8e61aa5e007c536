package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.store.KeyView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A key of a queue. */
@Doc(name = "Key")
record KeyJson(String key, @Doc("Running jobs of the key.") int running,
        @Doc("Starts that count towards the rate of each key; 0 without one.") int started,
        @Doc("From when its rate and its rest allow another start; null if they allow one"
                + " now.") @Nullable Instant next,
        @Nullable RestJson rest,
        @Doc("When the oldest of its waiting jobs was pushed; null if none waits.") @Nullable Instant oldest) {
    /** Keys of a queue. */
    @Doc(name = "Keys")
    record All(List<KeyJson> keys) {}

    static KeyJson of(KeyView view) {
        return new KeyJson(view.key(), view.running(), view.started(), view.next(), RestJson.of(view.rest()),
                view.oldest());
    }
}
