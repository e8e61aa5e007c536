package dev.orderly.room.forecast;

import dev.orderly.room.store.GateReport.Presence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;

/**
 * Who waits at this gate: until when each place counts as present, until when the store was told so, whether its visitor
 * ever asked again, and by when the visitor was told to enter. 21 bytes a place, in chunks that go when nobody in them is
 * present. Moments are milliseconds. Thread-safe.
 */
public final class PresenceTable {
    /** So much longer the store takes a visitor for present: the round that says so again may be this late. */
    public static final Duration SLACK = Duration.ofSeconds(1);

    private static final int BITS = 10;
    private static final int SIZE = 1 << BITS;
    private static final int MASK = SIZE - 1;

    private final ConcurrentMap<Long, Chunk> chunks = new ConcurrentHashMap<>();

    /** Changed and read inside the map's own operations on its key only. */
    private static final class Chunk {
        final long[] until = new long[SIZE];
        final long[] reported = new long[SIZE];
        final byte[] stage = new byte[SIZE];
        final int[] promised = new int[SIZE];
    }

    /** What is known of a place here: nothing, that it was taken, that its visitor asked again, and then did not. */
    private static final byte NONE = 0;
    private static final byte NEW = 1;
    private static final byte BACK = 2;
    private static final byte MISSED = 3;

    /** What is told of each place that is present, and of each that was and is not any more. */
    interface Counter {
        void present(long place, boolean asked);

        void missed();
    }

    /** Present until then at least. */
    public void seen(long place, long until) {
        change(place, (chunk, index) -> chunk.until[index] = Math.max(chunk.until[index], until));
    }

    /** The store knows as much. */
    public void reported(long place, long until) {
        change(place, (chunk, index) -> {
            chunk.until[index] = Math.max(chunk.until[index], until);
            chunk.reported[index] = Math.max(chunk.reported[index], until);
        });
    }

    /** No longer waits. */
    public void gone(long place) {
        chunks.computeIfPresent(place >>> BITS, (_, chunk) -> {
            int index = (int) (place & MASK);
            chunk.until[index] = 0;
            chunk.reported[index] = 0;
            chunk.stage[index] = 0;
            chunk.promised[index] = 0;
            return chunk;
        });
    }

    /** The place was taken here. */
    void taken(long place) {
        change(place, (chunk, index) -> chunk.stage[index] = NEW);
    }

    /** Its visitor asked again. */
    Asked asked(long place) {
        byte[] before = {BACK};
        change(place, (chunk, index) -> {
            before[0] = chunk.stage[index];
            chunk.stage[index] = BACK;
        });
        return switch (before[0]) {
            case NEW -> Asked.FIRST;
            case MISSED -> Asked.LATE;
            default -> Asked.AGAIN;
        };
    }

    /** How a visitor asked: for the first time since the place was taken here, as expected, or after an absence. */
    enum Asked {
        FIRST,
        AGAIN,
        LATE
    }

    /** By when the visitor is to be inside as last told, in seconds; replaced by what {@code next} makes of it. 0: never. */
    int promised(long place, IntUnaryOperator next) {
        int[] now = new int[1];
        change(place, (chunk, index) -> {
            now[0] = next.applyAsInt(chunk.promised[index]);
            chunk.promised[index] = now[0];
        });
        return now[0];
    }

    private void change(long place, ObjIntConsumer<Chunk> what) {
        chunks.compute(place >>> BITS, (_, known) -> {
            Chunk chunk = known == null ? new Chunk() : known;
            what.accept(chunk, (int) (place & MASK));
            return chunk;
        });
    }

    /** Tells of all places, in no order; of one that is missed once. */
    void count(long now, Counter counter) {
        for (long key : List.copyOf(chunks.keySet())) {
            chunks.computeIfPresent(key, (_, chunk) -> {
                count(key << BITS, chunk, now, counter);
                return chunk;
            });
        }
    }

    private static void count(long base, Chunk chunk, long now, Counter counter) {
        for (int i = 0; i < SIZE; i++) {
            boolean asked = chunk.stage[i] == BACK;
            if (chunk.until[i] > now) {
                counter.present(base + i, asked || chunk.stage[i] == NONE);
            } else if (asked) {
                chunk.stage[i] = MISSED;
                counter.missed();
            }
        }
    }

    /** Whether the store takes this place for present. */
    public boolean isReported(long place, long now) {
        boolean[] reported = new boolean[1];
        chunks.computeIfPresent(place >>> BITS, (_, chunk) -> {
            reported[0] = chunk.reported[(int) (place & MASK)] > now;
            return chunk;
        });
        return reported[0];
    }

    /** What the store has to hear of places up to this one; counts as reported from here on. */
    public List<Presence> pending(long upTo, long now) {
        List<Presence> pending = new ArrayList<>();
        for (long key : List.copyOf(chunks.keySet())) {
            if (key << BITS <= upTo) {
                chunks.computeIfPresent(key, (_, chunk) -> {
                    collect(key << BITS, chunk, upTo, now, pending);
                    return chunk;
                });
            }
        }
        return pending;
    }

    private static void collect(long base, Chunk chunk, long upTo, long now, List<Presence> pending) {
        for (int i = 0; i < SIZE && base + i <= upTo; i++) {
            if (chunk.until[i] > now && chunk.until[i] > chunk.reported[i]) {
                chunk.reported[i] = chunk.until[i];
                pending.add(new Presence(base + i, Instant.ofEpochMilli(chunk.until[i])));
            }
        }
    }

    /** The store may have forgotten all reports. */
    public void reportAgain() {
        for (long key : List.copyOf(chunks.keySet())) {
            chunks.computeIfPresent(key, (_, chunk) -> {
                Arrays.fill(chunk.reported, 0);
                return chunk;
            });
        }
    }

    /** Lets go of chunks in which nobody is present. */
    public void tidy(long now) {
        for (long key : List.copyOf(chunks.keySet())) {
            chunks.computeIfPresent(key, (_, chunk) -> {
                for (long until : chunk.until) {
                    if (until > now) {
                        return chunk;
                    }
                }
                return null;
            });
        }
    }

    /** The present places behind {@code place} and up to {@code last}, the lowest first, at most {@code most}. */
    public List<Long> present(long place, long last, int most, long now) {
        List<Long> present = new ArrayList<>();
        for (var entry : new TreeMap<>(chunks).entrySet()) {
            long base = entry.getKey() << BITS;
            if (base > last || present.size() >= most) {
                break;
            }
            chunks.computeIfPresent(entry.getKey(), (_, chunk) -> {
                for (int i = 0; i < SIZE && present.size() < most; i++) {
                    if (base + i > place && base + i <= last && chunk.until[i] > now) {
                        present.add(base + i);
                    }
                }
                return chunk;
            });
        }
        return present;
    }
}
