package dev.orderly.store.redis;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.StoredLine;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import dev.orderly.store.copy.CopiedRecord;
import dev.orderly.store.copy.CopiedRecord.Admission;
import dev.orderly.store.copy.CopiedRecord.LobbyTicket;
import dev.orderly.store.copy.CopiedRecord.Pass;
import dev.orderly.store.copy.CopiedRecord.Revocation;
import dev.orderly.store.copy.CopiedRecord.Room;
import dev.orderly.store.copy.CopiedRecord.UsedPlaces;
import dev.orderly.store.copy.CopiedRecord.UserPlace;
import dev.orderly.store.copy.CopiedRecord.Value;
import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.store.copy.CopyPosition;
import dev.orderly.text.LocalizedText;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The port of copies, for rooms and keys with values. Not copied: the keys of a room that are dropped after a restart
 * of the server, and online users. Writes are not one transaction: each may be repeated, and the mark comes last.
 */
final class RedisCopy implements CopyPort {
    private static final int SCAN = 1_000;
    private static final List<String> DRAW_FIELDS = List.of("draws", "lobby_open", "lobby_base", "lobby_end", "drawn",
            "lobby_bases", "lobby_ends");

    private final Connections connections;
    private final Commands commands;
    private final RoomKeys keys;
    private final String prefix;
    private final RedisKeyValues values;

    RedisCopy(Connections connections, Commands commands, String prefix, RedisKeyValues values) {
        this.connections = connections;
        this.commands = commands;
        this.keys = new RoomKeys(prefix);
        this.prefix = prefix;
        this.values = values;
    }

    @Override
    public Set<CopyKind> kinds() {
        Set<CopyKind> kinds = EnumSet.copyOf(CopyKind.OF_ROOMS);
        kinds.add(CopyKind.KEY_VALUES);
        return kinds;
    }

    @Override
    public Optional<Identity> identity() {
        return Optional.empty();
    }

    @Override
    public List<String> liveNodes() {
        List<String> time = commands.ask(connections.link(keys.names()), redis -> redis.time());
        long now = Long.parseLong(time.getFirst()) * 1_000;
        List<String> live = new ArrayList<>();
        for (RoomName room : rooms()) {
            String latest = commands.ask(link(room), redis -> redis.hget(keys.passing(room)[0], "latest"));
            if (latest != null && Math.abs(Double.parseDouble(latest) - now) < SILENCE.toMillis()) {
                live.add("gates of room " + room);
            }
        }
        String nodes = RedisOnlineUsers.keys(prefix)[1];
        commands.ask(connections.link(nodes), redis -> redis.zrangeWithScores(nodes, 0, -1)).stream()
                .filter(node -> node.getScore() > now - SILENCE.toMillis())
                .forEach(node -> live.add("the users of node " + node.getValue()));
        return live;
    }

    private ServerLink link(RoomName room) {
        return connections.link(keys.of(room)[0]);
    }

    private NavigableSet<RoomName> rooms() {
        NavigableSet<RoomName> rooms = new TreeSet<>();
        commands.ask(connections.link(keys.names()), redis -> redis.smembers(keys.names()))
                .forEach(name -> rooms.add(new RoomName(name)));
        return rooms;
    }

    // ---- reading

    @Override
    public Page read(CopyKind kind, String after, int limit, Instant moment) {
        return switch (kind) {
            case KEY_VALUES -> values(after, limit, moment);
            case ROOMS -> Page.whole(rooms().stream().flatMap(room -> room(room).stream()).toList());
            case USED_PLACES, PASSES, REVOCATIONS, ADMISSIONS, LOBBY_TICKETS, USER_PLACES ->
                ofRoom(kind, after, limit, moment);
            default -> Page.whole(List.of());
        };
    }

