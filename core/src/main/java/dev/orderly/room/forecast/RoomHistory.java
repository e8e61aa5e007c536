package dev.orderly.room.forecast;

import dev.orderly.room.Rate;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Pace;
import java.util.Arrays;

/**
 * Admissions and departures of a room by second over the last hour, derived from the states that a gate receives. Not
 * thread-safe.
 */
final class RoomHistory {
    private static final int KEPT = (int) Rate.LONGEST.toSeconds();
    private static final int MINUTE = 60;
    private static final int LENGTHS = 128;

    private final int[] admitted = new int[KEPT];
    private final int[] departed = new int[KEPT];
    private final long[] length = new long[LENGTHS];
    private long begun;
    private long second;
    private long total;
    private int active;
    private long cursor;

    /** Starts with the admissions of the last minute; earlier departures are unknown. */
    RoomHistory(RoomState state) {
        second = second(state);
        total = state.pace().admitted();
        active = state.load().active();
        cursor = state.line().cursor();
        begun = second;
        Arrays.fill(length, state.line().length());
        Pace pace = state.pace();
        spread(admitted, pace.admitted10(), second - 9, second);
        spread(admitted, pace.admitted60() - pace.admitted10(), second - MINUTE + 1, second - 10);
    }

    /**
     * The admissions of the last seconds. Immutable.
     *
     * @param admitted by second, the last first
     * @param span number of seconds for which departures are known
     * @param active visitors inside
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Recent(int[] admitted, int span, int active) {
        /** Admissions in the second that is this many seconds before the last; 0 where they are not known. */
        int admitted(int back) {
            return back < admitted.length ? admitted[back] : 0;
        }
    }

    /** The admissions of this many seconds up to now. */
    Recent recent(double seconds) {
        int[] recent = new int[(int) Math.min(KEPT, Math.ceil(seconds))];
        int index = index(second);
        for (int back = 0; back < recent.length; back++) {
            recent[back] = admitted[index];
            index = index == 0 ? KEPT - 1 : index - 1;
        }
        return new Recent(recent, span(), active);
    }

    void update(RoomState state) {
        long now = second(state);
        for (long empty = Math.max(second, now - KEPT) + 1; empty <= now; empty++) {
            admitted[index(empty)] = 0;
            departed[index(empty)] = 0;
            length[(int) Math.floorMod(empty, (long) LENGTHS)] = state.line().length();
        }
        length[(int) Math.floorMod(Math.max(second, now), (long) LENGTHS)] = state.line().length();
        long from = Math.min(second + 1, Math.max(second, now));
        // A count that went back belongs to another process.
        int entered = Math.clamp(state.pace().admitted() - total, 0, Integer.MAX_VALUE);
        int left = Math.max(0, active + entered - state.load().active());
        second = Math.max(second, now);
        spread(admitted, entered, from, second);
        spread(departed, left, from, second);
        total = state.pace().admitted();
        active = state.load().active();
        cursor = state.line().cursor();
    }

    private void spread(int[] counts, int count, long first, long last) {
        long seconds = Math.clamp(last - first + 1, 1, KEPT);
        for (long i = 0; i < seconds; i++) {
            counts[index(last - i)] += Math.toIntExact(count * (i + 1) / seconds - count * i / seconds);
        }
    }

    /** The second of the last state. */
    long now() {
        return second;
    }

    int active() {
        return active;
    }

    /** The highest place called, in the last state. */
    long cursor() {
        return cursor;
    }

    /** Number of seconds for which departures are known. */
    int span() {
        return (int) Math.min(KEPT, second - begun);
    }

    /** Admissions in the second that is this many seconds before the last. */
    int admitted(int back) {
        return back < KEPT ? admitted[index(second - back)] : 0;
    }

    /** Departures in the second that is this many seconds before the last. */
    int departed(int back) {
        return back < KEPT ? departed[index(second - back)] : 0;
    }

    /** The last place issued this many seconds ago. */
    long length(int back) {
        return length[(int) Math.floorMod(second - Math.min(back, LENGTHS - 1), (long) LENGTHS)];
    }

    private static int index(long second) {
        return (int) Math.floorMod(second, (long) KEPT);
    }

    private static long second(RoomState state) {
        return state.at().getEpochSecond();
    }
}
