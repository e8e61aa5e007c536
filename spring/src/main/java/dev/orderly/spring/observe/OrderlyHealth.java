package dev.orderly.spring.observe;

import dev.orderly.Orderly;
import dev.orderly.store.StoreException;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Health of Orderly in this process: down while the store cannot be written, or background work is stalled. */
public final class OrderlyHealth extends AbstractHealthIndicator {
    private final Orderly orderly;

    public OrderlyHealth(Orderly orderly) {
        super("The health of Orderly is not known");
        this.orderly = orderly;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        try {
            orderly.checkWritable();
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
