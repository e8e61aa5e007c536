package dev.orderly.room.quota;

import dev.orderly.room.VisitorId;
import dev.orderly.room.token.JoinWait;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The waits before a place that were used at this gate, and the tickets of their places: each gives one place here,
 * also if it is shown by several tabs, or again after a lost answer. Bounded: beyond {@value
 * #WAITS_MOST} all are forgotten. Thread-safe.
 */
public final class UsedWaits {
    private static final int WAITS_MOST = 200_000;

    private final ConcurrentMap<VisitorId, Use> used = new ConcurrentHashMap<>();

    private record Use(Instant until, CompletionStage<Optional<String>> ticket) {}

    /**
     * Uses a wait.
     *
     * @param ticket will be the ticket of the place; empty if none was taken
     * @return the ticket of the use before this; null if this is the first
     */
    public @Nullable CompletionStage<Optional<String>> use(JoinWait wait, CompletionStage<Optional<String>> ticket) {
        Use before = used.putIfAbsent(wait.id(), new Use(wait.until(), ticket));
        return before == null ? null : before.ticket();
    }

    /** Gives back a wait whose place was not taken. */
    public void giveBack(JoinWait wait) {
        used.remove(wait.id());
    }

    public void tidy(Instant now) {
        used.values().removeIf(use -> !now.isBefore(use.until()));
        if (used.size() > WAITS_MOST) {
            used.clear();
        }
    }
}
