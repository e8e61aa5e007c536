package dev.orderly.dashboard.overview;

import dev.orderly.dashboard.page.Page;
import dev.orderly.dashboard.queue.QueueRow;
import dev.orderly.node.NodeStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The overview.
 *
 * @param queues the queues, the one with the oldest waiting job first; null while their store does not answer
 * @param moreQueues queues that are left out
 */
public record OverviewPage(List<AttentionItem> attention, List<RoomSummary> rooms,
        @Nullable List<QueueRow> queues,
        int moreQueues, List<NodeStatus> nodes) implements Page {
    @Override
    public String title() {
        return "Overview";
    }

    @Override
    public String template() {
        return "overview/overview.jte";
    }
}
