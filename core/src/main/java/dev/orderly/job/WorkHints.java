package dev.orderly.job;

import dev.orderly.store.Bus;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Lets nodes look at once for work that is there, this one and the others. A hint that is lost costs a poll. */
final class WorkHints {
    /** In front of the name of a queue, in which it cannot be. */
    private static final String RESUMED = "resumed ";

    private final ClaimLoop claims;
    private final Bus bus;
    private final Map<QueueName, DeclaredQueue> queues;

    WorkHints(ClaimLoop claims, Bus bus, Map<QueueName, DeclaredQueue> queues) {
        this.claims = claims;
        this.bus = bus;
        this.queues = queues;
        bus.subscribe(Bus.Topic.WORK, this::heard);
    }

    /** There may be work for this queue. Never blocks. */
    void tell(DeclaredQueue queue) {
        claims.hint(queue);
        bus.publish(Bus.Topic.WORK, queue.name.value().getBytes(StandardCharsets.UTF_8));
    }

    /** The queue is not paused any more, whether it is declared here or not. Never blocks. */
    void tellResumed(QueueName name) {
        DeclaredQueue queue = queues.get(name);
        if (queue != null) {
            claims.resumed(queue);
        }
        bus.publish(Bus.Topic.WORK, (RESUMED + name.value()).getBytes(StandardCharsets.UTF_8));
    }

    private void heard(byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        boolean resumed = text.startsWith(RESUMED);
        try {
            DeclaredQueue queue = queues.get(new QueueName(resumed ? text.substring(RESUMED.length()) : text));
            if (queue != null && resumed) {
                claims.resumed(queue);
            } else if (queue != null) {
                claims.hint(queue);
            }
        } catch (IllegalArgumentException _) {
            // of another version: the poll will find it
        }
    }
}
