package dev.orderly.testkit.jobsim;

import dev.orderly.store.Bus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The messages between nodes: late, lost at the seed's odds, never out of the order of their sender. */
final class SimulatedBus {
    private static final long LATENCY = TimeUnit.MILLISECONDS.toNanos(5);

    private final Turns turns;
    private final List<End> ends = new ArrayList<>();
    private double losses;

    SimulatedBus(Turns turns) {
        this.turns = turns;
    }

    /** @param odds of the loss of a message to a node */
    void losses(double odds) {
        losses = odds;
    }

    /** The end of a node. */
    final class End implements Bus {
        private final SimulatedNode node;
        private final List<Subscription> listeners = new ArrayList<>();
        private final Queue<Runnable> waiting = new ArrayDeque<>();
        private boolean busy;
        private long last;

        private record Subscription(Topic topic, Consumer<byte[]> listener) {}

        private End(SimulatedNode node) {
            this.node = node;
        }

        @Override
        public void publish(Topic topic, byte[] message) {
            Bus.check(message.length);
            last = Math.max(last, turns.now() + turns.within(LATENCY));
            for (End end : ends) {
                if (end != this && turns.random.nextDouble() >= losses) {
                    turns.at(last, () -> end.receive(topic, message));
                }
            }
        }

        @Override
        public void subscribe(Topic topic, Consumer<byte[]> listener) {
            listeners.add(new Subscription(topic, listener));
        }

        private void receive(Topic topic, byte[] message) {
            waiting.add(() -> List.copyOf(listeners).stream().filter(each -> each.topic == topic)
                    .forEach(each -> each.listener.accept(message)));
            if (!busy) {
                busy = true;
                node.start("bus", this::deliver);
            }
        }

        private void deliver() {
            for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                next.run();
            }
            busy = false;
        }
    }

    End join(SimulatedNode node) {
        End end = new End(node);
        ends.add(end);
        return end;
    }

    void leave(SimulatedNode node) {
        ends.removeIf(end -> end.node == node);
    }
}
