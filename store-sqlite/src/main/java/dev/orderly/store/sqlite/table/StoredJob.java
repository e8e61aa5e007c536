package dev.orderly.store.sqlite.table;

import dev.orderly.job.JobTerms;
import dev.orderly.job.Payload;
import dev.orderly.store.sql.NamedNumbers;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A stored job, with all that a handler needs. */
public record StoredJob(Place place, Tally tally, Payload payload, Map<String, String> params, @Nullable UserId user,
        @Nullable TraceContext trace, JobTerms terms) {
    public static final int WAITING = 0;
    public static final int DELAYED = 1;
    public static final int DEAD = 2;
    /** Dead and halting its group. */
    public static final int HALTING = 3;
    /** Whether a batch has members in a state below another. */
    public static final String MEMBER_LEFT = "SELECT 1 FROM job WHERE batch = ? AND batch IS NOT NULL AND state < ?"
            + " LIMIT 1";

    private static final NamedNumbers NUMBERS = new NamedNumbers(
            Map.of("WAITING", WAITING, "DELAYED", DELAYED, "DEAD", DEAD, "HALTING", HALTING));

    /**
     * The position and state of a job.
     *
     * @param lane the group, a String; on a standard queue the number of its class, an Integer: {@link
     *     dev.orderly.store.sql.ClassNumber}
     * @param readyAt moment from which the job is due, in Unix milliseconds; zero for at once
     * @param key the key; null for none
     * @param batch number of the batch that counts the job; zero for none
     */
    public record Place(long seq, Object lane, int state, long readyAt, @Nullable String key, long batch) {
        public Place stateAt(int newState, long newReadyAt) {
            return new Place(seq, lane, newState, newReadyAt, key, batch);
        }
    }

    /** Counters of a job. */
    public record Tally(int attempt, int failures, int crashes) {
        public static final Tally NONE = new Tally(0, 0, 0);
    }

    /**
     * A text of SQL with the numbers of the states that it names. {@code >= DEAD} is a dead letter; the text of a
     * partial index's condition finds that index.
     */
    public static String numbered(String sql) {
        return NUMBERS.in(sql);
    }

    /** Prepares a text of SQL that names states. */
    public static PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        return connection.prepareStatement(numbered(sql));
    }

    public long seq() {
        return place.seq;
    }

    public long readyAt() {
        return place.readyAt;
    }

    /** Approximate memory of the job in bytes. */
    public int weight() {
        return payload.size() + 200;
    }
}
