package dev.orderly.store.redis;

import dev.orderly.room.DrawLedger;
import dev.orderly.room.OpeningChange;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.TierShares;
import dev.orderly.room.store.UserJoin;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.store.StoreException;
import dev.orderly.store.redis.RoomStateReply.KnownVoid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rooms port. Every call is one script; the first call for a room adds a command that lists it. Thread-safe. */
final class RedisRooms implements RoomStore {
    private final Connections connections;
    private final Commands commands;
    private final RoomKeys keys;
    private final String process;
    private final AtomicLong calls = new AtomicLong();
    /**
     * Rooms that this process has added to the set of all names, each with the run of the server that has the set: a
     * promoted one may lack some. Bounded by the number of rooms.
     */
    private final Map<RoomName, String> listed = new ConcurrentHashMap<>();
    private final ConcurrentMap<RoomName, KnownVoid> voided = new ConcurrentHashMap<>();

    /** @param salt unique to the process */
    RedisRooms(Connections connections, Commands commands, RoomKeys keys, long salt) {
        this.connections = connections;
        this.commands = commands;
        this.keys = keys;
        process = Long.toHexString(salt);
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        if (joins.isEmpty()) {
            return List.of();
        }
        ScriptArguments call = call(now);
        for (JoinRequest join : joins) {
            call.add(join.visitor()).add(join.presentUntil()).add(join.passUntil())
                    .add(Objects.requireNonNullElse(join.leaf(), ""))
                    .add(Objects.requireNonNullElse(join.tier(), "")).add(text(join.invitation()))
                    .add(text(join.user()));
        }
        Numbers reply = new Numbers(run(room, Script.JOIN, call));
        long epoch = reply.next();
        List<JoinResult> results = new ArrayList<>(joins.size());
        for (JoinRequest join : joins) {
            Object outcome = reply.value();
            long place = reply.next();
            long ahead = reply.next();
            results.add(switch (outcome) {
                case String same when same.equals("=") -> new JoinResult.Shared(epoch, place,
                        VisitorId.parse(reply.text()).orElseThrow(), ahead, Instant.ofEpochMilli(reply.next()));
                case String why -> new JoinResult.Uninvited(epoch,
                        why.equals("LATER") ? null : InvitationRefusal.valueOf(why));
                case Long in when in == 1 -> new JoinResult.Entered(epoch, place, join.passUntil());
                default -> new JoinResult.Placed(epoch, place, ahead);
            });
        }
        return results;
    }

    /** An invitation as join.lua reads it; empty for none. */
    private static String text(@Nullable InvitationUse use) {
        if (use == null) {
            return "";
        }
        InvitationUse.Former former = use.former();
        return use.invitation().use() + " " + InvitationId.revocation(use.invitation().series()) + " " + use.epoch()
                + " " + use.until().toEpochMilli() + " "
                + (former == null ? " 0 0" : former.visitor() + " " + former.place() + " " + lobby(former));
    }

    private static long lobby(InvitationUse.Former former) {
        Instant lobby = former.lobby();
        return lobby == null ? 0 : lobby.toEpochMilli();
    }

    /** A user as join.lua reads it; empty for none. */
    private static String text(@Nullable UserJoin user) {
        return user == null
                ? ""
                : Stream.concat(Stream.of(user.user(), user.until().toEpochMilli(), user.voidUntil().toEpochMilli()),
                        user.others().stream()).map(String::valueOf).collect(Collectors.joining(" "));
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
        if (requests.isEmpty()) {
            return List.of();
        }
        int[] order = IntStream.range(0, requests.size()).boxed()
                .sorted(Comparator.comparingLong((Integer n) -> requests.get(n).place())).mapToInt(n -> n).toArray();
        ScriptArguments call = call(now);
        for (int n : order) {
            AdmissionRequest request = requests.get(n);
            call.add(request.visitor()).add(request.epoch()).add(request.place()).add(request.presentUntil())
                    .add(request.passUntil()).add(request.kind().name());
        }
        Numbers reply = new Numbers(run(room, Script.ADMIT, call));
        AdmissionResult[] results = new AdmissionResult[requests.size()];
        for (int n : order) {
            results[n] = admissionResult(reply);
        }
        return List.of(results);
    }

    private static AdmissionResult admissionResult(Numbers reply) {
        String outcome = reply.text();
        long first = reply.next();
        long second = reply.next();
        return switch (outcome) {
            case "I" -> new AdmissionResult.Entered(Instant.ofEpochMilli(first));
            case "W" -> new AdmissionResult.Waits(first == 1, (int) second);
            default -> new AdmissionResult.Spent();
        };
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        if (renewals.isEmpty()) {
            return List.of();
        }
        ScriptArguments call = call(now);
        for (RenewalRequest renewal : renewals) {
            call.add(renewal.visitor()).add(renewal.epoch()).add(renewal.place()).add(renewal.until())
                    .add(renewal.revive() ? 1 : 0);
        }
        Numbers reply = new Numbers(run(room, Script.RENEW, call));
        return renewals.stream().map(_ -> reply.next() == 1).toList();
    }