    /** Records of one room by their rank. */
    private Page ofRoom(CopyKind kind, String after, int limit, Instant moment) {
        CopyPosition from = CopyPosition.of(after);
        NavigableSet<RoomName> rooms = rooms();
        RoomName room = from.parts().isEmpty()
                ? rooms.isEmpty() ? null : rooms.first()
                : rooms.ceiling(new RoomName(from.text(0)));
        if (room == null) {
            return Page.whole(List.of());
        }
        long rank = room.value().equals(from.text(0)) ? from.number(1, 0) : 0;
        List<CopiedRecord> found = new ArrayList<>();
        int entries = switch (kind) {
            case USED_PLACES -> usedPlaces(room, entries(room, kind, rank, limit), found);
            case PASSES -> passes(room, entries(room, kind, rank, limit), moment, found);
            case LOBBY_TICKETS -> lobbyTickets(room, entries(room, kind, rank, limit), found);
            case USER_PLACES -> userPlaces(room, entries(room, kind, rank, limit), found);
            case REVOCATIONS -> revocations(room, entries(room, kind, rank, limit), moment, found);
            default -> admissions(room, rank, limit, moment, found);
        };
        RoomName next = rooms.higher(room);
        return new Page(found, entries == limit
                ? CopyPosition.behind(room.value(), rank + limit).toString()
                : next == null ? null : CopyPosition.behind(next.value(), 0L).toString());
    }

    private List<String> entries(RoomName room, CopyKind kind, long rank, int limit) {
        return commands.run(link(room), Script.COPY_READ, keys.of(room),
                new String[]{kind.name(), Long.toString(rank), Integer.toString(limit)}).stream().map(String::valueOf)
                .toList();
    }

    private static int usedPlaces(RoomName room, List<String> parts, List<CopiedRecord> found) {
        for (int n = 0; n < parts.size(); n += 2) {
            found.add(new UsedPlaces(room, Long.parseLong(parts.get(n)), HexFormat.of().parseHex(parts.get(n + 1))));
        }
        return parts.size() / 2;
    }

    private static int passes(RoomName room, List<String> parts, Instant moment, List<CopiedRecord> found) {
        for (int n = 0; n < parts.size(); n += 4) {
            Instant until = Instant.ofEpochMilli(Long.parseLong(parts.get(n + 2)));
            if (until.isAfter(moment)) {
                found.add(new Pass(room, visitor(parts.get(n)), Long.parseLong(parts.get(n + 1)), until,
                        parts.get(n + 3).equals("1")));
            }
        }
        return parts.size() / 4;
    }

    private static int revocations(RoomName room, List<String> parts, Instant moment, List<CopiedRecord> found) {
        for (int n = 0; n < parts.size(); n += 3) {
            Instant until = moment(parts.get(n + 1));
            if (until.isAfter(moment)) {
                found.add(new Revocation(room, visitor(parts.get(n)), until,
                        VisitorId.parse(parts.get(n + 2)).orElse(null)));
            }
        }
        return parts.size() / 3;
    }

    /** Ranks are those of the room's places, line by line, so that an entry may be of a place without a ticket. */
    private static int lobbyTickets(RoomName room, List<String> parts, List<CopiedRecord> found) {
        for (int n = 0; n < parts.size(); n += 2) {
            if (!parts.get(n + 1).isEmpty()) {
                found.add(new LobbyTicket(room, Long.parseLong(parts.get(n)), parts.get(n + 1)));
            }
        }
        return parts.size() / 2;
    }

    private static int userPlaces(RoomName room, List<String> parts, List<CopiedRecord> found) {
        for (int n = 0; n < parts.size(); n += 2) {
            String[] kept = parts.get(n + 1).split(" ", -1);
            found.add(new UserPlace(room, visitor(parts.get(n)), visitor(kept[0]), Long.parseLong(kept[1]),
                    Long.parseLong(kept[2]), Instant.ofEpochMilli(Long.parseLong(kept[3])), kept[4].equals("1")));
        }
        return parts.size() / 2;
    }

