package dev.orderly.dashboard.search;

import dev.orderly.dashboard.page.Page;
import dev.orderly.job.bulk.BulkRequest.Action;
import dev.orderly.job.bulk.BulkStatus;
import dev.orderly.job.bulk.BulkStatus.Phase;
import java.util.List;

/**
 * A bulk operation and its progress, or all of the node.
 *
 * @param operations one, or all
 */
public record BulkRunPage(List<BulkStatus> operations, boolean single) implements Page {
    @Override
    public String title() {
        return single
                ? (operations.getFirst().request().action() == Action.REDRIVE ? "Redriving" : "Deleting")
                : "Bulk operations";
    }

    @Override
    public String template() {
        return "search/running.jte";
    }

    public boolean runs(BulkStatus status) {
        return status.phase() == Phase.RUNNING;
    }

    /** The size of the whole, at least 1. */
    public long whole(BulkStatus status) {
        return Math.max(1, Math.max(status.expected().jobs(), status.looked()));
    }
}
