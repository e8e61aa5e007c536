package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.job.JobId;
import dev.orderly.job.store.Rest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The rest of a key or of a limit. */
@Doc(name = "Rest", value = "A time in which no job of a key, or of a limit, starts, as a throttled attempt has said;"
        + " null for none.")
record RestJson(Instant until, @Doc("The job whose attempt was throttled.") JobId job, int attempt) {
    static @Nullable RestJson of(@Nullable Rest rest) {
        return rest == null ? null : new RestJson(rest.until(), rest.job(), rest.attempt());
    }
}
