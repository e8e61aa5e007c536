package dev.orderly.http.api;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.json.JsonBody;
import dev.orderly.http.openapi.Doc;
import dev.orderly.http.openapi.OmitNull;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.OperationDoc.Body;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.QueueName;
import dev.orderly.operate.Operation;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.TokenControl;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
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

/** Access tokens: create, list, revoke. */
final class TokenEndpoints {
    private static final BodyLimit BODY = new BodyLimit(16 << 10, new Problem(ProblemType.TOO_LARGE,
            "The body has more than 16 KiB: a token fits into less"));
    private static final String TAG = "access";
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
        return List.of(
                new ApiEndpoint("tokens", LeastRole.ADMIN, Endpoint.bodiless("GET", base, this::all),
                        OperationDoc.of(TAG, "All access tokens")
                                .answers(TokenJson.All.class, "The tokens by name.")),
                operations.of(OperationSpec.CREATE_TOKEN, BODY, this::create,
                        (_, created) -> RecordJson.answer(201, TokenJson.Created.of(created)),
                        OperationDoc.of(TAG, OperationSpec.CREATE_TOKEN).body(Body.of(TokenRequest.class))
                                .answers(201, TokenJson.Created.class,
                                        "Created. The secret is shown here and never again.")),
                operations.bodiless(OperationSpec.REVOKE_TOKEN,
                        call -> TokenControl.revoke(control, OperationEndpoints.param(call, "name")),
                        (_, token) -> RecordJson.ok(new TokenJson.Revoked(token.name().value())),
                        OperationDoc.of(TAG, OperationSpec.REVOKE_TOKEN).answers(TokenJson.Revoked.class,
                                "Revoked.")));
    }

    /** A token to create. */
    @Doc(name = "TokenRequest")
    record TokenRequest(@Doc(facets = "pattern: '^[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}$'") String name, Role role,
            @Doc(value = "Required for a worker, refused for every other role.",
                    facets = "maxItems: 100") @OmitNull @Nullable List<String> queues,
            @Doc("ISO-8601 duration after which the token ends, at most P3650D; absent for no"
                    + " end.") @Nullable String life) {}

    private Response all(Request call) {
        QueryParameters.of(call.head());
        Instant now = control.audit().now();
        return RecordJson.ok(
                new TokenJson.All(control.tokens().stream().map(stored -> TokenJson.of(stored, now)).toList()));
    }

    private Operation<TokenControl.Created> create(Request call) {
        QueryParameters.of(call.head());
        return TokenControl.create(control, token(JsonBody.of(call, TokenRequest.class)),
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

    private static <T> T bounded(java.util.function.Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new ProblemException(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
    }
}
