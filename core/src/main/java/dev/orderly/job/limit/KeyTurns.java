package dev.orderly.job.limit;

import dev.orderly.job.Limit;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.Rest;
import dev.orderly.job.store.StartWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The turns between the keys of one queue, and the limit of each key: start-time fair queueing (Goyal, Vin and Cheng,
 * 1996). A key that is served moves back by the mean run time of its jobs; a key that comes begins at the turn that was
 * served last, or at its own if that is later. A job that costs more moves its key back by as many run times, and takes
 * as many tokens. So a new key is served before any present key is served twice, and of
 * keys that always have jobs each gets as much handler time. Not thread-safe: of the writer of a store that one process
 * owns.
 */
public final class KeyTurns {
    /** Weight of the newest report about the run time of a key. */
    private static final double NEWEST = 0.2;

    private final Map<String, Key> keys = new HashMap<>();
    /** Those that have their share of the slots come last. */
    private final TreeSet<Key> ready = new TreeSet<>(
            Comparator.<Key, Boolean>comparing(key -> key.over).thenComparingDouble(key -> key.turn)
                    .thenComparingLong(key -> key.since));
    /** Keys that change at a moment: their rate or rest lets the next job start, or nothing of them counts any more. */
    private final TreeSet<Key> resting = new TreeSet<>(
            Comparator.<Key>comparingLong(key -> key.until).thenComparingLong(key -> key.since));
    /** Keys without jobs, whose turn is still to come: forgotten once it has passed. */
    private final TreeSet<Key> idle = new TreeSet<>(
            Comparator.<Key>comparingDouble(key -> key.turn).thenComparingLong(key -> key.since));
    private final List<Key> aside = new ArrayList<>();
    /** What operators have set for keys, with jobs or without. */
    private final Map<String, KeySettings> settings = new HashMap<>();
    private @Nullable Limit limit;
    /** The slots of the queue's limit, of which a key may have a share; 0 for none. */
    private int slots;
    /** The turn that was served last, or the last of all turns once no key was ready. */
    private double present;
    private double latest;
    /** Mean run time of the jobs of all keys in milliseconds; zero before the first report. */
    private double mean;
    private long entered;
    /** Keys of which jobs wait and that are not paused. */
    private int waiting;

    private static final class Key {
        final String name;
        final long since;
        double turn;
        /** Mean run time of its jobs in milliseconds; zero before the first report. */
        double mean;
        int running;
        boolean waits;
        /** Whether it has its share of the slots. */
        boolean over;
        /** The cost of its next job as far as it is known, from which on its rate lets that start. */
        int cost = 1;
        KeySettings settings = KeySettings.NONE;
        /** Its limit in force; null for none. */
        @Nullable
        Limit limit;
        StartWindow window = StartWindow.EMPTY;
        @Nullable
        Rest rest;
        long until;

        Key(String name, long since) {
            this.name = name;
            this.since = since;
        }

        /** Whether jobs of it would start, if its limit and its rest let them. */
        boolean asks() {
            return waits && !settings.paused();
        }
    }

    /** Puts another limit of each key in force; null for none. Tokens that were taken count on. */
    public void limit(@Nullable Limit value, long now) {
        if (!Objects.equals(limit, value)) {
            limit = value;
            List.copyOf(keys.values()).forEach(key -> change(key, () -> key.limit = key.settings.limit(value), now));
        }
    }

    /** Puts another number of slots in force, of which a key may have a share; 0 for none. */
    public void slots(int value, long now) {
        if (slots != value) {
            slots = value;
            List.copyOf(keys.values()).forEach(key -> change(key, () -> {}, now));
        }
    }

    /** Puts in force what operators have set for a key. Tokens that were taken count on. */
    public void settings(String name, KeySettings value, long now) {
        if (value.isEmpty()) {
            settings.remove(name);
        } else {
            settings.put(name, value);
        }
        Key key = keys.get(name);
        if (key != null) {
            change(key, () -> {
                key.settings = value;
                key.limit = value.limit(limit);
            }, now);
        }
    }

    /** Adds the stored tokens of a key. */
    public void restore(String name, StartWindow window, long now) {
        Key key = key(name);
        change(key, () -> key.window = window, now);
    }

    /** Lets a key rest; a rest that ends later counts on. */
    public void rest(String name, Rest rest, long now) {
        Key key = key(name);
        change(key, () -> key.rest = Rest.later(key.rest, rest), now);
    }

    /** Adds the tokens, the rests and the settings of all keys of another process. */
    public void restore(KeyTurns before, long now) {
        limit = before.limit;
        before.settings.forEach((name, value) -> settings(name, value, now));
        before.keys.values().forEach(key -> {
            restore(key.name, key.window, now);
            if (key.rest != null) {
                rest(key.name, key.rest, now);
            }
        });
    }

    /** Whether jobs of a key wait; called again when another job may be the next. */
    public void waits(String name, boolean waits, long now) {
        Key key = key(name);
        if (key.waits != waits || key.cost > 1) {
            change(key, () -> {
                key.waits = waits;
                key.cost = 1;
            }, now);
        }
    }

    /** Whether the rate of the key whose turn it is lets its next job start, which costs so much. If not, it rests. */
    public boolean admits(String name, int cost, long now) {
        Key key = key(name);
        Limit each = key.limit;
        boolean may = each == null || each.starts() == 0 || key.window.next(each, cost, now) <= now;
        if (!may) {
            change(key, () -> key.cost = cost, now);
        }
        return may;
    }

    /** A job of a key runs, or does not run any more. */
    public void runs(String name, boolean runs, long now) {
        Key key = key(name);
        change(key, () -> key.running += runs ? 1 : -1, now);
    }

