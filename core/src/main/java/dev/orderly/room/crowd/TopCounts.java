package dev.orderly.room.crowd;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;

/**
 * The keys that occur most, in bounded memory: the algorithm Space-Saving (Metwally, Agrawal and El Abbadi, "Efficient
 * computation of frequent and top-k elements in data streams", 2005). A new key beyond the bound replaces the one with
 * the lowest count and inherits that count as its error.
 *
 * <p>Of n occurrences, every key with more than n / {@code most} is kept, and no count is more than n / {@code most}
 * too high. The order of rarer keys, and which of them are kept, is not guaranteed. Not thread-safe.
 */
final class TopCounts {
    private final int most;
    private final Map<String, Count> counts = new HashMap<>();
    private final TreeMap<Long, SequencedSet<String>> byNumber = new TreeMap<>();

    /** @param error the part of the number that may belong to replaced keys */
    private record Count(long number, long error) {
        long atLeast() {
            return number - error;
        }
    }

    /** @param most keys that are kept */
    TopCounts(int most) {
        this.most = most;
    }

    /** Counts an occurrence. Returns the number that the key has at least. */
    long add(String key) {
        Count before = counts.get(key);
        if (before == null) {
            long error = counts.size() < most ? 0 : dropLowest();
            before = new Count(error, error);
        } else {
            remove(key, before.number());
        }
        Count after = new Count(before.number() + 1, before.error());
        counts.put(key, after);
        byNumber.computeIfAbsent(after.number(), _ -> new LinkedHashSet<>()).add(key);
        return after.atLeast();
    }

    /** The number that a key has at least; 0 if it is not kept. */
    long atLeast(String key) {
        Count count = counts.get(key);
        return count == null ? 0 : count.atLeast();
    }

    /** The number that a key has at most if it is not kept. */
    long error() {
        return counts.size() < most ? 0 : byNumber.firstKey();
    }

    /** The number that a key has at most if it is not among the first of {@link #top}. */
    long errorBeyond(int first) {
        List<Long> numbers = new ArrayList<>();
        for (Map.Entry<Long, SequencedSet<String>> entry : byNumber.descendingMap().entrySet()) {
            for (int n = 0; n < entry.getValue().size() && numbers.size() <= first; n++) {
                numbers.add(entry.getKey());
            }
        }
        return Math.max(error(), numbers.size() > first ? numbers.get(first) : 0);
    }

    /** The keys with the highest counts, the highest first, and the number that each has at least. */
    Map<String, Long> top(int first) {
        Map<String, Long> top = new LinkedHashMap<>();
        for (SequencedSet<String> keys : byNumber.descendingMap().values()) {
            for (String key : keys) {
                if (top.size() == first) {
                    return top;
                }
                top.put(key, atLeast(key));
            }
        }
        return top;
    }

    private long dropLowest() {
        long lowest = byNumber.firstKey();
        String dropped = byNumber.firstEntry().getValue().getFirst();
        remove(dropped, lowest);
        counts.remove(dropped);
        return lowest;
    }

    private void remove(String key, long number) {
        SequencedSet<String> keys = byNumber.get(number);
        if (keys != null) {
            keys.remove(key);
            if (keys.isEmpty()) {
                byNumber.remove(number);
            }
        }
    }
}