    /** The entries have running totals, so that an entry counts what it adds to the entry before. */
    private int admissions(RoomName room, long rank, int limit, Instant moment, List<CopiedRecord> found) {
        List<String> before = rank == 0 ? List.of() : entries(room, CopyKind.ADMISSIONS, rank - 1, 1);
        long total = before.isEmpty() ? 0 : Long.parseLong(before.getFirst());
        List<String> parts = entries(room, CopyKind.ADMISSIONS, rank, limit);
        for (int n = 0; n < parts.size(); n += 2) {
            long next = Long.parseLong(parts.get(n));
            Instant at = moment(parts.get(n + 1));
            if (at.isAfter(moment.minus(Rate.LONGEST))) {
                found.add(new Admission(room, at, Math.toIntExact(next - total)));
            }
            total = next;
        }
        return parts.size() / 2;
    }

    /** The moment of a score, which may have the form of a floating-point number. */
    private static Instant moment(String score) {
        return Instant.ofEpochMilli((long) Double.parseDouble(score));
    }

    private static VisitorId visitor(String text) {
        return VisitorId.parse(text).orElseThrow();
    }

    private Optional<CopiedRecord> room(RoomName room) {
        Map<String, String> fields = new HashMap<>(
                commands.ask(link(room), redis -> redis.hgetall(keys.of(room)[0])));
        if (fields.get("epoch") == null) {
            return Optional.empty();
        }
        String message = fields.get("message");
        String override = fields.get("override");
        return Optional.of(new Room(room, number(fields, "epoch"),
                new Room.Line(number(fields, "length"), number(fields, "cursor"), number(fields, "crowded") == 1),
                Math.toIntExact(number(fields, "granted")), RoomMode.valueOf(fields.getOrDefault("mode", "AUTO")),
                message == null ? null : LocalizedText.ofStored(message),
                override == null ? null : RoomStateReply.limits(override),
                OpeningChange.ofStored(fields.get("openings")),
                RoomStateReply.draws(DRAW_FIELDS.stream().map(name -> fields.getOrDefault(name, "")).toList()),
                StoredLine.ofStored(fields.get("tiers"))));
    }

    private static long number(Map<String, String> fields, String name) {
        return Long.parseLong(fields.getOrDefault(name, "0"));
    }

    private Page values(String after, int limit, Instant moment) {
        String start = RedisKeyValues.name(prefix, "");
        List<CopiedRecord> found = new ArrayList<>();
        List<String> names = List.copyOf(scanned(start).tailSet(CopyPosition.of(after).text(0), false));
        for (String name : names.subList(0, Math.min(limit, names.size()))) {
            List<KeyValue<String, String>> fields = commands.ask(connections.link(start),
                    redis -> redis.hmget(start + name, "text", "until"));
            String until = fields.get(1).getValueOrElse("0");
            if (Long.parseLong(until) > moment.toEpochMilli()) {
                found.add(new Value(name, fields.getFirst().getValueOrElse(""),
                        Instant.ofEpochMilli(Long.parseLong(until))));
            }
        }
        return new Page(found, names.size() <= limit ? null : CopyPosition.behind(names.get(limit - 1)).toString());
    }

    /** The names of all values; they are few, see {@link KeyValueStore}. */
    private NavigableSet<String> scanned(String start) {
        NavigableSet<String> names = new TreeSet<>();
        ScanArgs like = ScanArgs.Builder.matches(start.replaceAll("([\\\\*?\\[\\]])", "\\\\$1") + "*").limit(SCAN);
        ScanCursor cursor = ScanCursor.INITIAL;
        while (!cursor.isFinished()) {
            ScanCursor from = cursor;
            KeyScanCursor<String> part = commands.ask(connections.link(start), redis -> redis.scan(from, like));
            part.getKeys().forEach(name -> names.add(name.substring(start.length())));
            cursor = part;
        }
        return names;
    }

    // ---- writing

    @Override
    public void begin(Optional<Identity> identity, String mark) {
        mark(mark);
    }