    @Override
    public List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now) {
        if (moves.isEmpty()) {
            return List.of();
        }
        ScriptArguments call = call(now);
        for (MoveRequest move : moves) {
            call.add(move.visitor()).add(move.epoch()).add(move.place()).add(move.to()).add(move.voidUntil());
        }
        Numbers reply = new Numbers(run(room, Script.MOVE, call));
        return moves.stream().map(_ -> reply.next() == 1).toList();
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        if (departures.isEmpty()) {
            return;
        }
        ScriptArguments call = call(now);
        for (Departure departure : departures) {
            call.add(departure.visitor()).add(departure.epoch()).add(departure.place()).add(departure.voidUntil());
        }
        run(room, Script.DEPART, call);
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        ScriptArguments call = call(now).add(report.gate().value()).add(report.epoch()).add(report.covered())
                .add(report.lease().from()).add(report.lease().until()).add(report.drawn())
                .add(report.tiers().stream().map(String::valueOf).collect(Collectors.joining(",")));
        report.presences().forEach(each -> call.add(each.place()).add(each.until()));
        return state(room, Script.SYNC, call).orElseThrow();
    }

    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        ScriptArguments call = call(now).add(step.governor().value()).add(step.leaseUntil())
                .add(RoomStateReply.text(step.limits())).add(step.slowed().name()).add(step.door()).add(step.horizon())
                .add(step.forgetBefore());
        if (!step.tiers().equals(TierShares.NONE)) {
            call.add(step.tiers().rest()).add(step.tiers().reach());
            step.tiers().lines().forEach(each -> call.add(each.name()).add(each.percent()));
        }
        return state(room, Script.GOVERN, call);
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        if (change instanceof RoomChange.Draw(DrawStep step)) {
            return draw(room, step, now);
        }
        ScriptArguments call = call(now);
        switch (change) {
            case RoomChange.Mode to -> call.add("MODE").add(to.mode().name());
            case RoomChange.Message to ->
                call.add("MESSAGE").addUnlessNull(to.text() == null ? null : to.text().stored());
            case RoomChange.Settings to -> call.add("OVERRIDE")
                    .addUnlessNull(to.limits() == null ? null : RoomStateReply.text(to.limits()));
            case RoomChange.Openings to ->
                call.add("OPENINGS").add(to.before())
                        .add(Objects.requireNonNullElse(OpeningChange.stored(to.from()), ""))
                        .addUnlessNull(OpeningChange.stored(to.changes()));
            case RoomChange.Admit more -> call.add("ADMIT").add(more.visitors());
            case RoomChange.NewEpoch _ -> call.add("EPOCH");
            case RoomChange.Draw _ -> throw new IllegalStateException("A step of a draw is made from the stored draws");
        }
        return state(room, Script.CHANGE, call).orElseThrow();
    }

    /**
     * Makes a step from the stored draws, unless they change meanwhile: then again. Only a step changes them, and the
     * steps of a draw are few.
     */
    private RoomState draw(RoomName room, DrawStep step, Instant now) {
        while (true) {
            RoomState state = state(room, Script.STATE, call(now)).orElseThrow();
            DrawLedger before = stored(room);
            DrawLedger after = step.applyTo(before, room, state.epoch(),
                    state.lines().map(RoomState.Line::length).toList());
            if (after.equals(before)) {
                return state(room, Script.STATE, call(now)).orElseThrow(); // as new as the draws that were read
            }
            ScriptArguments call = call(now).add("DRAW").add(Objects.requireNonNullElse(before.stored(), ""))
                    .add(state.epoch()).add(Objects.requireNonNullElse(after.stored(), ""))
                    .add(act(step));
            RoomState made = state(room, Script.CHANGE, call).orElseThrow();
            if (made.epoch() == state.epoch() && made.draws().draws().equals(after.published().draws())) {
                return made;
            }
        }
    }

    /** What a step does to the lobby, as change.lua names it. */
    private static String act(DrawStep step) {
        return switch (step) {
            case DrawStep.Commit _ -> "OPEN";
            case DrawStep.Close _ -> "CLOSE";
            case DrawStep.Root _,DrawStep.Value _ -> "KEEP";
            case DrawStep.Reveal _ -> "DRAWN";
            case DrawStep.Drop _ -> "DROP";
        };
    }

    /** The draws with their seeds, which no state has. */
    private DrawLedger stored(RoomName room) {
        String key = keys.of(room)[0];
        return RoomStateReply.draws(commands.ask(connections.link(key), redis -> redis.hmget(key, "draws", "lobby_open",
                "lobby_base", "lobby_end", "drawn", "lobby_bases", "lobby_ends")).stream()
                .map(field -> field.getValueOrElse("")).toList());
    }

    @Override
    public List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now) {
        if (leaves.isEmpty()) {
            return List.of();
        }
        ScriptArguments call = call(now);
        leaves.forEach(each -> call.add(each.epoch()).add(each.place()).add(each.leaf()));
        Numbers reply = new Numbers(run(room, Script.LEAVES, call));
        return leaves.stream().map(_ -> reply.next() == 1).toList();
    }

    @Override
    public byte[] leaves(RoomName room, long from, int most, Instant now) {
        Numbers reply = new Numbers(run(room, Script.TICKETS, call(now).add(from).add(most)));
        StringBuilder hex = new StringBuilder();
        while (reply.hasNext()) {
            hex.append(reply.text());
        }
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public VisitorRecord find(RoomName room, VisitorId visitor, Instant now) {
        return record(new Numbers(run(room, Script.FIND, call(now).add(visitor))));
    }

    @Override
    public PlaceUse use(RoomName room, long place, Instant now) {
        return use(new Numbers(run(room, Script.USE, call(now).add(place))));
    }

    @Override
    public PresentPlaces present(RoomName room, int line, int most, Instant now) {
        Numbers reply = new Numbers(run(room, Script.PLACES, call(now).add(line).add(most)));
        long epoch = reply.next();
        long horizon = reply.next();
        List<Presence> presences = new ArrayList<>();
        while (reply.hasNext()) {
            presences.add(new Presence(reply.next(), Instant.ofEpochMilli(reply.next())));
        }
        return PresentPlaces.of(epoch, horizon, presences, most);
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        Set<String> names = commands.ask(connections.link(keys.names()), redis -> redis.smembers(keys.names()));
        return names.stream().map(RoomName::new).sorted()
                .map(room -> state(room, Script.STATE, call(now)).orElseThrow()).toList();
    }

    private static PlaceUse use(Numbers reply) {
        boolean usedUp = reply.next() == 1;
        return new PlaceUse(VisitorId.parse(reply.text()).orElse(null), usedUp);
    }

    private static VisitorRecord record(Numbers reply) {
        VisitorRecord.LivePass pass = new VisitorRecord.LivePass(reply.next(), Instant.ofEpochMilli(reply.next()),
                reply.next() == 1);
        long voidUntil = reply.next();
        return new VisitorRecord(pass.place() == 0 ? null : pass,
                voidUntil == 0 ? null : Instant.ofEpochMilli(voidUntil),
                VisitorId.parse(reply.text()).orElse(null));
    }

    private ScriptArguments call(Instant now) {
        return new ScriptArguments(now, process + "-" + calls.incrementAndGet());
    }

    /** Runs a script that answers the state; empty if it answers only whether the room is new. */
    private Optional<RoomState> state(RoomName room, Script script, ScriptArguments call) {
        KnownVoid known = voided.getOrDefault(room, KnownVoid.NOBODY);
        call.knows(known.stamp());
        List<Object> reply = run(room, script, call);
        if (reply.size() == 1) {
            return Optional.empty();
        }
        RoomStateReply answer = new RoomStateReply(reply);
        KnownVoid now = answer.voided(known);
        if (!now.stamp().equals(known.stamp())) {
            voided.put(room, now);
        }
        return Optional.of(answer.state(room, now));
    }

    /** Runs a script. A room is listed before it exists, so that every existing room is listed. */
    private List<Object> run(RoomName room, Script script, ScriptArguments call) {
        if (!isListed(room)) {
            list(room);
        }
        String[] all = keys.of(room);
        ServerLink link = connections.link(all[0]);
        List<Object> reply = commands.run(link, script, all, call.arguments(link.run()));
        if (Long.valueOf(1).equals(reply.getFirst())) { // a new room
            list(room); // again, since the server may have lost all its data
        }
        return reply;
    }

    /** A room whose own primary answers does not wait for that of the names. */
    private boolean isListed(RoomName room) {
        String run = listed.get(room);
        try {
            return run != null && run.equals(connections.link(keys.names()).run());
        } catch (StoreException _) {
            return run != null;
        }
    }

    private void list(RoomName room) {
        ServerLink names = connections.link(keys.names());
        commands.ask(names, redis -> redis.sadd(keys.names(), room.value()));
        listed.put(room, names.run());
    }

    /** Reader of an answer, from its second element on: the first says whether the room is new. */
    private static final class Numbers {
        private final List<Object> reply;
        private int at = 1;

        Numbers(List<Object> reply) {
            this.reply = reply;
        }

        boolean hasNext() {
            return at < reply.size();
        }

        long next() {
            return (Long) reply.get(at++);
        }

        String text() {
            return (String) value();
        }

        Object value() {
            return reply.get(at++);
        }
    }
}
