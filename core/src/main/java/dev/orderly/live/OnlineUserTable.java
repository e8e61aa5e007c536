package dev.orderly.live;

import dev.orderly.Internal;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.NodeLiveness;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** Presence in memory, for stores that a single process owns. Never waits for I/O. */
@Internal(to = "dev.orderly")
public final class OnlineUserTable implements OnlineUserStore {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<NodeId, Set<UserId>> nodes = new HashMap<>();
    private final NodeLiveness liveness;

    /** @param time the monotonic clock by which nodes are found dead */
    public OnlineUserTable(Time time) {
        this.liveness = new NodeLiveness(time);
    }

    @Override
    public Noted note(NodeId node, Set<UserId> came, Set<UserId> left) {
        lock.lock();
        try {
            Set<UserId> connected = nodes.get(node);
            if (connected == null) {
                return new Noted(false, Set.of());
            }
            Set<UserId> changed = new HashSet<>();
            for (UserId user : came) {
                boolean online = isOnline(user);
                if (connected.add(user) && !online) {
                    changed.add(user);
                }
            }
            for (UserId user : left) {
                if (connected.remove(user) && !isOnline(user)) {
                    changed.add(user);
                }
            }
            return new Noted(true, changed);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Beat beat(NodeId node, Duration deadAfter) {
        lock.lock();
        try {
            liveness.beat(node);
            boolean known = nodes.putIfAbsent(node, new HashSet<>()) != null;
            Set<UserId> offline = new LinkedHashSet<>();
            liveness.silent(deadAfter).forEach(dead -> offline.addAll(forget(dead)));
            return new Beat(known, offline);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<UserId> leave(NodeId node) {
        lock.lock();
        try {
            return forget(node);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<UserId> elsewhere(NodeId node, Set<UserId> users) {
        lock.lock();
        try {
            return users.stream().filter(user -> nodes.entrySet().stream()
                    .anyMatch(each -> !each.getKey().equals(node) && each.getValue().contains(user)))
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    private Set<UserId> forget(NodeId node) {
        liveness.forget(node);
        Set<UserId> gone = nodes.remove(node);
        return gone == null ? Set.of() : gone.stream().filter(user -> !isOnline(user)).collect(Collectors.toSet());
    }

    private boolean isOnline(UserId user) {
        return nodes.values().stream().anyMatch(each -> each.contains(user));
    }
}
