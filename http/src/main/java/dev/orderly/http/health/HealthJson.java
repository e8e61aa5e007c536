package dev.orderly.http.health;

import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of an endpoint of health. */
@Doc(name = "Health")
public record HealthJson(Status status,
        @Doc("The result of each check by its name: ok, or why it failed. Only of"
                + " ready.") @OmitNull @Nullable Map<String, String> checks,
        @Doc("Faults with which the node is ready nevertheless, such as a certificate that"
                + " expires.") @OmitNull @Nullable List<String> warnings) {
    /** What holds. */
    enum Status {
        LIVE, READY
    }
}
