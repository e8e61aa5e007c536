package dev.orderly.http.listener;

import dev.orderly.time.Time;
import dev.orderly.web.edge.ClientAddress;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections that have not sent yet what each has to begin with, such as a TLS handshake: bounded in number, and each
 * in time, however many bytes it sends. At the bound the oldest connection of the network with most of them is closed
 * for a new one, so that few addresses cannot keep others out. While more than half of the bound is taken, a connection
 * has 3 s at most.
 *
 * <p>Thread-safe. A change takes a lock, which is not held while connections are closed, and time that grows with the
 * logarithm of the number of networks.
 */
final class PendingConnections {
    private static final Duration HURRIED = Duration.ofSeconds(3);

    private final int most;
    private final long patience;
    private final long hurried;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final SequencedMap<Channel, Pending> pending = new LinkedHashMap<>();
    private final Map<String, Network> networks = new HashMap<>();
    /** The network with most connections first; of equal ones, that with the oldest connection. */
    private final TreeSet<Network> fullest = new TreeSet<>(
            Comparator.comparingInt((Network network) -> -network.pending.size())
                    .thenComparingLong(network -> network.oldest().number));
    private long added;

    /** @param since start of its time, monotonic */
    private record Pending(Channel channel, Network network, long number, long since) {}

    /** The connections of one network, at least one while the network is known. */
    private static final class Network {
        private final String key;
        private final SequencedMap<Channel, Pending> pending = new LinkedHashMap<>();

        Network(String key) {
            this.key = key;
        }

        Pending oldest() {
            return pending.firstEntry().getValue();
        }
    }

    /**
     * No connections.
     *
     * @param most connections at once, 1 or more
     * @param patience longest time of a connection
     */
    PendingConnections(int most, Duration patience, Time time) {
        this.most = most;
        this.patience = patience.toNanos();
        this.hurried = Math.min(this.patience, HURRIED.toNanos());
        this.time = time;
    }

    /** Adds an open connection until {@link #remove}, or until it is closed. Called on its event loop. */
    void add(Channel channel, InetAddress client) {
        List<Channel> over = new ArrayList<>();
        lock.lock();
        try {
            insert(channel, new ClientAddress(client).networkKey());
            removeLate(over);
            if (pending.size() > most) {
                Pending first = fullest.first().oldest();
                delete(first);
                over.add(first.channel);
            }
        } finally {
            lock.unlock();
        }
        channel.closeFuture().addListener(_ -> remove(channel));
        close(over);
    }

    /** Removes a connection: it has sent what it had to. Idempotent. */
    void remove(Channel channel) {
        lock.lock();
        try {
            Pending known = pending.get(channel);
            if (known != null) {
                delete(known);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes connections whose time is over. */
    void closeLate() {
        List<Channel> late = new ArrayList<>();
        lock.lock();
        try {
            removeLate(late);
        } finally {
            lock.unlock();
        }
        close(late);
    }

    private static void close(List<Channel> channels) {
        for (Channel channel : channels) {
            var _ = channel.close();
        }
    }

    /** The number of connections. */
    int count() {
        lock.lock();
        try {
            return pending.size();
        } finally {
            lock.unlock();
        }
    }

    private void insert(Channel channel, String key) {
        Network network = networks.computeIfAbsent(key, Network::new);
        if (!network.pending.isEmpty()) {
            fullest.remove(network); // its place depends on its connections
        }
        Pending one = new Pending(channel, network, added++, time.nanos());
        network.pending.put(channel, one);
        fullest.add(network);
        pending.put(channel, one);
    }

    private void delete(Pending one) {
        pending.remove(one.channel);
        fullest.remove(one.network);
        one.network.pending.remove(one.channel);
        if (one.network.pending.isEmpty()) {
            networks.remove(one.network.key);
        } else {
            fullest.add(one.network);
        }
    }

    private void removeLate(List<Channel> late) {
        long now = time.nanos();
        while (!pending.isEmpty()) {
            Pending oldest = pending.firstEntry().getValue();
            if (now - oldest.since < (pending.size() > most / 2 ? hurried : patience)) {
                return;
            }
            delete(oldest);
            late.add(oldest.channel);
        }
    }
}
