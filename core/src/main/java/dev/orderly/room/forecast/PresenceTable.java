package dev.orderly.room.forecast;

import dev.orderly.Internal;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.PresentPlaces;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjIntConsumer;

/**
 * The waiting visitors that a gate knows of, by place: until when each counts as present by what this gate and others
 * saw, whether the visitor ever asked again, and what was announced. 38 bytes a place, in chunks that are dropped when
 * no visitor in them is present. Moments are milliseconds. Thread-safe.
 */
@Internal(to = "dev.orderly")
public final class PresenceTable {
    /**
     * Margin on each presence deadline reported to the store. A report that is late by less than this loses no
     * visitor's place.
     */
    public static final Duration SLACK = Duration.ofSeconds(1);

    /** Presence of a visitor whom the gate itself sees, after a round; longer than the time between two rounds. */
    public static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(2);

    /** The least growth of a presence, in milliseconds, of a request; less is a second report of the first one. */
    private static final long ANEW = 1_000;

    private static final int BITS = 10;
    private static final int SIZE = 1 << BITS;
    private static final int MASK = SIZE - 1;

    private final ConcurrentMap<Long, Chunk> chunks = new ConcurrentHashMap<>();

    /** Accessed only inside atomic operations of the map on its key. */
    private static final class Chunk {
        final long[] until = new long[SIZE];
        /** The part of {@code until} by what was seen at this gate. */
        final long[] here = new long[SIZE];
        /** The part of {@code until} that the store knows. */
        final long[] reported = new long[SIZE];
        final byte[] stage = new byte[SIZE];
        /** Whether the store's last list lacked the place, see {@link #share}. */
        final boolean[] unlisted = new boolean[SIZE];
        final int[] takenAt = new int[SIZE];
        final int[] announcedEnd = new int[SIZE];
        /** The number of visitors ahead that was announced, plus 1; 0 for none. */
        final int[] announcedAhead = new int[SIZE];

        void forget(int index) {
            until[index] = 0;
            here[index] = 0;
            reported[index] = 0;
            stage[index] = NONE;
            unlisted[index] = false;
            announcedEnd[index] = 0;
            announcedAhead[index] = 0;
        }
    }

    /** Stages of a place: unknown, taken, its visitor asked again, its visitor became absent. */
    private static final byte NONE = 0;
    private static final byte NEW = 1;
    private static final byte BACK = 2;
    private static final byte MISSED = 3;

    /** Callback of {@link #count}: called for each present visitor, and once for each visitor who became absent. */
    interface Counter {
        void present(long place, boolean asked);

        /** @param here whether the visitor was seen at this gate last */
        void missed(long place, boolean here);
    }

    /** Callback of {@link #share}. */
    interface Sharer {
        /** A visitor took the place at another gate. */
        void taken();

        /** The visitor of a place, which was taken in that second, asked again. */
        void back(long takenAt);

        /** A visitor who had become absent is back. */
        void late();

        /** The visitor of the place entered or left at another gate. */
        void left(long place);
    }

    /** Marks the visitor as present until then at least. */
    public void seen(long place, long until) {
        change(place, (chunk, index) -> seen(chunk, index, until));
    }

    /** Records the presence deadline that the store has acknowledged. */
    public void reported(long place, long until) {
        change(place, (chunk, index) -> {
            seen(chunk, index, until);
            chunk.reported[index] = Math.max(chunk.reported[index], until);
        });
    }

    private static void seen(Chunk chunk, int index, long until) {
        chunk.until[index] = Math.max(chunk.until[index], until);
        chunk.here[index] = Math.max(chunk.here[index], until);
        chunk.unlisted[index] = false;
    }

    /**
     * Takes over which visitors the store knows as present. A visitor whom the store does not know any more, twice in a
     * row, entered or left at another gate.
     *
     * @param settled the last place whose visitor would have asked again by now, if ever
     * @param second the current second
     * @return the number of visitors that the store knows for each one whom this gate saw itself
     */
    double share(PresentPlaces known, long settled, long now, int second, Sharer sharer) {
        Map<Long, List<Presence>> byChunk = new HashMap<>();
        known.presences().forEach(
                each -> byChunk.computeIfAbsent(each.place() >>> BITS, _ -> new ArrayList<>()).add(each));
        List<Long> keys = new ArrayList<>(chunks.keySet());
        keys.removeIf(key -> key << BITS > known.upTo());
        byChunk.keySet().stream().filter(key -> !chunks.containsKey(key)).forEach(keys::add);
        int[] own = new int[1];
        for (long key : keys) {
            chunks.compute(key, (_, chunk) -> {
                Chunk shared = chunk == null ? new Chunk() : chunk;
                BitSet listed = new BitSet(SIZE);
                for (Presence each : byChunk.getOrDefault(key, List.of())) {
                    int index = (int) (each.place() & MASK);
                    listed.set(index);
                    own[0] += shared.here[index] > now ? 1 : 0;
                    present(shared, index, each, each.place() <= settled, second, sharer);
                }
                absent(key << BITS, shared, listed, known.upTo(), now, sharer);
                return shared;
            });
        }
        return own[0] == 0 ? 1 : known.presences().size() / (double) own[0];
    }

