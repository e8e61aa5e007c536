package dev.orderly.store.postgres.room;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.function.Function;

/**
 * Splits items into waves in which no key occurs twice, as one statement needs it. A repeated key goes to a later
 * wave.
 */
final class DistinctWaves {
    private DistinctWaves() {}

    /** A call with one answer for each item, in the order of the items. */
    @FunctionalInterface
    interface Call<I, O> {
        List<O> on(List<I> wave) throws SQLException;
    }

    /** Calls wave after wave; the answers in the order of the items. */
    static <I, O> List<O> each(List<I> items, Function<I, ?> key, Call<I, O> call) throws SQLException {
        List<List<I>> waves = of(items, key);
        if (waves.size() == 1) {
            return call.on(items);
        }
        Map<Object, Queue<O>> answers = new HashMap<>();
        for (List<I> wave : waves) {
            List<O> some = call.on(wave);
            for (int n = 0; n < some.size(); n++) {
                answers.computeIfAbsent(key.apply(wave.get(n)), _ -> new ArrayDeque<>()).add(some.get(n));
            }
        }
        return items.stream().map(item -> Objects.requireNonNull(answers.get(key.apply(item))).remove()).toList();
    }

    /** The first item of each key, then the second items, and so on. */
    static <T> List<List<T>> of(List<T> items, Function<T, ?> key) {
        List<List<T>> waves = new ArrayList<>();
        Map<Object, Integer> seen = new HashMap<>();
        for (T item : items) {
            int times = seen.merge(key.apply(item), 1, Integer::sum);
            if (times > waves.size()) {
                waves.add(new ArrayList<>());
            }
            waves.get(times - 1).add(item);
        }
        return waves;
    }
}
