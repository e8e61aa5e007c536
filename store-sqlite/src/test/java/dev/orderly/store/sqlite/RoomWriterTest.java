package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.NodeId;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.file.ConnectionFactory;
import dev.orderly.store.sqlite.file.DatabaseFiles;
import dev.orderly.store.sqlite.file.LockedJobsFile;
import dev.orderly.store.sqlite.file.SqliteErrors;
import dev.orderly.store.sqlite.file.SqliteMigrations;
import dev.orderly.store.sqlite.file.WriterConnection;
import dev.orderly.store.sqlite.port.Heartbeats;
import dev.orderly.store.sqlite.port.SqliteRooms;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.RequestQueue.Call;
import dev.orderly.store.sqlite.writer.RowCounter;
import dev.orderly.store.sqlite.writer.WriteRequest;
import dev.orderly.store.sqlite.writer.Writer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rooms in the writer's transactions, on the test's thread. */
class RoomWriterTest {
    private static final RoomName SALE = new RoomName("sale");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration PASS = Duration.ofMinutes(5);
    private static final Duration TICKET = Duration.ofHours(24);
    private static final int FAR = 1_000_000;

    @TempDir
    private Path folder;

    private final OpenResources closing = new OpenResources();
    private final Time time = Time.system();
    private final Random random = new Random(1);
    private Instant now = NOW;
    private @Nullable Connection connection;
    private @Nullable Writer writer;

    @BeforeEach
    void open() throws SQLException, IOException {
        Path file = folder.resolve("orderly.db");
        ConnectionFactory connector = new SqliteConnections(file, SqliteOptions.DEFAULT);
        WriterConnection writing = closing.add(new WriterConnection(new DatabaseFiles(file), connector));
        Connection opened = writing.get();
        long salt = SqliteMigrations.prepare(opened, OptionalLong.empty(), random);
        LockedJobsFile running = closing.add(LockedJobsFile.open(folder.resolve("running"), salt));
        connection = opened;
        writer = new Writer(new RequestQueue(time), writing,
                closing.add(WriterState.restore(opened, salt, running, Time.system(), Places.TINY,
                        folder.resolve("keys"))),
                new SqliteErrors(file),
                new RowCounter(connector));
    }

    @AfterEach
    void close() {
        closing.close();
    }

    @Test
    void aFailedTransactionUndoesTheChangesOfItsRequestsToRooms() throws SQLException {
        openRoom(Limits.NONE);
        assertThat(ask(joins(3))).hasOnlyElementsOfType(JoinResult.Entered.class);
        Call<List<JoinResult>> refused = call(joins(5));
        execute("CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.place BEGIN SELECT RAISE(ABORT, 'no'); END");
        serve(refused);
        assertThatThrownBy(() -> result(refused)).isInstanceOf(StoreException.Unavailable.class);
        execute("DROP TRIGGER refuse");
        RoomState state = ask(state());
        assertThat(state.line().length()).isEqualTo(3);
        assertThat(state.load().active()).isEqualTo(3);
        assertThat(state.limits()).as("not known until the next step").isEqualTo(Limits.CLOSED);
        openRoom(Limits.NONE);
        assertThat(ask(joins(1))).extracting(JoinResult::place).containsExactly(4L);
    }