    private static void present(Chunk chunk, int index, Presence known, boolean settled, int second, Sharer sharer) {
        long until = known.until().toEpochMilli();
        boolean later = until > chunk.until[index] + ANEW;
        switch (chunk.stage[index]) {
            case NONE -> {
                chunk.stage[index] = settled ? BACK : NEW;
                chunk.takenAt[index] = second;
                if (!settled) {
                    sharer.taken();
                }
            }
            case NEW -> {
                if (settled || later) {
                    chunk.stage[index] = BACK;
                    sharer.back(chunk.takenAt[index]);
                }
            }
            case MISSED -> {
                chunk.stage[index] = BACK;
                sharer.late();
            }
            default -> {
                // the visitor is known to wait
            }
        }
        chunk.until[index] = Math.max(chunk.until[index], until);
        chunk.reported[index] = Math.max(chunk.reported[index], until);
        chunk.unlisted[index] = false;
    }

    private static void absent(long base, Chunk chunk, BitSet listed, long upTo, long now, Sharer sharer) {
        for (int i = listed.nextClearBit(0); i < SIZE && base + i <= upTo; i = listed.nextClearBit(i + 1)) {
            if (chunk.until[i] > now && chunk.until[i] <= chunk.reported[i]) {
                if (chunk.unlisted[i]) {
                    sharer.left(base + i);
                    chunk.forget(i);
                } else {
                    chunk.unlisted[i] = true;
                }
            }
        }
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

    /** Whether the visitor of a place was seen at this gate last, as far as it knows. */
    public boolean isHere(long place) {
        boolean[] here = new boolean[1];
        chunks.computeIfPresent(place >>> BITS, (_, chunk) -> {
            int index = (int) (place & MASK);
            here[0] = chunk.here[index] > 0 && chunk.here[index] >= chunk.until[index];
            return chunk;
        });
        return here[0];
    }

    /** Removes a visitor who no longer waits. */
    public void gone(long place) {
        chunks.computeIfPresent(place >>> BITS, (_, chunk) -> {
            chunk.forget((int) (place & MASK));
            return chunk;
        });
    }

    /** Records that the place was taken at this gate, in that second. */
    void taken(long place, int second) {
        change(place, (chunk, index) -> {
            chunk.stage[index] = NEW;
            chunk.takenAt[index] = second;
        });
    }

    /** The second in which this gate learned that the place was taken; 0 if it does not know the place. */
    int takenAt(long place) {
        int[] at = new int[1];
        chunks.computeIfPresent(place >>> BITS, (_, chunk) -> {
            at[0] = chunk.takenAt[(int) (place & MASK)];
            return chunk;
        });
        return at[0];
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

    /** Records what another gate announced to the visitor last. */
    void announcedElsewhere(long place, int end, long ahead) {
        change(place, (chunk, index) -> {
            chunk.announcedEnd[index] = end;
            chunk.announcedAhead[index] = stored(ahead);
        });
    }

    /**
     * The number of visitors ahead to announce: the lower of this one and the last, which is replaced.
     *
     * @param mayGrow whether the number may be higher than the last
     */
    long announcedAhead(long place, long ahead, boolean mayGrow) {
        long[] now = {ahead};
        change(place, (chunk, index) -> {
            int last = chunk.announcedAhead[index];
            now[0] = mayGrow || last == 0 ? ahead : Math.min(ahead, last - 1);
            chunk.announcedAhead[index] = stored(now[0]);
        });
        return now[0];
    }

    private static int stored(long ahead) {
        return (int) Math.min(Integer.MAX_VALUE, ahead + 1);
    }

    /**
     * Moves all present visitors to other places in another table, where the store knows none of them. Others have
     * left, or were seen at another gate since.
     */
    public void moveTo(LongFunction<PresenceTable> target, LongUnaryOperator places, long now) {
        for (long key : List.copyOf(chunks.keySet())) {
            Chunk from = chunks.remove(key);
            for (int i = 0; from != null && i < SIZE; i++) {
                int index = i;
                if (from.until[index] > now) {
                    long place = places.applyAsLong((key << BITS) + index);
                    target.apply(place).change(place, (chunk, to) -> {
                        chunk.until[to] = Math.max(chunk.until[to], from.until[index]);
                        chunk.here[to] = Math.max(chunk.here[to], from.here[index]);
                        chunk.stage[to] = from.stage[index];
                        chunk.takenAt[to] = from.takenAt[index];
                    });
                }
            }
        }
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
                counter.missed(base + i, chunk.here[i] >= chunk.until[i]);
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
