package dev.orderly.http.api;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.store.StoredToken;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.api.json.JsonText;
import dev.orderly.job.QueueName;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.TokenControl;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Access tokens: create, list, revoke. */
final class TokenEndpoints {
    private static final BodyLimit BODY = new BodyLimit(16 << 10, new Problem(ProblemType.TOO_LARGE,
            "The body has more than 16 KiB: a token fits into less"));
    private static final Duration LIFE_MAX = Duration.ofDays(3_650);

    private final OperationEndpoints operations;
    private final AccessControl control;
    private final String base;
    private final RandomGenerator random = new SecureRandom();

    TokenEndpoints(OperationEndpoints operations, AccessControl control) {
        this.operations = operations;
        this.control = control;
        this.base = operations.base() + "/tokens";
    }

    List<ApiEndpoint> endpoints() {
        return List.of(new ApiEndpoint("tokens", LeastRole.ADMIN, Endpoint.bodiless("GET", base, this::all)),
                operations.of(OperationSpec.CREATE_TOKEN, BODY, this::create, (_, created) -> Response.json(201,
                        JsonText.of(json(new StoredToken(created.token(), "", null), created.token().created())
                                .put("token", created.secret().text())))),
                operations.bodiless(OperationSpec.REVOKE_TOKEN,
                        call -> TokenControl.revoke(control, OperationEndpoints.param(call, "name")),
                        (_, token) -> Response
                                .json(200, JsonText.of(JsonText.object().put("name", token.name().value())))));
    }

    private Response all(Request call) {
        QueryParameters.of(call.head());
        ObjectNode json = JsonText.object();
        ArrayNode tokens = json.putArray("tokens");
        Instant now = control.audit().now();
        control.tokens().forEach(stored -> tokens.add(json(stored, now)));
        return Response.json(200, JsonText.of(json));
    }

    private Operation<TokenControl.Created> create(Request call) {
        QueryParameters.of(call.head());
        return TokenControl.create(control, token(JsonBody.of(call, "name", "role", "queues", "life")),
                TokenSecret.random(random));
    }

    private AccessToken token(JsonNode json) {
        TokenName name = bounded(() -> new TokenName(json.path("name").asString("")));
        Role role = Role.parse(json.path("role").asString("")).orElseThrow(() -> JsonBody.bad(
                "The role is missing or unknown: use viewer, operator, admin or worker"));
        Set<QueueName> queues = new HashSet<>();
        JsonNode listed = json.path("queues");
        if (!listed.isMissingNode() && !listed.isArray()) {
            throw JsonBody.bad("The queues are not a list: send {\"queues\": [\"mails\"]}");
        }
        listed.forEach(queue -> queues.add(bounded(() -> new QueueName(queue.asString("")))));
        Duration life = life(json.path("life"));
        Instant now = control.audit().now();
        return bounded(() -> new AccessToken(name, role, queues, now, life == null ? null : now.plus(life)));
    }

    private static @Nullable Duration life(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        try {
            Duration life = Duration.parse(value.asString(""));
            if (life.isPositive() && life.compareTo(LIFE_MAX) <= 0) {
                return life;
            }
        } catch (DateTimeException _) {
            // Refused below, like a life out of bounds.
        }
        throw JsonBody.bad("The life is not an ISO-8601 duration of at most 3650 days: send {\"life\": \"P90D\"}, or"
                + " leave it out for a token without an end");
    }

    private static ObjectNode json(StoredToken stored, Instant now) {
        AccessToken token = stored.token();
        ObjectNode json = JsonText.object().put("name", token.name().value()).put("role", token.role().text());
        ArrayNode queues = json.putArray("queues");
        token.queues().forEach(queue -> queues.add(queue.value()));
        return json.put("created", token.created().toString()).put("ends", JsonText.text(token.ends()))
                .put("ended", token.isEnded(now)).put("lastUsed", JsonText.text(stored.lastUsed()));
    }

    private static <T> T bounded(java.util.function.Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new Refusal(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
    }
}
