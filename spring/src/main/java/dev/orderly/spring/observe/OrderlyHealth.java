package dev.orderly.spring.observe;

import dev.orderly.Orderly;
import dev.orderly.store.StoreException;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health of Orderly in this process: down while a store that is this process's own cannot be written, or background
 * work is stalled. The outage of a shared store is a warning of a process that is up: no other process would do better.
 */
public final class OrderlyHealth extends AbstractHealthIndicator {
    private final Orderly orderly;

    public OrderlyHealth(Orderly orderly) {
        super("The health of Orderly is not known");
        this.orderly = orderly;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        try {
            orderly.stores().checkOwn();
        } catch (StoreException e) {
            health.down().withDetail("store", String.valueOf(e.getMessage()));
            return;
        }
        List<String> stalls = orderly.stalls();
        if (stalls.isEmpty()) {
            health.up();
        } else {
            health.down().withDetail("stalled", stalls);
        }
        List<String> warnings = orderly.warnings();
        if (!warnings.isEmpty()) {
            health.withDetail("warnings", warnings);
        }
    }
}
