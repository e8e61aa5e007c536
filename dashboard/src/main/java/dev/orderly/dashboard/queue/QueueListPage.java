package dev.orderly.dashboard.queue;

import dev.orderly.dashboard.page.Page;
import java.util.List;

/** All queues, and the limits over all nodes that they have. */
public record QueueListPage(List<QueueRow> queues, List<LimitRow> limits) implements Page {
    @Override
    public String title() {
        return "Queues";
    }

    @Override
    public String template() {
        return "queue/queues.jte";
    }
}
