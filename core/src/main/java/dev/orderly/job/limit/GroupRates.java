package dev.orderly.job.limit;

import dev.orderly.job.Limit;
import dev.orderly.job.store.StartWindow;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The starts of the groups of one FIFO queue, as far as the limit of each group bounds them. Of a group one job runs at
 * a time whatever the limit, so that only a rate counts. Not thread-safe: of the writer of a store that one process
 * owns.
 */
public final class GroupRates {
    /** Tokens that may count, by group; the group that took one last is last. */
    private final Map<String, StartWindow> windows = new LinkedHashMap<>();
    private @Nullable Limit limit;

    /** Puts another limit of each group in force; null for none. Tokens that were taken count on. */
    public void limit(@Nullable Limit value) {
        limit = value;
    }

    /** Whether starts of groups are bounded. */
    public boolean isBounding() {
        return limit != null && limit.starts() > 0;
    }

    /** The first moment from which a job of a group that costs so much may start; {@code now} if it may. */
    public long next(String group, int cost, long now) {
        Limit each = limit;
        StartWindow window = windows.get(group);
        return each == null || each.starts() == 0 || window == null ? now : window.next(each, cost, now);
    }

    /**
     * Takes as many tokens as the next job of a group costs; returns whether its tokens have changed, which
     * have to be durable before the job starts. Forgets groups whose tokens count no more.
     */
    public boolean took(String group, int cost, long now) {
        Limit each = limit;
        if (each == null || each.starts() == 0) {
            return false;
        }
        StartWindow before = windows.remove(group);
        windows.put(group, (before == null ? StartWindow.EMPTY : before).take(each, cost, now));
        Iterator<StartWindow> oldest = windows.values().iterator();
        while (oldest.hasNext() && oldest.next().end(each) <= now) {
            oldest.remove();
        }
        return true;
    }

    /** Adds the stored tokens of a group. */
    public void restore(String group, StartWindow window) {
        windows.put(group, window);
    }

    /** Adds the limit and the tokens of another process. */
    public void restore(GroupRates before) {
        limit = before.limit;
        windows.putAll(before.windows);
    }

    /** The limit of each group in force; null for none. */
    public @Nullable Limit limit() {
        return limit;
    }

    /** The tokens of a group. */
    public StartWindow window(String group) {
        return windows.getOrDefault(group, StartWindow.EMPTY);
    }

    /** The groups that may have tokens that count. */
    public Set<String> names() {
        return windows.keySet();
    }
}
