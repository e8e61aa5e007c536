package dev.orderly.store.postgres;

import dev.orderly.room.RoomName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A call about many visitors as calls about one room each, rooms by name, so that no two callers wait for each other in
 * a circle. No batch has a key twice: a second one goes into a batch that follows.
 */
final class RoomBatches {
    private RoomBatches() {}

    /** Takes the items of one room; one answer each, in their order. */
    @FunctionalInterface
    interface Call<I, O> {
        List<O> on(RoomName room, List<I> batch) throws SQLException;
    }

    /** The answers in the order of the items. */
    static <I, O> List<O> each(List<I> items, Function<I, RoomName> room, Function<I, ?> key, Call<I, O> call)
            throws SQLException {
        Map<RoomName, List<Integer>> byRoom = new TreeMap<>();
        for (int n = 0; n < items.size(); n++) {
            byRoom.computeIfAbsent(room.apply(items.get(n)), _ -> new ArrayList<>()).add(n);
        }
        Map<Integer, O> answers = new HashMap<>();
        for (Map.Entry<RoomName, List<Integer>> each : byRoom.entrySet()) {
            for (List<Integer> numbers : waves(each.getValue(), n -> key.apply(items.get(n)))) {
                List<O> some = call.on(each.getKey(), numbers.stream().map(items::get).toList());
                for (int n = 0; n < some.size(); n++) {
                    answers.put(numbers.get(n), some.get(n));
                }
            }
        }
        List<O> ordered = new ArrayList<>(answers.size());
        for (int n = 0; n < answers.size(); n++) {
            ordered.add(answers.get(n));
        }
        return ordered;
    }

    /** Lists in which no key is twice: the first of each key, then the second of each that has one, and so on. */
    static <T> List<List<T>> waves(List<T> items, Function<T, ?> key) {
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
