package dev.orderly.room.gate;

import dev.orderly.Registration;
import dev.orderly.node.NodeAnswers;
import dev.orderly.node.NodeQuestions;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.PlaceReport;
import dev.orderly.room.crowd.PlaceSum;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the gates of a room know together: each answers from memory about the visitors that it sees. Questions and
 * answers have neither tickets nor passes. Thread-safe.
 */
final class GateQuestions {
    private static final String VISITOR = "room.visitor";
    private static final String FRONT = "room.front";
    private static final String REFUSALS = "room.refusals";
    private static final String PLACES = "room.places";

    private final Function<RoomName, Optional<Room>> rooms;
    private final List<Registration> answers = new ArrayList<>();
    private volatile NodeQuestions nodes = NodeQuestions.ALONE;

    /** @param rooms the rooms of this gate */
    GateQuestions(Function<RoomName, Optional<Room>> rooms) {
        this.rooms = rooms;
    }

    /** Answers the other gates from now on, and asks them. Called once. */
    void join(NodeQuestions others) {
        answers.add(others.answer(VISITOR, answer(this::visitor)));
        answers.add(others.answer(FRONT, answer((room, question) -> lowest(room, question.path("most").asInt(1)))));
        answers.add(others.answer(REFUSALS, answer((room, _) -> refusals(room))));
        answers.add(others.answer(PLACES, answer((room, _) -> new PlaceSum(1).add(room.visits().places()).write())));
        nodes = others;
    }

    /** Ends the answers. */
    void leave() {
        answers.forEach(Registration::close);
    }

    private UnaryOperator<JsonNode> answer(BiFunction<Room, JsonNode, JsonNode> of) {
        return question -> rooms.apply(new RoomName(question.path("room").asString("")))
                .map(room -> of.apply(room, question)).orElse(MissingNode.getInstance());
    }

    private static ObjectNode about(Room room) {
        return JsonMapper.shared().createObjectNode().put("room", room.name().value());
    }

    // ---- a visitor

    /** What all gates know of the visitor of a place. */
    GateSightings ofPlace(Room room, long epoch, long place) {
        return sightings(room, epoch, about(room).put("epoch", epoch).put("place", place));
    }

    /** What all gates know of a visitor whose page is connected to one of them. */
    GateSightings ofVisitor(Room room, VisitorId visitor) {
        return sightings(room, room.state().epoch(), about(room).put("visitor", visitor.toString()));
    }

    private GateSightings sightings(Room room, long epoch, ObjectNode question) {
        NodeAnswers answered = nodes.ask(VISITOR, question);
        List<GateSightings.Gate> others = answered.answers().stream().map(answer -> gate(answer.node(),
                answer.content())).filter(gate -> gate.sighting() == null || gate.sighting().epoch() == epoch).toList();
        return GateSightings.of(gate(nodes.self(), visitor(room, question)), others, answered.unreachable())
                .in(room.closed());
    }

    private static GateSightings.Gate gate(String name, JsonNode json) {
        JsonNode sighting = json.path("sighting");
        return new GateSightings.Gate(name, sighting.isObject() ? Sighting.read(sighting) : null,
                json.path("paused").asBoolean(false), json.path("settling").asBoolean(false));
    }

    private JsonNode visitor(Room room, JsonNode question) {
        Sighting sighting = VisitorId.parse(question.path("visitor").asString("")).map(room.visits()::sighting)
                .orElseGet(() -> Optional.ofNullable(
                        room.visits().sighting(question.path("epoch").asLong(0), question.path("place").asLong(0))))
                .orElse(null);
        return JsonMapper.shared().createObjectNode().put("paused", room.isPaused()).put("settling", room.isSettling())
                .set("sighting", sighting == null ? null : sighting.write());
    }

    // ---- the front

