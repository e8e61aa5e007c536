package dev.orderly.http.intake;

import dev.orderly.http.openapi.Doc;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.util.RawValue;

/** The members of a line that {@link PushLines} reads. */
@Doc(name = "BatchLine", value = "One job of several.")
record PushLine(@Doc("Any JSON; stored byte for byte.") RawValue payload, @Nullable String group,
        @Nullable String dedupe, @Doc("As the parameter `unique` of a push.") @Nullable String unique,
        @Nullable String delay, @Doc("As the parameter `expires` of a push.") @Nullable String expires,
        @Doc(facets = "minimum: 1, maximum: 4") @Nullable Integer priority,
        @Doc(facets = "minimum: 1, maximum: 1000") @Nullable Integer attempts,
        @Doc("As the parameter `timeout` of a push.") @Nullable String timeout,
        @Doc("At most 32, together at most 8 KiB.") @Nullable Map<String, String> params, @Nullable String user,
        @Doc("As the parameter `debounce` of a push.") @Nullable String debounce,
        @Doc("As the parameter `at-most` of a push.") @Nullable String atMost,
        @Doc("As the parameter `dedupe-for` of a push.") @Nullable String dedupeFor,
        @Doc(facets = "minimum: 1, maximum: 1000000") @Nullable Integer cost) {
    static final String EXAMPLE = """
            {"payload":{"to":"ada@example.org"},"dedupe":"order-42"}
            {"payload":{"to":"bob@example.org"},"delay":"30s"}
            """;
}
