package dev.orderly.live;

import dev.orderly.flow.LogLimit;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells who came online and who went offline, each user's changes one after the other. Since they alternate, what is
 * still to be told is a number and needs no queue.
 */
final class Presence {
    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);

    private final Executor threads;
    private final LogLimit failures;
    private final List<Consumer<UserId>> onOnline = new CopyOnWriteArrayList<>();
    private final List<Consumer<UserId>> onOffline = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<UserId, Owed> owed = new ConcurrentHashMap<>();

    /** @param threads runs what is told, never on the calling thread */
    Presence(Executor threads, Time time) {
        this.threads = threads;
        this.failures = new LogLimit(LOG, time);
    }

    /**
     * What is still to be told.
     *
     * @param online what the next change is
     * @param first nobody tells it yet
     */
    private record Owed(boolean online, long changes, boolean first) {}

    void onOnline(Consumer<UserId> action) {
        onOnline.add(action);
    }

    void onOffline(Consumer<UserId> action) {
        onOffline.add(action);
    }

    /** Calls of one user come one at a time, in the order of the changes. Never blocks. */
    void changed(UserId user, boolean online) {
        if (onOnline.isEmpty() && onOffline.isEmpty()) {
            return;
        }
        Owed now = owed.compute(user, (_, before) -> before == null
                ? new Owed(online, 1, true)
                : new Owed(before.online(), before.changes() + 1, false));
        if (now != null && now.first()) {
            begin(user);
        }
    }

    private void begin(UserId user) {
        try {
            threads.execute(() -> tell(user));
        } catch (Throwable e) { // the user's next change tries again
            owed.remove(user);
            throw e;
        }
    }

    private void tell(UserId user) {
        for (Owed next = owed.get(user); next != null; next = told(user)) {
            boolean online = next.online();
            for (Consumer<UserId> action : online ? onOnline : onOffline) {
                tell(user, online, action);
            }
        }
    }

    private void tell(UserId user, boolean online, Consumer<UserId> action) {
        try {
            UserScope.run(user, () -> action.accept(user));
        } catch (Throwable e) { // whatever a callback throws harms nobody else
            failures.error("A callback failed that was told that user {} is {}", user, online ? "online" : "offline",
                    e);
        }
    }

    private @Nullable Owed told(UserId user) {
        return owed.compute(user, (_, before) -> before == null || before.changes() <= 1
                ? null
                : new Owed(!before.online(), before.changes() - 1, false));
    }
}
