package dev.orderly.job.engine;

import dev.orderly.job.QueueName;
import dev.orderly.store.Bus;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues that this node has declared, and the hints that they hold work: nodes exchange them over the bus, so that
 * each claims at once. A hint that is lost costs a poll. Thread-safe; no method blocks.
 */
final class DeclaredQueues {
    /** Prefix of a message; no queue name has a space. */
    private static final String RESUMED = "resumed ";

    private final Bus bus;
    private final ConcurrentMap<QueueName, DeclaredQueue> queues = new ConcurrentHashMap<>();
    private volatile Runnable claimer = () -> {};

    DeclaredQueues(Bus bus) {
        this.bus = bus;
        bus.subscribe(Bus.Topic.WORK, this::received);
    }

    /** @throws IllegalStateException if the queue is declared with another type or other options */
    void declare(DeclaredQueue queue) {
        DeclaredQueue before = queues.putIfAbsent(queue.name, queue);
        if (before != null && !before.isDeclaredLike(queue)) {
            throw new IllegalStateException(
                    "Queue " + queue.name + " is declared twice: as " + before + ", and as " + queue);
        }
    }

    @Nullable
    DeclaredQueue get(QueueName name) {
        return queues.get(name);
    }

    Collection<DeclaredQueue> all() {
        return queues.values();
    }

    /** Sets what is run when this node should claim; without it hints only reach other nodes. It must not block. */
    void onWork(Runnable wakeClaimer) {
        claimer = wakeClaimer;
    }

    /** Lets this node claim now. */
    void wake() {
        claimer.run();
    }

    /** Hints on this node at work. A paused queue is not claimed from until the next poll or {@link #resumed}. */
    void hint(DeclaredQueue queue) {
        queue.hint();
        if (queue.free() > 0 && !queue.isPaused()) {
            claimer.run();
        }
    }

    /** Hints on all nodes at work. */
    void hintEverywhere(DeclaredQueue queue) {
        hint(queue);
        bus.publish(Bus.Topic.WORK, queue.name.value().getBytes(StandardCharsets.UTF_8));
    }

    /** Ends the pause of a queue on all nodes; this one need not have declared it. */
    void resumeEverywhere(QueueName name) {
        resumed(name);
        bus.publish(Bus.Topic.WORK, (RESUMED + name.value()).getBytes(StandardCharsets.UTF_8));
    }

    private void resumed(QueueName name) {
        DeclaredQueue queue = queues.get(name);
        if (queue != null) {
            queue.setPaused(false);
            hint(queue);
        }
    }

    private void received(byte[] message) {
        String text = new String(message, StandardCharsets.UTF_8);
        try {
            if (text.startsWith(RESUMED)) {
                resumed(new QueueName(text.substring(RESUMED.length())));
            } else {
                DeclaredQueue queue = queues.get(new QueueName(text));
                if (queue != null) {
                    hint(queue);
                }
            }
        } catch (IllegalArgumentException _) {
            // a message of another version: the poll finds the work
        }
    }
}
