package dev.orderly.live;

import dev.orderly.job.NodeId;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Presence in memory, for stores that one process owns. Never waits for anything. */
public final class PresenceBook implements PresenceStore {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<NodeId, Connected> nodes = new HashMap<>();

    private record Connected(Instant lastBeat, Set<UserId> users) {}

    @Override
    public Noted note(NodeId node, Set<UserId> came, Set<UserId> left) {
        lock.lock();
        try {
            Connected connected = nodes.get(node);
            if (connected == null) {
                return new Noted(false, Set.of());
            }
            Set<UserId> changed = new HashSet<>();
            for (UserId user : came) {
                boolean online = isOnline(user);
                if (connected.users.add(user) && !online) {
                    changed.add(user);
                }
            }
            for (UserId user : left) {
                if (connected.users.remove(user) && !isOnline(user)) {
                    changed.add(user);
                }
            }
            return new Noted(true, changed);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Beat beat(NodeId node, Instant now, Instant deadBefore) {
        lock.lock();
        try {
            Connected before = nodes.get(node);
            nodes.put(node, new Connected(now, before == null ? new HashSet<>() : before.users));
            Set<UserId> offline = new LinkedHashSet<>();
            Set<NodeId> dead = nodes.entrySet().stream()
                    .filter(each -> each.getValue().lastBeat.isBefore(deadBefore)).map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            dead.forEach(each -> offline.addAll(forget(nodes.remove(each))));
            return new Beat(before != null, offline);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<UserId> leave(NodeId node) {
        lock.lock();
        try {
            return forget(nodes.remove(node));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<UserId> elsewhere(NodeId node, Set<UserId> users) {
        lock.lock();
        try {
            return users.stream().filter(user -> nodes.entrySet().stream()
                    .anyMatch(each -> !each.getKey().equals(node) && each.getValue().users.contains(user)))
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    private Set<UserId> forget(@Nullable Connected gone) {
        return gone == null
                ? Set.of()
                : gone.users.stream().filter(user -> !isOnline(user)).collect(Collectors.toSet());
    }

    private boolean isOnline(UserId user) {
        return nodes.values().stream().anyMatch(each -> each.users.contains(user));
    }
}
