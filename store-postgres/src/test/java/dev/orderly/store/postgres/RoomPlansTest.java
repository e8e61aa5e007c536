package dev.orderly.store.postgres;

import static dev.orderly.store.postgres.Rooms.FAR;
import static dev.orderly.store.postgres.Rooms.NOW;
import static dev.orderly.store.postgres.Rooms.PASS;
import static dev.orderly.store.postgres.Rooms.PRESENT;
import static dev.orderly.store.postgres.Rooms.SALE;
import static dev.orderly.store.postgres.Rooms.joins;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.store.postgres.room.RoomFunctions;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Number of rows that a call reads in a room with very many visitors waiting and inside, on tables without statistics.
 */
class RoomPlansTest {
    private static final int MANY = 20_000;
    /** Number of visitors, large enough for the planner to choose a wrong plan. With few rows it is right by luck. */
    private static final int WAITING = 100_000;
    private static final int FEW = 3_000;

    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options, new Random(7));
    private final List<VisitorId> inside = new ArrayList<>();

    /** A call. */
    @FunctionalInterface
    private interface Work {
        void on(RoomFunctions calls) throws SQLException;
    }

    @BeforeEach
    void fill() {
        Rooms.sync(postgres.rooms(), "gate", FAR, NOW);
        Rooms.govern(postgres.rooms(), Limits.NONE, NOW);
        var entering = joins(MANY, Duration.ZERO);
        postgres.rooms().join(SALE, entering, NOW);
        entering.forEach(join -> inside.add(join.visitor()));
        Rooms.govern(postgres.rooms(), Limits.CLOSED, NOW);
        postgres.rooms().join(SALE, joins(WAITING, PASS), NOW);
    }

    @AfterEach
    void close() {
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void noCallReadsAllVisitorsWaitingOrInside() throws SQLException {
        try (Connection connection = connection()) {
            check(connection, "join", calls -> calls.join(SALE, joins(10, PRESENT)));
            check(connection, "admit", calls -> calls.admit(SALE, requests(MANY + 5_000)));
            check(connection, "govern", calls -> calls.govern(SALE, step(50)));
            check(connection, "govern again", calls -> calls.govern(SALE, step(60)));
            check(connection, "admit at the door", calls -> calls.admit(SALE, requests(MANY + 1)));
            check(connection, "sync", calls -> calls.sync(SALE, new GateReport(new GateId("gate"), 1, FAR, List.of()),
                    LongStream.range(0, 10).mapToObj(n -> new Presence(MANY + n * 100, NOW.plus(PASS))).toList()));
            check(connection, "renew", calls -> calls.renew(SALE, inside.subList(0, 10).stream()
                    .map(visitor -> new RenewalRequest(visitor, 1, 1, NOW.plus(PASS), false)).toList()));
            check(connection, "depart", calls -> calls.depart(SALE, inside.subList(10, 20).stream()
                    .map(visitor -> new Departure(visitor, 1, 0, NOW.plus(PASS))).toList()));
            check(connection, "rooms", RoomFunctions::all);
        }
    }

    private static List<AdmissionRequest> requests(long from) {
        return LongStream.range(from, from + 10)
                .mapToObj(place -> new AdmissionRequest(new VisitorId(place, 1), 1, place,
                        NOW.plus(PRESENT), NOW.plus(PASS), AdmissionRequest.Kind.TAKEN))
                .toList();
    }

    private static GovernorStep step(int door) {
        return new GovernorStep(new GateId("governor"), NOW.plusSeconds(3), new Limits(MANY + 5, null),
                SlowdownReason.NO,
                door, FAR, NOW);
    }

    private static void check(Connection connection, String name, Work work) throws SQLException {
        long before = read(connection);
        work.on(new RoomFunctions(connection, NOW));
        long read = read(connection) - before;
        assertThat(read).as("rows that %s reads", name).isPositive().isLessThan(FEW);
        connection.commit();
    }

    private static long read(Connection connection) throws SQLException {
        return new Sql(connection, """
                SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_xact_user_tables
                WHERE schemaname = current_schema()""").number();
    }

    /**
     * A connection with the store's settings, whose transactions can be asked for the number of rows they have read.
     */
    private Connection connection() throws SQLException {
        return Server.session(options);
    }
}
