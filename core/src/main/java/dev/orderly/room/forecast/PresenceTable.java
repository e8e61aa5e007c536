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
 * The visitors who wait at this gate, by place: until when each counts as present, until when the store counts the
 * visitor as present, whether the visitor ever asked again, and by which second admission was announced. 21 bytes a
 * place, in chunks that are dropped when no visitor in them is present. Moments are milliseconds. Thread-safe.
 */
public final class PresenceTable {
    /**
     * Margin on each presence deadline reported to the store. A report that is late by less than this loses no
     * visitor's place.
     */
    public static final Duration SLACK = Duration.ofSeconds(1);

    private static final int BITS = 10;
    private static final int SIZE = 1 << BITS;
    private static final int MASK = SIZE - 1;

    private final ConcurrentMap<Long, Chunk> chunks = new ConcurrentHashMap<>();

    /** Accessed only inside atomic operations of the map on its key. */
    private static final class Chunk {
        final long[] until = new long[SIZE];
        final long[] reported = new long[SIZE];
        final byte[] stage = new byte[SIZE];
        final int[] announcedEnd = new int[SIZE];
    }

    /** Stages of a place at this gate: unknown, taken, its visitor asked again, its visitor became absent. */
    private static final byte NONE = 0;
    private static final byte NEW = 1;
    private static final byte BACK = 2;
    private static final byte MISSED = 3;

    /** Callback of {@link #count}: called for each present visitor, and once for each visitor who became absent. */
    interface Counter {
        void present(long place, boolean asked);

        void missed();
    }

    /** Marks the visitor as present until then at least. */
    public void seen(long place, long until) {
        change(place, (chunk, index) -> chunk.until[index] = Math.max(chunk.until[index], until));
    }

    /** Records the presence deadline that the store has acknowledged. */
    public void reported(long place, long until) {
        change(place, (chunk, index) -> {
            chunk.until[index] = Math.max(chunk.until[index], until);
            chunk.reported[index] = Math.max(chunk.reported[index], until);
        });
    }

    /** The deadline until which the visitor of a place is or was present; 0 if it is not known. */
    public long until(long place) {
        long[] until = new long[1];
        chunks.computeIfPresent(place >>> BITS, (_, chunk) -> {
            until[0] = chunk.until[(int) (place & MASK)];
            return chunk;
        });
        return until[0];
    }

    /** Removes a visitor who no longer waits. */
    public void gone(long place) {
        chunks.computeIfPresent(place >>> BITS, (_, chunk) -> {
            int index = (int) (place & MASK);
            chunk.until[index] = 0;
            chunk.reported[index] = 0;
            chunk.stage[index] = 0;
            chunk.announcedEnd[index] = 0;
            return chunk;
        });
    }

    /** Records that the place was taken at this gate. */
    void taken(long place) {
        change(place, (chunk, index) -> chunk.stage[index] = NEW);
    }

    /** Records a request of the visitor. */
    RequestTiming asked(long place) {
        byte[] before = {BACK};
        change(place, (chunk, index) -> {
            before[0] = chunk.stage[index];
            chunk.stage[index] = BACK;
        });
        return switch (before[0]) {
            case NEW -> RequestTiming.FIRST;
            case MISSED -> RequestTiming.LATE;
            default -> RequestTiming.AGAIN;
        };
    }

    /** The kind of a visitor's request: the first since the place was taken here, as expected, or after an absence. */
    enum RequestTiming {
        FIRST,
        AGAIN,
        LATE
    }

    /**
     * Replaces the announced end of the visitor's wait, in seconds, by the result of {@code next}, and returns it. 0
     * means none.
     */
    int announcedEnd(long place, IntUnaryOperator next) {
        int[] now = new int[1];
        change(place, (chunk, index) -> {
            now[0] = next.applyAsInt(chunk.announcedEnd[index]);
            chunk.announcedEnd[index] = now[0];
        });
        return now[0];
    }

    private void change(long place, ObjIntConsumer<Chunk> action) {
        chunks.compute(place >>> BITS, (_, known) -> {
            Chunk chunk = known == null ? new Chunk() : known;
            action.accept(chunk, (int) (place & MASK));
            return chunk;
        });
    }

    /** Counts all places, in no order; each visitor who became absent once. */
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

    /** Whether the store counts the visitor of this place as present. */
    public boolean isReported(long place, long now) {
        boolean[] reported = new boolean[1];
        chunks.computeIfPresent(place >>> BITS, (_, chunk) -> {
            reported[0] = chunk.reported[(int) (place & MASK)] > now;
            return chunk;
        });
        return reported[0];
    }

    /** Presence up to this place that is not reported yet; counts as reported from here on. */
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

    /** Marks all presence as not reported, since the store may have lost earlier reports. */
    public void reportAgain() {
        for (long key : List.copyOf(chunks.keySet())) {
            chunks.computeIfPresent(key, (_, chunk) -> {
                Arrays.fill(chunk.reported, 0);
                return chunk;
            });
        }
    }

    /** Drops chunks in which no visitor is present. */
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

    /**
     * Places of present visitors behind {@code place} and up to {@code last}, the lowest first, at most {@code most}.
     */
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
