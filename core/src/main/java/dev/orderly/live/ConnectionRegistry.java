package dev.orderly.live;

import dev.orderly.user.UserId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The users who are connected to this node. Thread-safe, never blocks. */
final class ConnectionRegistry {
    private final int perUser;
    private final OnlineReporter presence;
    private final SendRates<UserId> rates;
    private final ConcurrentMap<UserId, List<LiveSession>> users = new ConcurrentHashMap<>();

    /** @param rates a user's rate is forgotten with the last connection */
    ConnectionRegistry(int perUser, OnlineReporter presence, SendRates<UserId> rates) {
        this.perUser = perUser;
        this.presence = presence;
        this.rates = rates;
    }

    /**
     * Adds a session unless the user has too many.
     *
     * @param welcome sent before any other message; null for none
     */
    boolean add(LiveSession session, @Nullable Message welcome) {
        boolean[] added = {false};
        users.compute(session.user(), (user, before) -> {
            List<LiveSession> now = before == null ? List.of() : before;
            if (now.size() >= perUser) {
                return before;
            }
            added[0] = true;
            if (welcome != null) {
                session.transport().send(welcome);
            }
            if (now.isEmpty()) {
                presence.changed(user);
                return List.of(session);
            }
            List<LiveSession> more = new ArrayList<>(now);
            more.add(session);
            return List.copyOf(more);
        });
        return added[0];
    }

    /** Idempotent. */
    void remove(LiveSession session) {
        users.computeIfPresent(session.user(), (user, before) -> {
            List<LiveSession> left = before.stream().filter(other -> other != session).toList();
            if (left.isEmpty()) {
                presence.changed(user);
                rates.forget(user);
                return null;
            }
            return left.size() == before.size() ? before : left;
        });
    }

    void deliver(Collection<UserId> receivers, Message message) {
        for (UserId user : receivers) {
            for (LiveSession session : users.getOrDefault(user, List.of())) {
                session.transport().send(message);
            }
        }
    }

    int connections(UserId user) {
        return users.getOrDefault(user, List.of()).size();
    }

    /** The number of connected users. */
    int size() {
        return users.size();
    }

    /** Users in the order of their ids, behind one of them; looks at all users, in memory. */
    List<OnlineUser> page(@Nullable UserId after, int limit) {
        return users.entrySet().stream()
                .filter(entry -> after == null || entry.getKey().value().compareTo(after.value()) > 0)
                .sorted(Comparator.comparing(entry -> entry.getKey().value())).limit(limit)
                .map(entry -> new OnlineUser(entry.getKey(), entry.getValue().size())).toList();
    }

    List<OpenConnection> of(UserId user) {
        return users.getOrDefault(user, List.of()).stream().map(LiveSession::view).toList();
    }

    boolean hasRoom(UserId user) {
        return connections(user) < perUser;
    }

    void forEach(Consumer<LiveSession> action) {
        users.values().forEach(sessions -> sessions.forEach(action));
    }
}
