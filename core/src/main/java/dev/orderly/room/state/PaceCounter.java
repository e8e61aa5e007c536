package dev.orderly.room.state;

import dev.orderly.room.RoomState.Pace;

/** Admissions and called places by second over the last minute. Not thread-safe. */
final class PaceCounter {
    private static final int SECONDS = 60;

    private final long[] admitted = new long[SECONDS];
    private final long[] called = new long[SECONDS];
    private long second;
    private long total;

    void admitted(long now) {
        advance(now);
        admitted[index(second)]++;
        total++;
    }

    void called(long places, long now) {
        advance(now);
        called[index(second)] += places;
    }

    /** Resets the count of admissions since the epoch began. */
    void beginEpoch() {
        total = 0;
    }

    Pace pace(long now) {
        advance(now);
        return new Pace(sum(admitted, 10), sum(admitted, SECONDS), sum(called, 10), sum(called, SECONDS), total);
    }

    private int sum(long[] counts, int seconds) {
        long sum = 0;
        for (int back = 0; back < seconds; back++) {
            sum += counts[index(second - back)];
        }
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }

    private void advance(long now) {
        long next = now / 1_000;
        for (long empty = Math.max(second, next - SECONDS) + 1; empty <= next; empty++) {
            admitted[index(empty)] = 0;
            called[index(empty)] = 0;
        }
        second = Math.max(second, next);
    }

    private static int index(long second) {
        return (int) Math.floorMod(second, (long) SECONDS);
    }
}
