package dev.orderly.store.sqlite;

import dev.orderly.job.Payload;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as it is stored, with all that a handler needs. */
record JobRow(Place place, Tally tally, Payload payload, Map<String, String> params, @Nullable String user) {
    static final int WAITING = 0;
    static final int DELAYED = 1;
    static final int DEAD = 2;
    static final int HALTING = 3;

    /**
     * Where a job stands.
     *
     * @param lane its group, a String; on a standard queue its priority number, an Integer
     * @param readyAt not before this moment, Unix milliseconds; zero for at once
     */
    record Place(long seq, Object lane, int state, long readyAt) {
        Place stateAt(int newState, long newReadyAt) {
            return new Place(seq, lane, newState, newReadyAt);
        }
    }

    /** What happened to a job so far. */
    record Tally(int attempt, int failures, int crashes) {
        static final Tally NONE = new Tally(0, 0, 0);
    }

    long seq() {
        return place.seq;
    }

    long readyAt() {
        return place.readyAt;
    }

    /** What keeping it in memory costs, in bytes, about. */
    int weight() {
        return payload.size() + 200;
    }
}
