package dev.orderly.http.api;

import dev.orderly.Orderly;
import dev.orderly.history.HistoryJson;
import dev.orderly.history.HistoryRange;
import dev.orderly.history.HistorySubject;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.QueueName;
import dev.orderly.room.RoomName;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import java.util.List;

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
        return List.of(view("queueHistory", "/queues/{queue}/history", this::queue),
                view("roomHistory", "/rooms/{room}/history", this::room));
    }

    private ApiEndpoint view(String operation, String path, Endpoint.Action action) {
        return new ApiEndpoint(operation, LeastRole.VIEWER, Endpoint.bodiless("GET", base + path, action));
    }

    private Response queue(Request call) {
        HistoryRange range = range(call);
        try {
            QueueName queue = new QueueName(call.head().param("queue"));
            if (orderly.jobs().options(queue).isEmpty() && orderly.jobs().queues().stream()
                    .noneMatch(status -> status.view().queue().equals(queue))) {
                throw new Refusal(ProblemType.UNKNOWN_QUEUE, "Queue " + queue
                        + " does not exist: declare it first, or find the right name at " + base + "/queues");
            }
            return answer(HistorySubject.of(queue), range);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.UNKNOWN_QUEUE, String.valueOf(e.getMessage()));
        }
    }

    private Response room(Request call) {
        HistoryRange range = range(call);
        try {
            RoomName room = new RoomName(call.head().param("room"));
            if (rooms.find(room).isEmpty() && rooms.states().stream().noneMatch(state -> state.room().equals(room))) {
                throw new Refusal(ProblemType.UNKNOWN_ROOM, "Room " + room + " does not exist: declare it in the"
                        + " configuration, or find the right name at " + base + "/rooms");
            }
            return answer(HistorySubject.of(room), range);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.UNKNOWN_ROOM, String.valueOf(e.getMessage()));
        }
    }

    private static HistoryRange range(Request call) {
        String text = QueryParameters.of(call.head(), "range").text("range");
        return text == null
                ? HistoryRange.HOUR
                : HistoryRange.parse(text)
                        .orElseThrow(() -> QueryParameters.bad("range", text, "use hour, day or month"));
    }

    private Response answer(HistorySubject subject, HistoryRange range) {
        return Response.json(200, JsonText.of(HistoryJson.of(orderly.history().series(subject, range))));
    }
}
