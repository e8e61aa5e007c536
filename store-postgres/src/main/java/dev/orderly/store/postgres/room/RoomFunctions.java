package dev.orderly.store.postgres.room;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.LobbyRecords.NewLeaf;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.TierShares;
import dev.orderly.room.store.TierShares.Share;
import dev.orderly.room.store.UserJoin;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.ColumnCodecs;
import dev.orderly.store.sql.CopiedRooms;
import java.io.ByteArrayOutputStream;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls of the functions in {@code room-calls.sql} and {@code room-control.sql}, in one transaction at one moment. */
public final class RoomFunctions {
    private final Connection connection;
    private final Instant now;

    public RoomFunctions(Connection connection, Instant now) {
        this.connection = connection;
        this.now = now;
    }

    static VisitorId visitor(UUID column) {
        return new VisitorId(column.getMostSignificantBits(), column.getLeastSignificantBits());
    }

    static UUID column(VisitorId visitor) {
        return new UUID(visitor.high(), visitor.low());
    }

    public List<JoinResult> join(RoomName room, List<JoinRequest> joins) throws SQLException {
        List<JoinResult> results = new ArrayList<>(joins.size());
        Set<VisitorId> users = new HashSet<>();
        int from = 0;
        for (int n = 0; n < joins.size(); n++) {
            InvitationUse use = joins.get(n).invitation();
            UserJoin user = joins.get(n).user();
            boolean changes = n > from && (user == null) != (joins.get(from).user() == null);
            if (use != null || changes || (user != null && users.contains(user.user()))) {
                results.addAll(joinAlike(room, joins.subList(from, n)));
                users.clear();
                from = n;
            }
            if (user != null) {
                users.add(user.user());
            }
            if (use != null) {
                results.add(redeem(room, joins.get(n), use));
                users.clear();
                from = n + 1;
            }
        }
        results.addAll(joinAlike(room, joins.subList(from, joins.size())));
        return results;
    }

    private List<JoinResult> joinAlike(RoomName room, List<JoinRequest> joins) throws SQLException {
        return joins.isEmpty() || joins.getFirst().user() == null
                ? joinPlain(room, joins)
                : new UserFunctions(connection, now).join(room, joins);
    }

    private JoinResult redeem(RoomName room, JoinRequest join, InvitationUse use) throws SQLException {
        UserJoin user = join.user();
        if (user == null) {
            return redeem(room, join, use, null);
        }
        UserFunctions users = new UserFunctions(connection, now);
        UserFunctions.Held held = users.held(room, user); // locks the room
        VisitorRecord code = find(room, use.invitation().use());
        JoinResult result = redeem(room, join, use, held);
        if (!(result instanceof JoinResult.Placed) && !(result instanceof JoinResult.Entered)) {
            return result;
        }
        if (code.voidUntil() != null) { // the place of the first request may be over, and another one the user's
            return held != null && held.visitor().equals(join.visitor())
                    ? shared(result.epoch(), held)
                    : new JoinResult.Uninvited(result.epoch(), InvitationRefusal.SPENT);
        }
        users.give(room, join, user, result);
        return result;
    }

