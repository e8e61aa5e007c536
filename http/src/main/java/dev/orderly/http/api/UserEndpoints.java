package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.UNPROCESSABLE;
import static dev.orderly.http.openapi.ErrorAnswer.UNSUPPORTED_CONTENT;

import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.intake.JsonCheck;
import dev.orderly.http.intake.MediaType;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.Parameter;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.live.Message;
import dev.orderly.live.OnlinePage;
import dev.orderly.live.OnlineUser;
import dev.orderly.live.Users;
import dev.orderly.user.UserId;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.message.StrictText;
import dev.orderly.web.path.PathTemplate;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Connected users: presence, and messages to them. */
final class UserEndpoints {
    private static final int PAGE = 50;
    private static final String TAG = "users";

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
        return List.of(
                ApiEndpoint.view("users", all, this::online,
                        OperationDoc.of(TAG, "Users who are connected to any node")
                                .details("In the order of their ids. Asks all nodes, and waits up to 2 s for them; a"
                                        + " node that does not answer is named.")
                                .takes(Parameter.query("after", "`next` of the page before."),
                                        Parameter.query("limit", Integer.class, "Users per page.")
                                                .with("minimum: 1, maximum: 200, default: " + PAGE))
                                .answers(UserJson.Page.class, "A page of users.")),
                ApiEndpoint.view("user", base, this::show,
                        OperationDoc.of(TAG, "Whether a user is connected")
                                .details("Live connections to any node. An unknown user is not online. Asks all nodes,"
                                        + " and waits up to 2 s for them.")
                                .answers(UserJson.class, "The user's connections.").refuses(UNPROCESSABLE)),
                new ApiEndpoint("message", LeastRole.OPERATOR.orWorker(),
                        new Endpoint("POST", PathTemplate.parse(base + "/messages"), _ -> limit, Map.of(), this::send),
                        OperationDoc.of(TAG, "Send a live message to all devices of a user")
                                .details("The body is the message, by its content type: JSON (also without a content"
                                        + " type), text, or bytes; at most 64 KiB. It reaches the devices that are"
                                        + " connected now; it is not stored, and 202 does not mean that it arrived.")
                                .body(Body.any(Response.JSON, "text/plain", "application/octet-stream"))
                                .answers(202, UserJson.Messaged.class,
                                        "The message was handed to the user's connections, if there are any.")
                                .refuses(UNSUPPORTED_CONTENT, UNPROCESSABLE)));
    }

    private Response online(Request call) {
        QueryParameters query = QueryParameters.of(call.head(), "after", "limit");
        int limit = query.number("limit", 1, Users.PAGE_MAX, PAGE);
        OnlinePage online = page(query.text("after"), limit);
        List<OnlineUser> found = online.users();
        return RecordJson.ok(new UserJson.Page(
                found.stream().map(each -> new UserJson.Online(each.user().value(), each.connections())).toList(),
                found.size() < limit ? null : found.getLast().user().value(), online.unreachable()));
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
        return RecordJson.ok(UserJson.of(id, users.isOnline(id), users.connectionsOf(id)));
    }

    private Response send(Request call) {
        QueryParameters.of(call.head());
        UserId id = id(call.head());
        Message message = message(call);
        boolean online = users.isOnline(id);
        users.to(id).send(message);
        return RecordJson.answer(202, new UserJson.Messaged(online));
    }

    private static UserId id(RequestHead head) {
        try {
            return new UserId(head.param("id"));
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
    }

    private static Message message(Request call) {
        MediaType type = type(call.head());
        if (type.isJson()) {
            JsonCheck.checkUtf8("The message", call.body());
            try {
                JsonMapper.shared().readTree(call.body());
            } catch (JacksonException e) {
                throw new ProblemException(ProblemType.MALFORMED, "The message is not JSON within the limits ("
                        + JsonCheck.flaw(e) + "): correct it, or set its true content type");
            }
            if (new String(call.body(), StandardCharsets.UTF_8).isBlank()) {
                throw new ProblemException(ProblemType.EMPTY, "The message is empty: send a JSON value, text or bytes");
            }
            return new Message.Json(call.body());
        }
        return type.name().startsWith("text/") ? text(type, call.body()) : new Message.Bytes(call.body());
    }

    private static Message text(MediaType type, byte[] body) {
        try {
            return Message.of(StrictText.decode("The text", body, type.charset()), JsonMapper.shared());
        } catch (IllegalArgumentException e) { // longer in UTF-8 than in its own charset
            throw new ProblemException(ProblemType.TOO_LARGE, String.valueOf(e.getMessage()));
        }
    }

    private static MediaType type(RequestHead head) {
        String named = head.header("Content-Type");
        try {
            return MediaType.parse(named == null ? Response.JSON : named);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.UNSUPPORTED_CONTENT,
                    e.getMessage() + ": send JSON, text or bytes with a matching Content-Type");
        }
    }
}