    @Override
    public void write(Chunk chunk) {
        Map<RoomName, List<String>> arguments = new LinkedHashMap<>();
        for (CopiedRecord each : chunk.records()) {
            switch (each) {
                case Room room -> add(arguments, room.name(), fields(room));
                case UsedPlaces places -> add(arguments, places.room(),
                        List.of(Long.toString(places.chunk()), HexFormat.of().formatHex(places.bits())));
                case Pass pass -> add(arguments, pass.room(), List.of(pass.visitor().toString(),
                        Long.toString(pass.place()), millis(pass.until())));
                case Revocation revocation -> add(arguments, revocation.room(),
                        List.of(revocation.visitor().toString(), millis(revocation.until()),
                                revocation.movedTo() == null ? "" : revocation.movedTo().toString()));
                case Admission admission -> add(arguments, admission.room(),
                        List.of(millis(admission.at()), Integer.toString(admission.number())));
                case LobbyTicket ticket -> add(arguments, ticket.room(),
                        List.of(Long.toString(ticket.place()), ticket.leaf()));
                case UserPlace user -> add(arguments, user.room(), List.of(user.user().toString(),
                        user.visitor() + " " + user.place() + " " + user.ahead() + " " + millis(user.until()) + " "
                                + (user.taken() ? 1 : 0),
                        millis(user.until())));
                case Value value -> write(value, chunk.moment());
                default -> throw new IllegalArgumentException("Redis keeps no " + each.kind().text());
            }
        }
        arguments.forEach((room, parts) -> {
            List<String> all = new ArrayList<>(List.of(chunk.kind().name(), millis(chunk.moment())));
            all.addAll(parts);
            commands.ask(connections.link(keys.names()), redis -> redis.sadd(keys.names(), room.value()));
            commands.run(link(room), Script.COPY_WRITE, keys.of(room), all.toArray(String[]::new));
        });
        mark(chunk.mark());
    }

    private static void add(Map<RoomName, List<String>> arguments, RoomName room, List<String> parts) {
        arguments.computeIfAbsent(room, _ -> new ArrayList<>()).addAll(parts);
    }

    private static List<String> fields(Room room) {
        List<String> fields = new ArrayList<>(List.of("epoch", Long.toString(room.epoch()), "length",
                Long.toString(room.line().length()), "cursor", Long.toString(room.line().cursor()), "crowded",
                room.line().crowded() ? "1" : "0", "granted", Integer.toString(room.granted()), "mode",
                room.mode().name(), "voids", ""));
        if (room.message() != null) {
            fields.addAll(List.of("message", room.message().stored()));
        }
        @Nullable
        Limits override = room.override();
        if (override != null) {
            fields.addAll(List.of("override", RoomStateReply.text(override)));
        }
        if (!room.openings().isEmpty()) {
            fields.addAll(List.of("openings", OpeningChange.stored(room.openings())));
        }
        DrawLedger draws = room.draws();
        if (!draws.equals(DrawLedger.NONE)) {
            fields.addAll(List.of("lobby_open", draws.open() ? "1" : "0", "lobby_base", Long.toString(draws.base()),
                    "lobby_end", Long.toString(draws.end()), "drawn", Integer.toString(draws.drawn())));
        }
        add(fields, "draws", draws.stored());
        add(fields, "lobby_bases", DrawLedger.text(draws.bases()));
        add(fields, "lobby_ends", DrawLedger.text(draws.ends()));
        add(fields, "tiers", StoredLine.stored(room.tiers()));
        return fields;
    }

    private static void add(List<String> fields, String name, @Nullable String value) {
        if (value != null) {
            fields.addAll(List.of(name, value));
        }
    }

    private void write(Value value, Instant moment) {
        long seen = values.read(value.key(), moment).map(StoredValue::version).orElse(KeyValueStore.ABSENT);
        values.replace(value.key(), seen, value.text(), value.until(), moment);
    }

    private static String millis(Instant moment) {
        return Long.toString(moment.toEpochMilli());
    }

    @Override
    public Optional<String> mark() {
        return Optional.ofNullable(commands.ask(connections.link(name()), redis -> redis.get(name())));
    }

    @Override
    public void finish() {
        commands.ask(connections.link(name()), redis -> redis.del(name()));
    }

    private void mark(String mark) {
        commands.ask(connections.link(name()), redis -> redis.set(name(), mark));
    }

    private String name() {
        return prefix + ":" + MARK;
    }
}