    /** @param held the place that the user of the request has; null for none */
    private JoinResult redeem(RoomName room, JoinRequest join, InvitationUse use, UserFunctions.@Nullable Held held)
            throws SQLException {
        InvitationUse.Former former = use.former();
        Instant lobby = former == null ? null : former.lobby();
        return only(
                call("SELECT * FROM room_redeem(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::uuid, ?, ?::bigint, ?::uuid, ?)",
                        room)
                        .with(column(join.visitor())).with(join.presentUntil().toEpochMilli())
                        .with(join.passUntil().toEpochMilli()).with(join.leaf()).with(join.tier())
                        .with(column(use.invitation().use()))
                        .with(column(InvitationId.revocation(use.invitation().series()))).with(use.epoch())
                        .with(use.until().toEpochMilli()).with(former == null ? null : column(former.visitor()))
                        .with(former == null ? 0 : former.place()).with(lobby == null ? null : lobby.toEpochMilli())
                        .with(held == null ? null : column(held.visitor())).with(held != null && held.stays())
                        .list(row -> {
                            long epoch = row.getLong(2);
                            long place = row.getLong(3);
                            long ahead = row.getLong(4);
                            return switch (row.getString(1)) {
                                case "TAKEN" -> ahead < 0
                                        ? new JoinResult.Entered(epoch, place, join.passUntil())
                                        : new JoinResult.Placed(epoch, place, ahead);
                                case "SHARED" -> shared(epoch, Objects.requireNonNull(held));
                                case "LATER" -> new JoinResult.Uninvited(epoch, null);
                                case "OVER" -> new JoinResult.Uninvited(epoch, InvitationRefusal.ENDED);
                                case String why -> new JoinResult.Uninvited(epoch, InvitationRefusal.valueOf(why));
                            };
                        }));
    }

    private static JoinResult shared(long epoch, UserFunctions.Held held) {
        return new JoinResult.Shared(epoch, held.place(), held.visitor(), held.ahead(), held.until());
    }

    private List<JoinResult> joinPlain(RoomName room, List<JoinRequest> joins) throws SQLException {
        if (joins.isEmpty()) {
            return List.of();
        }
        if (joins.stream().anyMatch(join -> join.tier() != null)) {
            return joinTiers(room, joins);
        }
        return only(call("SELECT * FROM room_join(?, ?, ?, ?, ?, ?)", room)
                .uuids(joins.stream().map(join -> column(join.visitor())).toList())
                .longs(millis(joins.stream().map(JoinRequest::presentUntil)))
                .longs(millis(joins.stream().map(JoinRequest::passUntil)))
                .texts(Arrays.asList(joins.stream().map(JoinRequest::leaf).toArray(String[]::new))).list(row -> {
                    long epoch = row.getLong(1);
                    long first = row.getLong(2);
                    Long[] ahead = longs(row, 3);
                    List<JoinResult> results = new ArrayList<>(ahead.length);
                    for (int n = 0; n < ahead.length; n++) {
                        results.add(ahead[n] < 0
                                ? new JoinResult.Entered(epoch, first + n, joins.get(n).passUntil())
                                : new JoinResult.Placed(epoch, first + n, ahead[n]));
                    }
                    return results;
                }));
    }

