package dev.orderly.testkit;

import dev.orderly.store.Bus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The bus of a memory store, with an end for each node. Each end delivers in order, on a virtual thread of its own. */
final class MemoryBus implements Bus {
    private final List<MemoryBus> ends;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Message> waiting = new ArrayDeque<>();
    private final List<Subscription> listeners = new ArrayList<>();
    private boolean busy;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Message(Topic topic, byte[] message) {}

    private record Subscription(Topic topic, Consumer<byte[]> listener) {}

    MemoryBus() {
        this(new CopyOnWriteArrayList<>());
    }

    private MemoryBus(List<MemoryBus> ends) {
        this.ends = ends;
        ends.add(this);
    }

    MemoryBus another() {
        return new MemoryBus(ends);
    }

    @Override
    public void publish(Topic topic, byte[] message) {
        Bus.check(message.length);
        if (!ends.contains(this)) {
            return;
        }
        ends.stream().filter(end -> end != this).forEach(end -> end.receive(new Message(topic, message)));
    }

    @Override
    public void subscribe(Topic topic, Consumer<byte[]> listener) {
        lock.lock();
        try {
            listeners.add(new Subscription(topic, listener));
        } finally {
            lock.unlock();
        }
    }

    /** This end no longer sends or receives. */
    void leave() {
        ends.remove(this);
    }

    private void receive(Message message) {
        boolean idle;
        lock.lock();
        try {
            waiting.add(message);
            idle = !busy;
            busy = true;
        } finally {
            lock.unlock();
        }
        if (idle) {
            Thread.ofVirtual().name("memory-bus").start(this::deliver);
        }
    }

    private void deliver() {
        for (Message next = next(); next != null; next = next()) {
            for (Subscription listening : listenings()) {
                if (listening.topic == next.topic) {
                    listening.listener.accept(next.message);
                }
            }
        }
    }

    private List<Subscription> listenings() {
        lock.lock();
        try {
            return List.copyOf(listeners);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Message next() {
        lock.lock();
        try {
            Message next = waiting.poll();
            busy = next != null;
            return next;
        } finally {
            lock.unlock();
        }
    }
}