    /** Takes over what a node has measured: the mean run time of jobs, by key. */
    public void ran(Map<String, Duration> runs) {
        runs.forEach((name, run) -> {
            double millis = run.toNanos() / 1e6;
            if (millis <= 0) {
                return; // not measured
            }
            Key key = keys.get(name);
            if (key != null) {
                key.mean = key.mean == 0 ? millis : key.mean + NEWEST * (millis - key.mean);
            }
            mean = mean == 0 ? millis : mean + NEWEST * (millis - mean);
        });
    }

    /** The key whose turn it is, among those of which a job may start; null for none. */
    public @Nullable String next(long now) {
        while (!resting.isEmpty() && resting.first().until <= now) {
            change(resting.first(), () -> {}, now);
        }
        return ready.isEmpty() ? null : ready.first().name;
    }

    /** Leaves a key out until {@link #resume}. */
    public void pass(String name) {
        Key key = keys.get(name);
        if (key != null && ready.remove(key)) {
            aside.add(key);
        }
    }

    /** Ends {@link #pass} for all keys. */
    public void resume(long now) {
        List<Key> back = List.copyOf(aside);
        aside.clear();
        back.forEach(key -> change(key, () -> {}, now));
    }

    /**
     * Serves a key, of which the next job starts, at its cost; returns whether its tokens have changed, which
     * have to be durable before the job starts.
     */
    public boolean took(String name, int cost, long now) {
        Key key = key(name);
        Limit each = key.limit;
        boolean rated = each != null && each.starts() > 0;
        change(key, () -> {
            present = Math.max(present, key.turn);
            key.turn += cost * (key.mean > 0 ? key.mean : mean > 0 ? mean : 1);
            key.cost = 1;
            latest = Math.max(latest, key.turn);
            if (each != null && rated) {
                key.window = key.window.take(each, cost, now);
            }
        }, now);
        return rated;
    }

    /** The tokens of a key. */
    public StartWindow window(String name) {
        Key key = keys.get(name);
        return key == null ? StartWindow.EMPTY : key.window;
    }

    /** The limit of a key in force; null for none. */
    public @Nullable Limit limit(String name) {
        return settings.getOrDefault(name, KeySettings.NONE).limit(limit);
    }

    /** Whether jobs wait for the limits or the rests of their keys. */
    public boolean isHolding() {
        return waiting > ready.size() + aside.size();
    }

    /** The keys in numbers. */
    public KeyCounts counts(QueueName queue) {
        int paused = (int) settings.values().stream().filter(KeySettings::paused).count();
        return new KeyCounts(queue, ready.size(), waiting - ready.size(), paused);
    }

    /** Number of keys that are known. */
    public int size() {
        return keys.size();
    }

    /** A key with jobs that wait or run, or with settings, without the oldest of its waiting jobs; null for another. */
    public @Nullable KeyView view(String name, long now) {
        Key key = keys.get(name);
        if (key == null) {
            KeySettings set = settings.get(name);
            return set == null ? null : KeyView.of(name, limit, set, 0, StartWindow.EMPTY, null, now);
        }
        return key.waits || key.running > 0 || !key.settings.isEmpty()
                ? KeyView.of(name, limit, key.settings, key.running, key.window, key.rest, now)
                : null;
    }

    /** The names of the keys whose jobs wait or run, then those of all others that have settings. */
    public List<String> names() {
        return Stream.concat(
                keys.values().stream().filter(key -> key.waits || key.running > 0).map(key -> key.name),
                settings.keySet().stream()).distinct().toList();
    }

    private Key key(String name) {
        return keys.computeIfAbsent(name, fresh -> {
            Key key = new Key(fresh, entered++);
            key.settings = settings.getOrDefault(fresh, KeySettings.NONE);
            key.limit = key.settings.limit(limit);
            return key;
        });
    }

    /** Changes a key outside the sets that are sorted by it, and adds it to the one it belongs to now. */
    private void change(Key key, Runnable change, long now) {
        ready.remove(key);
        resting.remove(key);
        idle.remove(key);
        waiting -= key.asks() ? 1 : 0;
        change.run();
        waiting += key.asks() ? 1 : 0;
        if (aside.contains(key)) {
            return;
        }
        Limit each = key.limit;
        boolean rated = each != null && each.starts() > 0;
        if (key.asks()) {
            boolean full = each != null && each.concurrency() > 0 && key.running >= each.concurrency();
            key.until = Math.max(Rest.end(key.rest, now), each != null && rated
                    ? key.window.next(each, key.cost, now)
                    : now);
            if (!full && key.until > now) {
                resting.add(key);
            } else if (!full) {
                key.turn = begins(key.turn);
                key.over = hasShare(key);
                ready.add(key);
            }
        } else if (key.running == 0 && !key.waits) {
            key.until = Math.max(Rest.end(key.rest, now), each != null && rated ? key.window.end(each) : now);
            if (key.until > now) {
                resting.add(key);
            } else if (key.turn > present) {
                idle.add(key);
            } else {
                keys.remove(key.name);
            }
        }
        passed();
    }

    private boolean hasShare(Key key) {
        Limit each = key.limit;
        return each != null && each.share() > 0 && slots > 0 && key.running >= each.shareOf(slots);
    }

    /** The turn of a key that comes, or comes back. */
    private double begins(double own) {
        return Math.max(own, present);
    }

    /** Moves on where no key is ready, and forgets those whose turn has passed. */
    private void passed() {
        if (ready.isEmpty() && aside.isEmpty()) {
            present = latest;
        }
        while (!idle.isEmpty() && idle.first().turn <= present) {
            keys.remove(Objects.requireNonNull(idle.pollFirst()).name);
        }
    }
}
