package dev.orderly.store.postgres.room;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.store.postgres.sql.ServerMemory;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.text.LocalizedText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rooms port. A call of visitors and gates is a transaction with one statement, which calls a function of the
 * database; a call that names a visitor repeatedly has a statement for each repetition. A room's lock serialises its
 * calls of all nodes. States add a statement for revoked visitors, if there are new ones.
 */
public final class PostgresRooms implements RoomStore {
    private final Transactions transactions;
    private final ServerMemory<RevokedVisitorCache> voided;

    public PostgresRooms(Transactions transactions, ServerRuns runs) {
        voided = new ServerMemory<>(runs, RevokedVisitorCache::new);
        this.transactions = transactions;
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        return transactions.run(connection -> DistinctWaves.each(joins, JoinRequest::visitor,
                wave -> new RoomFunctions(connection, now).join(room, wave)));
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
        return transactions.run(connection -> DistinctWaves.each(requests, AdmissionRequest::visitor,
                wave -> new RoomFunctions(connection, now).admit(room, wave)));
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        return transactions.run(connection -> DistinctWaves.each(renewals, RenewalRequest::visitor,
                wave -> new RoomFunctions(connection, now).renew(room, wave)));
    }

    @Override
    public List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now) {
        return moves.isEmpty()
                ? List.of()
                : transactions.run(connection -> new RoomFunctions(connection, now).move(room, moves));
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        transactions.run(connection -> DistinctWaves.each(departures, Departure::visitor,
                wave -> new RoomFunctions(connection, now).depart(room, wave)));
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        return transactions.run(connection -> {
            RoomFunctions calls = new RoomFunctions(connection, now);
            List<List<Presence>> waves = DistinctWaves.of(report.presences(), Presence::place);
            for (List<Presence> wave : waves.subList(0, Math.max(0, waves.size() - 1))) {
                calls.sync(room, report, wave);
            }
            return state(connection, calls.sync(room, report, waves.isEmpty() ? List.of() : waves.getLast()));
        });
    }

    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        return transactions.run(connection -> {
            RoomRow view = new RoomFunctions(connection, now).govern(room, step);
            return view == null ? Optional.<RoomState>empty() : Optional.of(state(connection, view));
        });
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return transactions.run(connection -> {
            RoomFunctions calls = new RoomFunctions(connection, now);
            RoomRow locked = calls.touch(room);
            change(connection, calls, room, change, locked);
            return state(connection, calls.touch(room));
        });
    }

    /** Writes the change, under the room's lock. */
    private static void change(Connection connection, RoomFunctions calls, RoomName room, RoomChange change,
            RoomRow locked) throws SQLException {
        switch (change) {
            case RoomChange.Mode(RoomMode mode) ->
                update(connection, room, "mode = ?, calls = ?, admits = ?", mode.name(), mode.calls(), mode.admits());
            case RoomChange.Message(LocalizedText text) ->
                update(connection, room, "message = ?", text == null ? null : text.stored());
            case RoomChange.Settings(Limits limits) -> {
                Rate rate = limits == null ? null : limits.rate();
                update(connection, room, "overridden = ?, capacity = ?, admissions = ?, period = ?", limits != null,
                        limits == null ? null : limits.capacity(), rate == null ? null : rate.admissions(),
                        rate == null ? null : Math.toIntExact(rate.period().toMillis()));
            }
            case RoomChange.Admit(int visitors) -> update(connection, room,
                    "granted = least(2147483647, granted::bigint + ?)", visitors);
            // Gates read the changes of openings as they read new revocations, by this number.
            case RoomChange.Openings to -> {
                if (to.appliesTo(calls.openings(room), locked.at())) {
                    update(connection, room, "openings = ?, voids = voids + 1", OpeningChange.stored(to.changes()));
                }
            }
            case RoomChange.Draw(DrawStep step) -> {
                DrawLedger before = calls.draws(room);
                RoomState state = locked.bare();
                DrawLedger after = step.applyTo(before, room, state.epoch(),
                        calls.lengths(room, state.line().length()));
                if (!after.equals(before)) {
                    calls.replaceDraws(room, before, after);
                }
            }
            case RoomChange.NewEpoch() -> {
                calls.beginAnew(room);
                DrawLedger before = calls.draws(room);
                if (!before.equals(DrawLedger.NONE)) {
                    calls.replaceDraws(room, before, before.ofNewEpoch());
                }
            }
        }
    }

    private static void update(Connection connection, RoomName room, String columns, @Nullable Object... values)
            throws SQLException {
        Sql sql = new Sql(connection, "UPDATE room SET " + columns + " WHERE name = ?");
        for (Object value : values) {
            sql.with(value);
        }
        sql.with(room.value()).update();
    }

    @Override
    public List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now) {
        return leaves.isEmpty()
                ? List.of()
                : transactions.run(connection -> new RoomFunctions(connection, now).replaceLeaves(room, leaves));
    }

    @Override
    public byte[] leaves(RoomName room, long from, int most, Instant now) {
        return transactions.run(connection -> new RoomFunctions(connection, now).leaves(room, from, most));
    }

    @Override
    public VisitorRecord find(RoomName room, VisitorId visitor, Instant now) {
        return transactions.run(connection -> new RoomFunctions(connection, now).find(room, visitor));
    }

    @Override
    public PlaceUse use(RoomName room, long place, Instant now) {
        return transactions.run(connection -> new RoomFunctions(connection, now).use(room, place));
    }

    @Override
    public PresentPlaces present(RoomName room, int line, int most, Instant now) {
        return transactions.run(connection -> new RoomFunctions(connection, now).present(room, line, most));
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return transactions.run(connection -> {
            List<RoomState> states = new ArrayList<>();
            for (RoomRow view : new RoomFunctions(connection, now).all()) {
                states.add(state(connection, view));
            }
            return states;
        });
    }

    private RoomState state(Connection connection, RoomRow view) throws SQLException {
        return voided.of(connection).of(connection, view).addTo(connection, view);
    }
}
