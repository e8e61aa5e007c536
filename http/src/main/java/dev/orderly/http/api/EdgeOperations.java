package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.BAD_REQUEST;
import static dev.orderly.http.openapi.ErrorAnswer.INTERNAL;
import static dev.orderly.http.openapi.ErrorAnswer.KEY_REUSED;
import static dev.orderly.http.openapi.ErrorAnswer.TOO_LARGE;
import static dev.orderly.http.openapi.ErrorAnswer.UNAVAILABLE;

import dev.orderly.http.intake.ApiIntake;
import dev.orderly.http.intake.PushedJson;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.ProblemJson;
import dev.orderly.http.user.job.UserBatchJson;
import dev.orderly.http.user.job.UserJobJson;
import dev.orderly.http.webhook.AlertJson;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the OpenAPI document says of calls that do not reach the API: those of the edge, and those to workers. */
final class EdgeOperations {
    private static final String TAG = "edge";
    private static final String ROOM = "/.orderly/rooms/{room}/";
    private static final String EVENTS = "text/event-stream";
    private static final Map<String, Class<?>> PROBLEM = Map.of(Problem.CONTENT_TYPE, ProblemJson.class);
    private static final Map<String, Class<?>> POSITION = Map.of(Response.JSON, VisitorShapes.Position.class);
    private static final String NO_ROOM = "There is no such room.";
    private static final String NO_USER = "The request names no user.";
    private static final String TURN = "The position; state `turn` if the visitor may enter.";
    private static final String CLOSED = "The room is closed.";

    private EdgeOperations() {}

    /** A described call. */
    record Call(String id, String method, String path, OperationDoc doc) {}

    /** The calls of visitors and users. */
    static List<Call> all() {
        return Stream.concat(rooms(), Stream.of(
                new Call("userJob", "get", "/.orderly/jobs/{id}",
                        edge("The job of the user who asks, as JSON or as events")
                                .answers("200", "The job.",
                                        Map.of(Response.JSON, UserJobJson.class, EVENTS, String.class))
                                .answers("401", NO_USER, PROBLEM)
                                .answers("404", "The user has no such job.", PROBLEM)),
                new Call("userBatch", "get", "/.orderly/batches/{batch}",
                        edge("The batch whose callback belongs to the user who asks, as JSON or as events")
                                .answers("200", "The batch.",
                                        Map.of(Response.JSON, UserBatchJson.class, EVENTS, String.class))
                                .answers("401", NO_USER, PROBLEM)
                                .answers("404", "The user has no such batch.", PROBLEM)),
                new Call("liveMessages", "get", "/.orderly/live",
                        edge("Live messages of the user, as a WebSocket or as events")
                                .answers("101", "The connection is a WebSocket.", Map.of())
                                .answers("200", "Events.", Map.of(EVENTS, String.class))
                                .answers("400", "Neither a WebSocket nor events were asked for.", PROBLEM)
                                .answers("401", NO_USER, PROBLEM)
                                .answers("403", "A page of another origin may not connect.", PROBLEM)
                                .answers("429", "Too many connections.", PROBLEM))))
                .toList();
    }

    private static Stream<Call> rooms() {
        return Stream.of(
                new Call("roomCursor", "get", ROOM + "cursor",
                        edge("How far the line is: the same for all visitors, cacheable")
                                .answers(VisitorShapes.Cursor.class, "The line.")
                                .answers("304", "Not changed since the ETag.", Map.of())
                                .answers("404", NO_ROOM, PROBLEM)),
                new Call("ticket", "get", ROOM + "ticket", ofTicket(
                        "The position of the visitor whose ticket comes as a cookie or in `Authorization: Orderly`")),
                new Call("takeTicket", "post", ROOM + "ticket",
                        edge("Take a place in line").answers("200", TURN, POSITION)
                                .answers("201", "A new place; the ticket is in Set-Cookie.", POSITION)
                                .answers("404", NO_ROOM, PROBLEM).answers("409", CLOSED, POSITION)
                                .answers("429", "The address has taken too many places.", PROBLEM)),
                new Call("leaveLine", "delete", ROOM + "ticket",
                        edge("Give the place or the pass back")
                                .answers("204", "Done; the cookies are cleared.", Map.of())
                                .answers("404", NO_ROOM, PROBLEM)),
                new Call("enterRoom", "post", ROOM + "pass",
                        ofTicket("Exchange the ticket for a pass")
                                .answers("202", "Not yet: the visitor waits.", POSITION)),
                new Call("roomEvents", "get", ROOM + "events",
                        edge("The position of the visitor as events")
                                .answers("200", "Events.", Map.of(EVENTS, String.class))
                                .answers("204", "The visitor may enter, or the ticket is void: no more events.",
                                        Map.of())
                                .answers("404", NO_ROOM, PROBLEM)
                                .answers("429", "Too many event streams.", PROBLEM)));
    }

