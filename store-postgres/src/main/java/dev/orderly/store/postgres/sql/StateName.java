package dev.orderly.store.postgres.sql;

import dev.orderly.store.sql.NamedNumbers;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The stored states. SQL texts have the name of a state in the place of its number, so that an index on a state is
 * still found. Of jobs: {@code <= RUNNING} is unsettled, {@code >= DEAD} a dead letter.
 */
public enum StateName {
    WAITING(0),
    DELAYED(1),
    RUNNING(2),
    DEAD(3),
    /** Dead and halting its group. */
    HALTING(4),
    /** In {@code ended}. */
    DONE(0),
    /** In {@code ended}. */
    CANCELLED(1),
    /** In {@code tally}: all jobs in {@code ended}. */
    ENDED(5),
    LANE_READY(0),
    /** A node holds jobs of the lane. */
    LANE_HELD(1),
    LANE_HALTED(2),
    /** Until {@code ready_at}. */
    LANE_DELAYED(3),
    /** A claim has found the group paused. */
    LANE_PAUSED(4),
    /** A claim has found the key paused. */
    KEY_PAUSED(-1),
    KEY_READY(0),
    /** A key without a waiting job. */
    KEY_IDLE(1),
    /** A key whose rate lets none start, until {@code ready_at}. */
    KEY_RESTING(2),
    /** A key of which as many jobs run as may; looked at again at {@code ready_at}. */
    KEY_FULL(3);

    /** By their codes. */
    private static final List<StateName> LIVE = List.of(WAITING, DELAYED, RUNNING, DEAD, HALTING);
    private static final NamedNumbers NUMBERS = new NamedNumbers(
            Stream.of(values()).collect(Collectors.toMap(Enum::name, StateName::code)));

    private final int code;

    StateName(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The state in {@code job} that has this code. */
    public static StateName live(int code) {
        return LIVE.get(code);
    }

    /** A text of SQL with the numbers of the states that it names. */
    public static String numbered(String sql) {
        return NUMBERS.in(sql);
    }
}
