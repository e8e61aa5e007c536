package dev.orderly.dashboard.queue;

import dev.orderly.dashboard.page.Page;
import java.util.List;

/** All queues. */
public record QueueListPage(List<QueueRow> queues) implements Page {
    @Override
    public String title() {
        return "Queues";
    }

    @Override
    public String template() {
        return "queue/queues.jte";
    }
}