    private static OperationDoc ofTicket(String summary) {
        return edge(summary).answers("200", TURN, POSITION).answers("404", "No ticket came.", PROBLEM)
                .answers("409", CLOSED, POSITION).answers("410", "The ticket is no longer valid.", PROBLEM);
    }

    private static OperationDoc edge(String summary) {
        return OperationDoc.of(TAG, summary).refuses(INTERNAL).answers("503",
                "Temporarily unavailable: try again after the time in Retry-After.", PROBLEM);
    }

    /** A push on any route of the configuration. */
    static Call route() {
        return new Call("pushOnRoute", "post", "",
                PushedJson.in(OperationDoc.of(TAG, "Push a job on a route of the configuration")
                        .details("The names in the route's path are params of the job; `{group}` and `{dedupe}` are its"
                                + " group and dedupe id.")
                        .takes(Parameter.IDEMPOTENCY_KEY).body(ApiIntake.payload())
                        .refuses(BAD_REQUEST, KEY_REUSED, TOO_LARGE, INTERNAL, UNAVAILABLE)
                        .answers("401", "The route requires a user.", PROBLEM).answers("429", "A limit of the route, or"
                                + " the queue is full: try again after the time in Retry-After.", PROBLEM)));
    }

    /** Calls of this server to others, by their name. */
    static Map<String, Call> webhooks() {
        return new TreeMap<>(Map.of("job", new Call("job-webhook", "post", "", job()), "alert",
                new Call("alert-webhook", "post", "", OperationDoc.of("workers",
                        "A condition that an operator has to hear of")
                        .details("Sent once when a condition begins and once when it is over, over all nodes, at least"
                                + " once each. Signed as Standard Webhooks 1.0 defines.")
                        .takes(signed("The id of the alert, the same at each delivery: the key to recognise a"
                                + " repetition.", "The time of this delivery in Unix seconds."))
                        .body(Body.of(AlertJson.class)).answers("2XX", "The alert is taken.", Map.of())
                        .answers("default", "It is delivered again, after 5 s, then twice as long each, up to 10"
                                + " minutes, for a day.", Map.of()))));
    }

    private static OperationDoc job() {
        return OperationDoc.of("workers", "A job of a queue with an address as handler")
                .details("Sent once for each attempt, at least once for each job. Signed as Standard Webhooks 1.0"
                        + " defines. Redirects are not followed. The exchange ends at the timeout of the queue, and"
                        + " 10 s without a connection.")
                .takes(signed("The id of the job, the same at each attempt: the key to recognise a repetition.",
                        "The time of this attempt in Unix seconds."))
                .takes(Parameter.header("Orderly-Queue", "The name of the queue.").always(),
                        Parameter.header("Orderly-Attempt", "The number of the attempt, from 1.").always(),
                        Parameter.header("Orderly-Sequence", "Order inside the group, 63 bits.").always(),
                        Parameter.header("Orderly-Pushed-At", "ISO-8601 instant of the push.").always(),
                        Parameter.header("Orderly-Attempt-Token", "Authorises reports about this attempt.").always(),
                        Parameter.header("Orderly-Group", "FIFO queues only; percent-encoded UTF-8."),
                        Parameter.header("Orderly-User",
                                "The user that the job belongs to, if any; percent-encoded UTF-8."),
                        Parameter.header("Orderly-Params", "The params of the job, if any, as a query string."),
                        Parameter.header("traceparent",
                                "The trace of the push, if any, by W3C Trace Context; `tracestate` beside it."))
                .body(Body.any("*/*").saying("The payload, with its content type as pushed."))
                .answers("2XX", "The job is done; the body, at most 64 KiB, is its result.", Map.of())
                .answers("202", "As other 2xx; with the header `Orderly-Later`, such as `2h` and at most `7d`, the job"
                        + " runs on without a connection until the worker reports its end with the attempt token.",
                        Map.of(), Parameter.header("Orderly-Later", "The longest time until the report."))
                .answers("408", "Failed, retried after `Retry-After`, else by the backoff of the queue.", Map.of())
                .answers("409", "As 408.", Map.of()).answers("429", "As 408.", Map.of())
                .answers("5XX", "As 408.", Map.of()).answers("default",
                        "Dead letter. The body says why: a problem, JSON with `error` or `message`, or text.",
                        Map.of());
    }

    private static Parameter[] signed(String id, String time) {
        return new Parameter[]{Parameter.header("webhook-id", id).always(),
                Parameter.header("webhook-timestamp", time).always(),
                Parameter.header("webhook-signature", "`v1,` and base64 of HMAC-SHA256 over `id.timestamp.body`;"
                        + " several, separated by spaces, while secrets rotate.").always()};
    }
}
