package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.intake.JsonCheck;
import dev.orderly.http.intake.MediaType;
import dev.orderly.http.message.QueryParameters;
import dev.orderly.http.message.Request;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.message.Response;
import dev.orderly.http.message.StrictText;
import dev.orderly.http.path.PathTemplate;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.http.route.Endpoint;
import dev.orderly.http.route.Endpoint.BodyLimit;
import dev.orderly.live.Message;
import dev.orderly.live.Users;
import dev.orderly.user.UserId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Connected users: presence, and messages to them. */
final class UserEndpoints {
    private final Users users;
    private final String base;

    UserEndpoints(Users users, String base) {
        this.users = users;
        this.base = base + "/users/{id}";
    }

    List<ApiEndpoint> endpoints() {
        BodyLimit limit = new BodyLimit(Message.MAX, new Problem(ProblemType.TOO_LARGE, "A live message has at most "
                + Message.MAX + " bytes: send less, such as the address of a larger document"));
        return List.of(ApiEndpoint.view("user", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::show)),
                ApiEndpoint.work("message", LeastRole.OPERATOR.orWorker(), new Endpoint("POST",
                        PathTemplate.parse(base + "/messages"), _ -> limit, Map.of(), this::send)));
    }

    private Response show(Request call) {
        QueryParameters.of(call.head());
        String id = id(call.head());
        return Response.json(200, JsonText.of(JsonText.object().put("id", id).put("online", users.isOnline(id))
                .put("connections", users.connections(id))));
    }

    private Response send(Request call) {
        QueryParameters.of(call.head());
        String id = id(call.head());
        Message message = message(call);
        boolean online = users.isOnline(id);
        users.to(id).send(message);
        return Response.json(202, JsonText.of(JsonText.object().put("online", online)));
    }

    private static String id(RequestHead head) {
        try {
            return new UserId(head.param("id")).value();
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
    }

    private static Message message(Request call) {
        MediaType type = type(call.head());
        if (type.isJson()) {
            JsonCheck.checkUtf8("The message", call.body());
            try {
                JsonMapper.shared().readTree(call.body());
            } catch (JacksonException e) {
                throw new Refusal(ProblemType.MALFORMED, "The message is not JSON within the limits ("
                        + JsonCheck.flaw(e) + "): correct it, or set its true content type");
            }
            if (new String(call.body(), StandardCharsets.UTF_8).isBlank()) {
                throw new Refusal(ProblemType.EMPTY, "The message is empty: send a JSON value, text or bytes");
            }
            return new Message.Json(call.body());
        }
        return type.name().startsWith("text/") ? text(type, call.body()) : new Message.Bytes(call.body());
    }

    private static Message text(MediaType type, byte[] body) {
        try {
            return Message.of(StrictText.decode("The text", body, type.charset()), JsonMapper.shared());
        } catch (IllegalArgumentException e) { // longer in UTF-8 than in its own charset
            throw new Refusal(ProblemType.TOO_LARGE, String.valueOf(e.getMessage()));
        }
    }

    private static MediaType type(RequestHead head) {
        String named = head.header("Content-Type");
        try {
            return MediaType.parse(named == null ? Response.JSON : named);
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.UNSUPPORTED_CONTENT,
                    e.getMessage() + ": send JSON, text or bytes with a matching Content-Type");
        }
    }
}
