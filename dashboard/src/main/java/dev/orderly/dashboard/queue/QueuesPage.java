package dev.orderly.dashboard.queue;

import dev.orderly.dashboard.page.Page;
import dev.orderly.job.engine.QueueStatus;
import java.util.List;

/** All queues. */
public record QueuesPage(List<QueueStatus> queues) implements Page {
    @Override
    public String title() {
        return "Queues";
    }

    @Override
    public String template() {
        return "queue/queues.jte";
    }
}