    private List<JoinResult> joinTiers(RoomName room, List<JoinRequest> joins) throws SQLException {
        return only(call("SELECT * FROM room_join_tiers(?, ?, ?, ?, ?, ?, ?)", room)
                .uuids(joins.stream().map(join -> column(join.visitor())).toList())
                .longs(millis(joins.stream().map(JoinRequest::presentUntil)))
                .longs(millis(joins.stream().map(JoinRequest::passUntil)))
                .texts(Arrays.asList(joins.stream().map(JoinRequest::leaf).toArray(String[]::new)))
                .texts(Arrays.asList(joins.stream().map(JoinRequest::tier).toArray(String[]::new))).list(row -> {
                    long epoch = row.getLong(1);
                    Long[] places = longs(row, 2);
                    Long[] ahead = longs(row, 3);
                    return IntStream.range(0, places.length).<JoinResult>mapToObj(n -> ahead[n] < 0
                            ? new JoinResult.Entered(epoch, places[n], joins.get(n).passUntil())
                            : new JoinResult.Placed(epoch, places[n], ahead[n])).toList();
                }));
    }

    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests) throws SQLException {
        List<Integer> order = IntStream.range(0, requests.size()).boxed()
                .sorted(Comparator.comparingLong(n -> requests.get(n).place())).toList();
        List<AdmissionRequest> sorted = order.stream().map(requests::get).toList();
        List<AdmissionResult> results = only(call("SELECT * FROM room_admit(?, ?, ?, ?, ?, ?, ?, ?)", room)
                .uuids(sorted.stream().map(request -> column(request.visitor())).toList())
                .longs(sorted.stream().map(AdmissionRequest::epoch).toList())
                .longs(sorted.stream().map(AdmissionRequest::place).toList())
                .longs(millis(sorted.stream().map(AdmissionRequest::presentUntil)))
                .longs(millis(sorted.stream().map(AdmissionRequest::passUntil)))
                .texts(sorted.stream().map(request -> request.kind().name()).toList())
                .list(RoomFunctions::admissionResults));
        AdmissionResult[] answers = new AdmissionResult[requests.size()];
        for (int n = 0; n < answers.length; n++) {
            answers[order.get(n)] = results.get(n);
        }
        return List.of(answers);
    }

    private static List<AdmissionResult> admissionResults(ResultSet row) throws SQLException {
        Integer[] outcomes = (Integer[]) array(row, 1);
        Long[] numbers = longs(row, 2);
        List<AdmissionResult> results = new ArrayList<>(outcomes.length);
        for (int n = 0; n < outcomes.length; n++) {
            results.add(switch (outcomes[n]) {
                case 0 -> new AdmissionResult.Spent();
                case 1 -> new AdmissionResult.Waits(false, Math.toIntExact(numbers[n]));
                case 2 -> new AdmissionResult.Waits(true, Math.toIntExact(numbers[n]));
                default -> new AdmissionResult.Entered(Instant.ofEpochMilli(numbers[n]));
            });
        }
        return results;
    }

    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals) throws SQLException {
        return only(call("SELECT room_renew(?, ?, ?, ?, ?, ?, ?)", room)
                .uuids(renewals.stream().map(renewal -> column(renewal.visitor())).toList())
                .longs(renewals.stream().map(RenewalRequest::epoch).toList())
                .longs(renewals.stream().map(RenewalRequest::place).toList())
                .longs(millis(renewals.stream().map(RenewalRequest::until)))
                .truths(renewals.stream().map(RenewalRequest::revive).toList())
                .list(row -> Arrays.asList((Boolean[]) array(row, 1))));
    }

    public List<Boolean> move(RoomName room, List<MoveRequest> moves) throws SQLException {
        return only(call("SELECT room_move(?, ?, ?, ?, ?, ?, ?)", room)
                .uuids(moves.stream().map(move -> column(move.visitor())).toList())
                .longs(moves.stream().map(MoveRequest::epoch).toList())
                .longs(moves.stream().map(MoveRequest::place).toList())
                .uuids(moves.stream().map(move -> column(move.to())).toList())
                .longs(moves.stream().map(move -> ColumnCodecs.millis(move.voidUntil())).toList())
                .list(row -> Arrays.asList((Boolean[]) array(row, 1))));
    }

    /** @return true for each departure, as {@link DistinctWaves} wants an answer for each item */
    public List<Boolean> depart(RoomName room, List<Departure> departures) throws SQLException {
        call("SELECT room_depart(?, ?, ?, ?, ?, ?)", room)
                .uuids(departures.stream().map(departure -> column(departure.visitor())).toList())
                .longs(departures.stream().map(Departure::epoch).toList())
                .longs(departures.stream().map(Departure::place).toList())
                .longs(departures.stream().map(departure -> ColumnCodecs.millis(departure.voidUntil())).toList())
                .list(_ -> true);
        return departures.stream().map(_ -> true).toList();
    }

    /** @param presences presences of the report, no place twice */
    public RoomRow sync(RoomName room, GateReport report, List<Presence> presences) throws SQLException {
        String function = report.tiers().isEmpty()
                ? "SELECT * FROM room_sync(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                : "SELECT * FROM room_sync_tiers(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        Sql call = call(function, room)
                .with(report.gate().value()).with(report.epoch()).with(report.covered())
                .with(report.lease().from().toEpochMilli()).with(report.lease().until().toEpochMilli())
                .longs(presences.stream().map(Presence::place).toList())
                .longs(millis(presences.stream().map(Presence::until))).with(report.drawn());
        return only((report.tiers().isEmpty() ? call : call.longs(report.tiers())).list(this::view));
    }

    /** The room after a governor's step; null if another governor holds the lease. */
    @Nullable
    public RoomRow govern(RoomName room, GovernorStep step) throws SQLException {
        Rate rate = step.limits().rate();
        TierShares tiers = step.tiers();
        boolean plain = tiers.equals(TierShares.NONE);
        Sql call = call(plain
                ? "SELECT * FROM room_govern(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                : "SELECT * FROM room_govern_tiers(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", room)
                .with(step.governor().value()).with(step.leaseUntil().toEpochMilli()).with(step.limits().capacity())
                .with(rate == null ? null : rate.admissions())
                .with(rate == null ? null : Math.toIntExact(rate.period().toMillis())).with(step.slowed().name())
                .with(step.door()).with(step.horizon()).with(step.forgetBefore().toEpochMilli());
        return (plain
                ? call
                : call.with(tiers.rest()).with(tiers.reach()).texts(tiers.lines().stream().map(Share::name).toList())
                        .ints(tiers.lines().stream().map(Share::percent).toList()))
                .first(this::view);
    }

    public VisitorRecord find(RoomName room, VisitorId visitor) throws SQLException {
        VisitorRecord found = new Sql(connection, """
                SELECT p.place, p.until, p.taken, v.until, v.moved_to FROM room r
                  LEFT JOIN pass p ON p.line = r.line AND p.visitor = ? AND p.until > ?
                  LEFT JOIN voided v ON v.line = r.line AND v.visitor = ? WHERE r.name = ?""")
                .with(column(visitor)).with(now.toEpochMilli()).with(column(visitor)).with(room.value())
                .first(row -> {
                    UUID movedTo = row.getObject(5, UUID.class);
                    return new VisitorRecord(pass(row), moment(row, 4), movedTo == null ? null : visitor(movedTo));
                });
        return found == null ? VisitorRecord.NONE : found;
    }

    /** Walks over the live passes of the room: for operators. */
    PlaceUse use(RoomName room, long place) throws SQLException {
        PlaceUse found = new Sql(connection, """
                SELECT (SELECT p.visitor FROM pass p
                      WHERE p.line + 0 = r.line AND p.until + 0 > ? AND p.place = ? LIMIT 1),
                    coalesce((SELECT get_bit(u.places, ?) FROM used_up u WHERE u.line = r.line AND u.chunk = ?), 0) = 1
                  FROM room r WHERE r.name = ?""")
                .with(now.toEpochMilli()).with(place).with((int) (place & 1023)).with(place >> 10).with(room.value())
                .first(row -> {
                    UUID holder = row.getObject(1, UUID.class);
                    return new PlaceUse(holder == null ? null : visitor(holder), row.getBoolean(2));
                });
        return found == null ? PlaceUse.NONE : found;
    }

    /** One statement, so that all of the answer is of one moment, and without the room's lock. */
    PresentPlaces present(RoomName room, int line, int most) throws SQLException {
        PresentPlaces found = new Sql(connection, """
                SELECT r.epoch, CASE WHEN ? = 0 THEN coalesce(n.horizon, r.cursor) ELSE coalesce((
                    SELECT t.horizon FROM tier t WHERE t.room = r.id AND t.number = ?), ?) END, p.places, p.untils
                  FROM room r LEFT JOIN room_now n ON n.room = r.id, LATERAL (
                    SELECT coalesce(array_agg(place ORDER BY place), '{}'),
                        coalesce(array_agg(until ORDER BY place), '{}')
                      FROM (SELECT place, until FROM present
                        WHERE line = r.line AND place >= greatest(coalesce(n.front, 0), ?) AND place < ?
                          AND until > ?
                        ORDER BY place LIMIT ?) AS lowest) AS p(places, untils)
                  WHERE r.name = ?""")
                .with(line).with(line).with(Tiers.start(line)).with(Tiers.start(line)).with(Tiers.start(line + 1))
                .with(now.toEpochMilli()).with(most).with(room.value()).first(row -> {
                    Long[] places = longs(row, 3);
                    Long[] untils = longs(row, 4);
                    return PresentPlaces.of(row.getLong(1), row.getLong(2), IntStream.range(0, places.length)
                            .mapToObj(n -> new Presence(places[n], Instant.ofEpochMilli(untils[n]))).toList(), most);
                });
        return found == null ? PresentPlaces.of(1, Tiers.start(line), List.of(), most) : found;
    }

    private static VisitorRecord.@Nullable LivePass pass(ResultSet row) throws SQLException {
        Instant until = moment(row, 2);
        return until == null ? null : new VisitorRecord.LivePass(row.getLong(1), until, row.getBoolean(3));
    }

    private static @Nullable Instant moment(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Instant.ofEpochMilli(millis);
    }

    RoomRow touch(RoomName room) throws SQLException {
        return only(call("SELECT * FROM room_touch(?, ?)", room).list(this::view));
    }

    List<OpeningChange> openings(RoomName room) throws SQLException {
        return new Sql(connection, "SELECT openings FROM room WHERE name = ?").with(room.value())
                .list(row -> OpeningChange.ofStored(row.getString(1))).getFirst();
    }

    DrawLedger draws(RoomName room) throws SQLException {
        return new Sql(connection, "SELECT draws, lobby_open, lobby_base, lobby_end, drawn, lobby_bases, lobby_ends"
                + " FROM room WHERE name = ?").with(room.value()).list(CopiedRooms::draws).getFirst();
    }

    /** Gates read the draws as they read new revocations, by the number of these. */
    void replaceDraws(RoomName room, DrawLedger before, DrawLedger after) throws SQLException {
        new Sql(connection, "UPDATE room SET draws = ?, lobby_open = ?, lobby_base = ?, lobby_end = ?, drawn = ?,"
                + " lobby_bases = ?, lobby_ends = ?, voids = voids + 1 WHERE name = ?").with(after.stored())
                .with(after.open()).with(after.base()).with(after.end()).with(after.drawn())
                .with(DrawLedger.text(after.bases())).with(DrawLedger.text(after.ends())).with(room.value()).update();
        if (after.drawn() > before.drawn()) {
            new Sql(connection,
                    "UPDATE gate SET covered = 0, tiers = NULL FROM room WHERE room.id = gate.room AND room.name = ?")
                    .with(room.value()).update();
            new Sql(connection, "UPDATE room_now SET covered = 0, horizon = least(horizon, greatest(?, room.cursor))"
                    + " FROM room WHERE room.id = room_now.room AND room.name = ?").with(before.base())
                    .with(room.value()).update();
            new Sql(connection, "UPDATE tier t SET horizon = least(t.horizon, greatest(coalesce((?)[t.number + 1],"
                    + " t.number::bigint << 44), t.cursor)) FROM room r"
                    + " WHERE t.number > 0 AND r.id = t.room AND r.name = ?").longs(before.bases())
                    .with(room.value()).update();
        }
    }

    /** The last place issued of each line of the room, by number. */
    List<Long> lengths(RoomName room, long first) throws SQLException {
        List<Long> lengths = new ArrayList<>(List.of(first));
        lengths.addAll(new Sql(connection, "SELECT t.length FROM room r JOIN tier t ON t.room = r.id"
                + " WHERE r.name = ? AND t.number > 0 ORDER BY t.number").with(room.value())
                .list(row -> row.getLong(1)));
        return lengths;
    }

    /** For each whether it was stored, under the lock of the room. */
    List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves) throws SQLException {
        touch(room);
        Set<Integer> stored = new HashSet<>(new Sql(connection, """
                WITH wanted AS (
                  SELECT a.* FROM unnest(?, ?, ?) WITH ORDINALITY AS a(epoch, place, leaf, i)), put AS (
                  UPDATE lobby l SET leaf = decode(w.leaf, 'hex') FROM room r, wanted w
                    WHERE r.name = ? AND r.lobby_open AND r.lobby_base >= 0 AND w.epoch = r.epoch
                      AND w.place > CASE WHEN w.place >> 44 = 0 THEN r.lobby_base ELSE coalesce(
                        nullif(split_part(r.lobby_bases, ' ', (w.place >> 44)::int), '')::bigint, 0) END
                      AND l.line = r.line AND l.place = w.place RETURNING w.i)
                SELECT i FROM put""").longs(leaves.stream().map(NewLeaf::epoch).toList())
                .longs(leaves.stream().map(NewLeaf::place).toList()).texts(leaves.stream().map(NewLeaf::leaf).toList())
                .with(room.value()).list(row -> row.getInt(1)));
        return IntStream.rangeClosed(1, leaves.size()).mapToObj(stored::contains).toList();
    }

    byte[] leaves(RoomName room, long from, int most) throws SQLException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        new Sql(connection, "SELECT l.leaf FROM room r JOIN lobby l ON l.line = r.line"
                + " WHERE r.name = ? AND l.place >= ? AND l.place < ? ORDER BY l.place").with(room.value()).with(from)
                .with(from + most).each(row -> all.writeBytes(row.getBytes(1)));
        return all.toByteArray();
    }

    /** The lines of tiers. Presences that have ended by then and were not removed yet do not count. */
    static List<TierLine> tiers(Connection connection, RoomName room, Instant at) throws SQLException {
        return new Sql(connection, """
                SELECT t.number, t.name, t.share, t.length, t.cursor,
                    CASE WHEN n.room IS NULL THEN t.cursor ELSE t.horizon END, t.admitted, p.door, p.known,
                    t.served - f.served
                  FROM room r JOIN tier t ON t.room = r.id AND t.number > 0
                  JOIN tier f ON f.room = r.id AND f.number = 0
                  LEFT JOIN room_now n ON n.room = r.id, LATERAL (
                    SELECT count(*) FILTER (WHERE place <= t.cursor) AS door, count(*) AS known FROM present
                      WHERE line = r.line AND place > t.number::bigint << 44
                        AND place < (t.number + 1)::bigint << 44 AND until > ?) AS p
                  WHERE r.name = ? ORDER BY t.number""").with(at.toEpochMilli()).with(room.value())
                .list(row -> new TierLine(row.getInt(1), row.getString(2), row.getInt(3), new RoomState.Line(
                        row.getLong(4), row.getLong(5), row.getLong(6), row.getInt(9) > 0), row.getInt(8),
                        row.getInt(9), row.getLong(7), row.getLong(10)));
    }

    void beginAnew(RoomName room) throws SQLException {
        call("SELECT room_begin_anew(?, ?)", room).list(_ -> true);
    }

    public List<RoomRow> all() throws SQLException {
        return new Sql(connection, "SELECT seen.* FROM room, LATERAL room_peek(room, ?) AS seen ORDER BY room.name")
                .with(now.toEpochMilli()).list(this::view);
    }

    private Sql call(String text, RoomName room) {
        return new Sql(connection, text).with(room.value()).with(now.toEpochMilli());
    }

    private RoomRow view(ResultSet row) throws SQLException {
        return RoomRow.read(row, now);
    }

    private static <T> T only(List<T> rows) {
        return rows.getFirst();
    }

    private static List<Long> millis(Stream<Instant> moments) {
        return moments.map(Instant::toEpochMilli).toList();
    }

    private static Long[] longs(ResultSet row, int column) throws SQLException {
        return (Long[]) array(row, column);
    }

    private static Object array(ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        return Objects.requireNonNull(array.getArray());
    }
}
