package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.NOT_FOUND;

import dev.orderly.Orderly;
import dev.orderly.history.HistoryJson;
import dev.orderly.history.HistoryRange;
import dev.orderly.history.HistorySubject;
import dev.orderly.history.HistorySubject.Kind;
import dev.orderly.history.RoomReport;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.QueueName;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The history of queues and rooms. */
final class HistoryEndpoints {
    private final Orderly orderly;
    private final RoomEngine rooms;
    private final String base;

    HistoryEndpoints(Orderly orderly, RoomEngine rooms, String base) {
        this.orderly = orderly;
        this.rooms = rooms;
        this.base = base;
    }

    List<ApiEndpoint> endpoints() {
        return List.of(
                ApiEndpoint.view("queueHistory", base + "/queues/{queue}/history", this::queue,
                        doc(Kind.QUEUE, "queues", "The figures of a queue over time")),
                ApiEndpoint.view("roomHistory", base + "/rooms/{room}/history", this::room,
                        doc(Kind.ROOM, "rooms", "The figures of a room over time")),
                ApiEndpoint.view("roomReport", base + "/rooms/{room}/report", this::report,
                        OperationDoc.of("rooms", "What happened in a room in a span of time")
                                .details("Over all gates. By minutes if the span is within the last 24 hours, else by"
                                        + " hours; at most " + RoomReport.LONGEST.toDays() + " days. Recorded while"
                                        + " `keep.history` is above 0.")
                                .takes(Parameter.query("since", Instant.class,
                                        "The begin; a day before the end if it is left out."),
                                        Parameter.query("until", Instant.class, "The end; now if it is left out."))
                                .answers(RoomReportJson.class, "The report.")
                                .refuses(NOT_FOUND)));
    }

    private static OperationDoc doc(Kind kind, String tag, String summary) {
        return OperationDoc.of(tag, summary)
                .details("Points of equal length, the oldest first; the last one is over. A value is null where no node"
                        + " recorded anything. Counts are those of all nodes, gauges are the largest value in the"
                        + " point. Recorded while `keep.history` is above 0.")
                .takes(Parameter.query("range", HistoryRange.class, "hour: 60 points of a minute; day: 288 points of"
                        + " five minutes; month: 720 points of an hour.").with("default: 'hour'"))
                .answers("200", "The history.", Map.of(Response.JSON, new HistorySchema(kind))).refuses(NOT_FOUND);
    }

    private Response queue(Request call) {
        HistoryRange range = range(call);
        try {
            QueueName queue = new QueueName(call.head().param("queue"));
            if (orderly.jobs().options(queue).isEmpty() && orderly.jobs().queues().stream()
                    .noneMatch(status -> status.view().queue().equals(queue))) {
                throw new ProblemException(ProblemType.UNKNOWN_QUEUE, "Queue " + queue
                        + " does not exist: declare it first, or find the right name at " + base + "/queues");
            }
            return answer(HistorySubject.of(queue), range);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.UNKNOWN_QUEUE, String.valueOf(e.getMessage()));
        }
    }

    private Response room(Request call) {
        HistoryRange range = range(call);
        return answer(HistorySubject.of(known(call)), range);
    }

    private RoomName known(Request call) {
        try {
            RoomName room = new RoomName(call.head().param("room"));
            if (rooms.find(room).isEmpty() && rooms.states().stream().noneMatch(state -> state.room().equals(room))) {
                throw new ProblemException(ProblemType.UNKNOWN_ROOM,
                        "Room " + room + " does not exist: declare it in the"
                                + " configuration, or find the right name at " + base + "/rooms");
            }
            return room;
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.UNKNOWN_ROOM, String.valueOf(e.getMessage()));
        }
    }

    private Response report(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "since", "until");
        RoomName room = known(call);
        try {
            return RecordJson.ok(RoomReportJson.of(
                    orderly.engines().history().report(room, tiers(room), query.moment("since"),
                            query.moment("until"))));
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    /** The tiers of a room of this node, or of one that other nodes declare. */
    private List<String> tiers(RoomName room) {
        return rooms.find(room).map(Room::tiers).orElseGet(() -> rooms.states().stream()
                .filter(state -> state.room().equals(room)).flatMap(state -> state.tiers().stream())
                .map(RoomState.TierLine::name).toList());
    }

    private static HistoryRange range(Request call) {
        String text = QueryParameters.of(call.head(), "range").text("range");
        return text == null
                ? HistoryRange.HOUR
                : HistoryRange.parse(text)
                        .orElseThrow(() -> QueryParameters.bad("range", text, "use hour, day or month"));
    }

    private Response answer(HistorySubject subject, HistoryRange range) {
        return Response.json(200, RecordJson.bytes(HistoryJson.of(orderly.engines().history().series(subject, range))));
    }
}
