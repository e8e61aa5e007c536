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
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.UserJoin;
import dev.orderly.store.postgres.room.RoomFunctions;
import dev.orderly.store.postgres.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Number of rows that a call reads in a room with very many visitors waiting and inside. */
class RoomPlansTest {
    private static final int MANY = 20_000;
    /** Number of visitors, large enough for the planner to choose a wrong plan. With few rows it is right by luck. */
    private static final int WAITING = 100_000;
    private static final int FEW = 3_000;
    private static final int MOVED = 2_000;
    private static final Instant FOREVER = NOW.plus(Duration.ofDays(1));

    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options, new Random(7));
    private final List<VisitorId> inside = new ArrayList<>(IntStream.range(0, 100).mapToObj(_ -> visitor()).toList());
    private final List<VisitorId> users = new ArrayList<>(inside);

    /** What the planner knows when a session plans, and the session keeps its plans. */
    enum Planned {
        ON_FULL_TABLES_WITHOUT_STATISTICS, ON_FULL_TABLES_WITH_STATISTICS, ON_TABLES_VACUUMED_WHILE_EMPTY
    }

    /** A call. */
    @FunctionalInterface
    private interface Work {
        void on(RoomFunctions calls) throws SQLException;
    }

    /** Makes a call that has a name. */
    @FunctionalInterface
    private interface Caller {
        void call(String name, Work work) throws SQLException;
    }

    private void fill() {
        Rooms.sync(postgres.rooms(), "gate", FAR, NOW);
        Rooms.govern(postgres.rooms(), Limits.NONE, NOW);
        List<JoinRequest> entering = ofUsers(MANY);
        postgres.rooms().join(SALE, entering, NOW);
        inside.clear();
        users.clear();
        entering.forEach(join -> {
            inside.add(join.visitor());
            users.add(Objects.requireNonNull(join.user()).user());
        });
        Rooms.govern(postgres.rooms(), Limits.CLOSED, NOW);
        List<JoinRequest> waiting = joins(WAITING, PASS);
        postgres.rooms().join(SALE, waiting, NOW);
        postgres.rooms().move(SALE, IntStream.range(0, MOVED).mapToObj(n -> new MoveRequest(waiting.get(n).visitor(), 1,
                MANY + 1 + n, visitor(), NOW.plus(PASS))).toList(), NOW);
    }

    @AfterEach
    void close() {
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @ParameterizedTest
    @EnumSource
    void noCallReadsAllVisitorsWaitingOrInside(Planned planned) throws SQLException {
        try (Connection connection = connection()) {
            if (planned == Planned.ON_TABLES_VACUUMED_WHILE_EMPTY) {
                Server.vacuum(options);
                call((_, work) -> work.on(new RoomFunctions(connection, NOW)));
                connection.rollback();
            }
            fill();
            if (planned == Planned.ON_FULL_TABLES_WITH_STATISTICS) {
                Server.vacuum(options);
            }
            call((name, work) -> check(connection, name, work));
        }
    }

    private void call(Caller caller) throws SQLException {
        caller.call("join", calls -> calls.join(SALE, joins(10, PRESENT)));
        caller.call("join of users", calls -> calls.join(SALE, ofUsers(10)));
        caller.call("join of users with places", calls -> calls.join(SALE, again()));
        caller.call("admit", calls -> calls.admit(SALE, requests(MANY + 5_000)));
        caller.call("govern", calls -> calls.govern(SALE, step(50)));
        caller.call("govern again", calls -> calls.govern(SALE, step(60)));
        caller.call("admit at the door", calls -> calls.admit(SALE, requests(MANY + 1)));
        caller.call("sync", calls -> calls.sync(SALE, new GateReport(new GateId("gate"), 1, FAR, List.of()),
                LongStream.range(0, 10).mapToObj(n -> new Presence(MANY + n * 100, NOW.plus(PASS))).toList()));
        caller.call("renew", calls -> calls.renew(SALE, inside.subList(0, 10).stream()
                .map(visitor -> new RenewalRequest(visitor, 1, 1, NOW.plus(PASS), false)).toList()));
        caller.call("move", calls -> calls.move(SALE, List.of(
                new MoveRequest(inside.get(30), 1, 31, visitor(), NOW.plus(PASS)))));
        caller.call("depart", calls -> calls.depart(SALE, inside.subList(10, 20).stream()
                .map(visitor -> new Departure(visitor, 1, 0, NOW.plus(PASS))).toList()));
        caller.call("find", calls -> calls.find(SALE, inside.get(50)));
        caller.call("rooms", RoomFunctions::all);
    }

    private static VisitorId visitor() {
        return joins(1, Duration.ZERO).getFirst().visitor();
    }

    private static List<JoinRequest> ofUsers(int visitors) {
        return joins(visitors, Duration.ZERO).stream().map(join -> of(visitor(), join)).toList();
    }

    /** Requests of new devices of users who are inside. */
    private List<JoinRequest> again() {
        List<JoinRequest> devices = joins(10, Duration.ZERO);
        return IntStream.range(0, devices.size()).mapToObj(n -> of(users.get(n), devices.get(n))).toList();
    }

    private static JoinRequest of(VisitorId user, JoinRequest join) {
        return new JoinRequest(join.visitor(), join.presentUntil(), join.passUntil(), null, null, null,
                new UserJoin(user, List.of(), FOREVER, FOREVER));
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