    @Test
    void aBadRequestDoesNotAffectRoomsInItsTransaction() throws SQLException {
        openRoom(Limits.NONE);
        Call<List<JoinResult>> before = call(joins(2));
        Call<Boolean> bad = call(SqliteRooms.shared(1, _ -> {
            throw new SQLException("nonsense");
        }));
        Call<List<JoinResult>> after = call(joins(2));
        serve(before, bad, after);
        assertThat(result(before)).extracting(JoinResult::place).containsExactly(1L, 2L);
        assertThat(result(after)).extracting(JoinResult::place).containsExactly(3L, 4L);
        assertThatThrownBy(() -> result(bad)).isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void aRoomOfARefusedFirstRequestIsNotCreated() throws SQLException {
        execute("CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.room BEGIN SELECT RAISE(ABORT, 'no'); END");
        Call<List<JoinResult>> refused = call(joins(1));
        serve(refused);
        assertThatThrownBy(() -> result(refused)).isInstanceOf(StoreException.Unavailable.class);
        execute("DROP TRIGGER refuse");
        assertThat(all()).isEmpty();
        assertThat(ask(joins(1))).extracting(JoinResult::place).containsExactly(1L);
    }

    @Test
    void manyJoinsOfATransactionWriteTheRoomOnce() throws SQLException {
        openRoom(Limits.CLOSED);
        execute("CREATE TEMP TABLE seen(n INTEGER)");
        execute("CREATE TEMP TRIGGER watch AFTER INSERT ON main.room BEGIN INSERT INTO seen VALUES(1); END");
        serve(call(joins(10)), call(joins(10)), call(joins(10)));
        assertThat(count("seen")).isEqualTo(1);
    }

    @Test
    void aStepThatChangesNothingWritesNothing() throws SQLException {
        openRoom(Limits.NONE);
        execute("CREATE TEMP TABLE seen(n INTEGER)");
        execute("CREATE TEMP TRIGGER watch AFTER INSERT ON main.room BEGIN INSERT INTO seen VALUES(1); END");
        openRoom(Limits.NONE);
        assertThat(count("seen")).isZero();
    }

    @Test
    void placesOfUsedTicketsAreDeletedAfterTheirExpiry() throws SQLException {
        openRoom(Limits.NONE);
        assertThat(ask(joins(30))).hasSize(30);
        now = now.plus(TICKET);
        rounds(20);
        assertThat(count("place")).as("not before").isEqualTo(30);
        assertThat(count("admission")).isZero();
        now = now.plus(Duration.ofMinutes(11));
        assertThat(ask(joins(2))).hasSize(2);
        rounds(20);
        assertThat(count("place")).isEqualTo(2);
    }

    @Test
    void placesOfEarlierEpochsAreDeleted() throws SQLException {
        openRoom(Limits.NONE);
        assertThat(ask(joins(30))).hasSize(30);
        RoomState anew = ask(SqliteRooms.shared(1, rooms -> rooms.of(SALE).change(new RoomChange.NewEpoch(), now)));
        assertThat(anew.epoch()).isEqualTo(2);
        openRoom(Limits.NONE);
        now = now.plus(Duration.ofMinutes(11));
        openRoom(Limits.NONE);
        assertThat(ask(joins(2))).hasOnlyElementsOfType(JoinResult.Entered.class);
        rounds(20);
        assertThat(count("place")).isEqualTo(2);
    }

    @Test
    void roomsAndJobsShareATransaction() throws SQLException {
        openRoom(Limits.NONE);
        Call<List<JoinResult>> joins = call(joins(2));
        Call<Heartbeat> beat = call(Heartbeats.beat(new NodeId("node"), Set.of()));
        serve(joins, beat);
        assertThat(result(joins)).hasSize(2);
        assertThat(result(beat).alive()).isTrue();
        VisitorId stranger = VisitorId.random(random);
        AdmissionRequest locked = new AdmissionRequest(stranger, 1, 9, now, now.plus(PASS),
                AdmissionRequest.Kind.TAKEN);
        List<AdmissionResult> spent = ask(
                SqliteRooms.shared(1, rooms -> rooms.of(SALE).admit(List.of(locked), now)));
        assertThat(spent).containsExactly(new AdmissionResult.Spent());
    }

    private void rounds(int rounds) throws SQLException {
        for (int round = 0; round < rounds; round++) {
            openRoom(Limits.NONE);
            now = now.plusSeconds(1);
        }
    }

    private void openRoom(Limits limits) throws SQLException {
        long epoch = all().stream().findFirst()
                .map(RoomState::epoch).orElse(1L);
        GateReport report = new GateReport(new GateId("gate"), epoch, FAR, List.of());
        RoomState synced = ask(SqliteRooms.inMemory(1, rooms -> rooms.of(SALE).sync(report, now)));
        assertThat(synced.room()).isEqualTo(SALE);
        GovernorStep step = new GovernorStep(new GateId("governor"), now.plusSeconds(3), limits, SlowdownReason.NO, 0,
                FAR,
                now.minus(TICKET));
        Optional<RoomState> governed = ask(
                SqliteRooms.shared(1, rooms -> rooms.governAndPrune(SALE, step, now)));
        assertThat(governed).isPresent();
    }

    private WriteRequest<List<JoinResult>> joins(int visitors) {
        List<JoinRequest> joins = Stream.generate(() -> new JoinRequest(VisitorId.random(random), now, now.plus(PASS)))
                .limit(visitors).toList();
        return SqliteRooms.shared(visitors, rooms -> rooms.of(SALE).join(joins, now));
    }

    private List<RoomState> all() throws SQLException {
        return ask(SqliteRooms.inMemory(1, rooms -> rooms.states(now)));
    }

    private WriteRequest<RoomState> state() {
        return SqliteRooms.inMemory(1, rooms -> rooms.states(now).getFirst());
    }

    private long count(String table) throws SQLException {
        try (Statement statement = connection().createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection().createStatement()) {
            statement.execute(sql);
            connection().commit();
        }
    }

    private static <T> Call<T> call(WriteRequest<T> request) {
        return new Call<>(request, true);
    }

    private <T> T ask(WriteRequest<T> request) throws SQLException {
        Call<T> call = call(request);
        serve(call);
        return result(call);
    }

    private void serve(Call<?>... calls) throws SQLException {
        for (Call<?> call : calls) {
            assertThat(call.take()).isTrue();
        }
        Objects.requireNonNull(writer).serve(List.of(calls));
    }

    private <T> T result(Call<T> call) {
        return call.await(time, time.deadline(Duration.ofSeconds(1)));
    }

    private Connection connection() {
        return Objects.requireNonNull(connection);
    }
}