    /** The lowest places whose visitors are present at any gate. */
    RoomFront front(Room room, int most) {
        RoomState state = room.state();
        NodeAnswers answered = nodes.ask(FRONT, about(room).put("most", most));
        TreeMap<Long, RoomFront.Visitor> byPlace = new TreeMap<>();
        add(byPlace, state, nodes.self(), lowest(room, most));
        answered.answers().forEach(answer -> add(byPlace, state, answer.node(), answer.content()));
        Map<Integer, List<RoomFront.Visitor>> byLine = byPlace.entrySet().stream()
                .collect(Collectors.groupingBy(each -> Tiers.line(each.getKey()), TreeMap::new,
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        return new RoomFront(state.line().cursor(),
                byLine.values().stream().flatMap(line -> line.stream().limit(most)).toList(), answered.unreachable());
    }

    private static void add(Map<Long, RoomFront.Visitor> byPlace, RoomState state, String gate, JsonNode answer) {
        answer.valueStream().map(Sighting::read).filter(one -> one.epoch() == state.epoch()).forEach(
                one -> byPlace.merge(one.place(), visitor(one, state, gate), GateQuestions::together));
    }

    private static RoomFront.Visitor visitor(Sighting one, RoomState state, String gate) {
        return new RoomFront.Visitor(Tiers.number(one.place()),
                state.tier(one.place()).map(TierLine::name).orElse(null),
                one.place() <= state.lineOf(one.place()).cursor(),
                new VisitorPresence(one.seen(),
                        one.isConnected(), one.here() || one.isConnected() ? gate : null),
                one.joined(), one.visitor());
    }

    /** One visitor as two gates see it. */
    private static RoomFront.Visitor together(RoomFront.Visitor one, RoomFront.Visitor other) {
        VisitorPresence known = one.presence();
        VisitorPresence more = other.presence();
        boolean connected = known.connected() || more.connected();
        boolean later = more.connected() == known.connected() && isLater(more.until(), known.until());
        boolean take = more.gate() != null && (known.gate() == null || (more.connected() && !known.connected())
                || later);
        return new RoomFront.Visitor(one.place(), one.tier(), one.called(), new VisitorPresence(
                isLater(more.until(), known.until()) ? more.until() : known.until(), connected,
                take ? more.gate() : known.gate()), one.joined() == null ? other.joined() : one.joined(),
                one.id() == null ? other.id() : one.id());
    }

    private static boolean isLater(@Nullable Instant one, @Nullable Instant other) {
        return one != null && (other == null || one.isAfter(other));
    }

    private static JsonNode lowest(Room room, int most) {
        ArrayNode json = JsonMapper.shared().createArrayNode();
        room.visits().front(most).forEach(one -> json.add(one.write()));
        return json;
    }

    // ---- refusals

    /** What all gates refused, by cause. */
    RefusalReport allRefusals(Room room) {
        NodeAnswers answered = nodes.ask(REFUSALS, about(room));
        Map<RoomRefusals.Cause, Map<String, Long>> counts = new TreeMap<>();
        Map<RoomRefusals.Cause, Instant> last = new HashMap<>();
        count(nodes.self(), refusals(room), counts, last);
        answered.answers().forEach(answer -> count(answer.node(), answer.content(), counts, last));
        return new RefusalReport(counts.entrySet().stream()
                .map(each -> new RefusalReport.Row(each.getKey(),
                        each.getValue().values().stream().mapToLong(Long::longValue).sum(),
                        Objects.requireNonNull(last.get(each.getKey())), each.getValue()))
                .toList(), answered.unreachable());
    }

    private static void count(String gate, JsonNode answer, Map<RoomRefusals.Cause, Map<String, Long>> counts,
            Map<RoomRefusals.Cause, Instant> last) {
        for (RoomRefusals.Cause cause : RoomRefusals.Cause.values()) {
            JsonNode row = answer.path(cause.name());
            if (row.path("count").asLong(0) > 0) {
                counts.computeIfAbsent(cause, _ -> new TreeMap<>()).merge(gate, row.path("count").asLong(0), Long::sum);
                last.merge(cause, Instant.ofEpochMilli(row.path("last").asLong(0)),
                        (one, other) -> one.isAfter(other) ? one : other);
            }
        }
    }

    private static JsonNode refusals(Room room) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        for (RoomRefusals.Cause cause : RoomRefusals.Cause.values()) {
            RoomRefusals.Total total = room.visits().refusals().total(cause);
            if (total.last() != null) {
                json.putObject(cause.name()).put("count", total.count()).put("last", total.last().toEpochMilli());
            }
        }
        return json;
    }

    // ---- places

    /** Who took places lately at all gates. */
    PlaceReport places(Room room, int most) {
        NodeAnswers answered = nodes.ask(PLACES, about(room));
        PlaceSum sum = new PlaceSum(most).add(room.visits().places());
        answered.answers().forEach(answer -> sum.read(answer.content()));
        return sum.report(answered.unreachable());
    }
}
