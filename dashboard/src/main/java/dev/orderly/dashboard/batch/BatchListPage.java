package dev.orderly.dashboard.batch;

import dev.orderly.dashboard.page.Page;
import dev.orderly.job.BatchView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Batches, the newest first.
 *
 * @param next number below which the next page begins; null on the last page
 */
public record BatchListPage(List<BatchView> batches, @Nullable Long next) implements Page {
    @Override
    public String title() {
        return "Batches";
    }

    @Override
    public String template() {
        return "batch/batches.jte";
    }
}
