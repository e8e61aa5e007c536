package dev.orderly.live;

import dev.orderly.Registration;
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
 * Reports to callbacks which users came online or went offline. The changes of one user are reported one after the
 * other. They alternate, so pending changes are a count and need no queue.
 */
final class OnlineChanges {
    private static final Logger LOG = LoggerFactory.getLogger(OnlineChanges.class);

    private final Executor threads;
    private final LogLimit failures;
    private final List<Consumer<UserId>> onOnline = new CopyOnWriteArrayList<>();
    private final List<Consumer<UserId>> onOffline = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<UserId, PendingReport> pending = new ConcurrentHashMap<>();

    /** @param threads run the callbacks, never on the calling thread */
    OnlineChanges(Executor threads, Time time) {
        this.threads = threads;
        this.failures = new LogLimit(LOG, time);
    }

    /**
     * Changes of a user that are not reported yet.
     *
     * @param online the direction of the next change
     * @param first no thread reports it yet
     */
    private record PendingReport(boolean online, long changes, boolean first) {}

    Registration onOnline(Consumer<UserId> action) {
        return add(onOnline, action);
    }

    Registration onOffline(Consumer<UserId> action) {
        return add(onOffline, action);
    }

    private static Registration add(List<Consumer<UserId>> actions, Consumer<UserId> action) {
        actions.add(action);
        return Registration.of(() -> actions.remove(action));
    }

    /** Changes of one user are reported one at a time, in their order. Never blocks. */
    void changed(UserId user, boolean online) {
        if (onOnline.isEmpty() && onOffline.isEmpty()) {
            return;
        }
        PendingReport now = pending.compute(user, (_, before) -> before == null
                ? new PendingReport(online, 1, true)
                : new PendingReport(before.online(), before.changes() + 1, false));
        if (now != null && now.first()) {
            begin(user);
        }
    }

    private void begin(UserId user) {
        try {
            threads.execute(() -> reportAll(user));
        } catch (Throwable e) { // the user's next change starts anew
            pending.remove(user);
            throw e;
        }
    }

    private void reportAll(UserId user) {
        for (PendingReport next = pending.get(user); next != null; next = reported(user)) {
            boolean online = next.online();
            for (Consumer<UserId> action : online ? onOnline : onOffline) {
                report(user, online, action);
            }
        }
    }

    private void report(UserId user, boolean online, Consumer<UserId> action) {
        try {
            UserScope.run(user, () -> action.accept(user));
        } catch (Throwable e) { // one callback's failure does not affect the others
            failures.error("A callback failed for user {}, who is now {}", user, online ? "online" : "offline", e);
        }
    }

    private @Nullable PendingReport reported(UserId user) {
        return pending.compute(user, (_, before) -> before == null || before.changes() <= 1
                ? null
                : new PendingReport(!before.online(), before.changes() - 1, false));
    }
}
