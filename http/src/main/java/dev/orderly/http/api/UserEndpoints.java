package dev.orderly.http.api;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.http.intake.JsonCheck;
import dev.orderly.http.intake.MediaType;
import dev.orderly.live.Message;
import dev.orderly.live.OnlinePage;
import dev.orderly.live.OnlineUser;
import dev.orderly.live.UserConnections;
import dev.orderly.live.Users;
import dev.orderly.user.UserId;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.message.StrictText;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Connected users: presence, and messages to them. */
final class UserEndpoints {
    private static final int PAGE = 50;

    private final Users users;
    private final String all;
    private final String base;

    UserEndpoints(Users users, String base) {
        this.users = users;
        this.all = base + "/users";
        this.base = all + "/{id}";
    }

    List<ApiEndpoint> endpoints() {
        BodyLimit limit = new BodyLimit(Message.MAX, new Problem(ProblemType.TOO_LARGE, "A live message has at most "
                + Message.MAX + " bytes: send less, such as the address of a larger document"));
        return List.of(new ApiEndpoint("users", LeastRole.VIEWER, Endpoint.bodiless("GET", all, this::online)),
                new ApiEndpoint("user", LeastRole.VIEWER, Endpoint.bodiless("GET", base, this::show)),
                new ApiEndpoint("message", LeastRole.OPERATOR.orWorker(), new Endpoint("POST",
                        PathTemplate.parse(base + "/messages"), _ -> limit, Map.of(), this::send)));
    }

    private Response online(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "after", "limit");
        int limit = query.number("limit", 1, Users.PAGE_MAX, PAGE);
        ObjectNode json = JsonText.object();
        ArrayNode page = json.putArray("users");
        OnlinePage online = page(query.text("after"), limit);
        List<OnlineUser> found = online.users();
        found.forEach(user -> page.addObject().put("id", user.user().value()).put("connections", user.connections()));
        json.put("next", found.size() < limit ? null : found.getLast().user().value());
        return Response.json(200, JsonText.of(JsonText.unreachable(json, online.unreachable())));
    }

    private OnlinePage page(@Nullable String after, int limit) {
        try {
            return users.online(UserId.ofStored(after), limit);
        } catch (IllegalArgumentException _) {
            throw QueryParameters.bad("after", String.valueOf(after), "use the value of next in the previous page");
        }
    }

    private Response show(Request call) {
        QueryParameters.of(call.head());
        UserId id = id(call.head());
        UserConnections known = users.connectionsOf(id);
        ObjectNode json = JsonText.object().put("id", id.value()).put("online", users.isOnline(id)).put("connections",
                known.connections().size());
        ArrayNode open = json.putArray("open");
        known.connections().forEach(each -> open.addObject().put("id", each.connection().id())
                .put("transport", each.connection().transport()).put("since", each.connection().since().toString())
                .put("node", each.node()));
        return Response.json(200, JsonText.of(JsonText.unreachable(json, known.unreachable())));
    }

    private Response send(Request call) {
        QueryParameters.of(call.head());
        UserId id = id(call.head());
        Message message = message(call);
        boolean online = users.isOnline(id);
        users.to(id).send(message);
        return Response.json(202, JsonText.of(JsonText.object().put("online", online)));
    }

    private static UserId id(RequestHead head) {
        try {
            return new UserId(head.param("id"));
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
