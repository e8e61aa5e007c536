package dev.orderly.config;

import dev.orderly.http.alert.AlertKind;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Alerts.
 *
 * @param url of the receiver
 * @param longestWait a longer wait in a room is reported; null for none
 * @param oldestJob a waiting job that is older is reported; null for none
 * @param off kinds that are not reported
 */
public record AlertConfig(URI url, @Nullable Duration longestWait, @Nullable Duration oldestJob, Set<AlertKind> off) {
    public AlertConfig {
        off = off.isEmpty() ? EnumSet.noneOf(AlertKind.class) : EnumSet.copyOf(off);
    }

    /** Whether a kind is reported. */
    public boolean tells(AlertKind kind) {
        return !off.contains(kind);
    }
}
