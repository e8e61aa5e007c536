package dev.orderly.http.api;

import static dev.orderly.http.openapi.ErrorAnswer.UNAVAILABLE;

import dev.orderly.Orderly;
import dev.orderly.http.access.AccessGate;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.access.OperationEndpoints;
import dev.orderly.http.api.backup.BackupEndpoints;
import dev.orderly.http.health.HealthAnswers;
import dev.orderly.http.health.HealthJson;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.intake.ApiIntake;
import dev.orderly.http.login.LoginEndpoints;
import dev.orderly.http.openapi.OperationDoc;
import dev.orderly.http.openapi.RecordJson;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.operate.Operations;
import dev.orderly.operate.Targets;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All endpoints of the API listener. */
public final class ApiEndpoints {
    /** The path of this version of the API. */
    public static final String BASE = "/api/v1";

    private static final String TAG = "health";
    private static final String INDEX = """
            Orderly: waiting rooms and job queues.

            The contract of this API    /api/v1/openapi.json
            Queues                      /api/v1/queues
            Jobs                        /api/v1/jobs
            Batches                     /api/v1/batches
            Rooms                       /api/v1/rooms
            Schedules                   /api/v1/schedules
            Nodes                       /api/v1/nodes
            The dashboard               /
            Sign in with a token        /login
            Is it alive, is it ready    /health/live  /health/ready
            """;

    private ApiEndpoints() {}

    /**
     * All endpoints.
     *
     * @param tokens signs and verifies the tokens of attempts
     * @param presentation what jobs show
     * @param gate identifies the senders of requests
     */
    public static List<ApiEndpoint> all(Orderly orderly, RoomEngine rooms, Readiness readiness, ConfigReload config,
            AttemptTokens tokens, JobPresentation presentation, AccessGate gate) {
        JobClient client = orderly.engines().jobs();
        OperationEndpoints operations = new OperationEndpoints(
                new Operations(new Targets(orderly, rooms), gate.control().audit()), BASE);
        List<ApiEndpoint> all = new ArrayList<>(
                new ApiIntake(client, (job, token) -> tokens.verify(job, token).isPresent(), BASE).endpoints());
        all.addAll(new JobEndpoints(operations, presentation).endpoints());
        all.addAll(new QueueEndpoints(operations, presentation.redaction()).endpoints());
        all.addAll(new LimitEndpoints(operations).endpoints());
        all.addAll(new SearchEndpoints(orderly.engines().finder(), presentation.redaction(), BASE).endpoints());
        all.addAll(new BatchEndpoints(operations, presentation.redaction()).endpoints());
        all.addAll(new BulkEndpoints(operations, presentation.redaction()).endpoints());
        all.addAll(new ClaimEndpoints(operations, tokens).endpoints());
        all.addAll(new AttemptEndpoints(client, tokens, presentation.redaction(), BASE).all());
        all.addAll(new RoomEndpoints(operations).endpoints());
        all.addAll(new HistoryEndpoints(orderly, rooms, BASE).endpoints());
        all.addAll(new UserEndpoints(orderly.users(), BASE).endpoints());
        all.addAll(new ScheduleEndpoints(operations).endpoints());
        all.addAll(new NodeEndpoints(operations).endpoints());
        all.addAll(new ConfigEndpoints(operations, config).endpoints());
        all.addAll(new BackupEndpoints(operations).endpoints());
        all.addAll(new TokenEndpoints(operations, gate.control()).endpoints());
        all.addAll(new AuditEndpoints(gate.control().audit(), BASE).endpoints());
        all.addAll(new LoginEndpoints(operations, gate).endpoints());
        AtomicReference<byte @Nullable []> document = new AtomicReference<>();
        all.add(plain("contract", BASE + "/openapi.json", () -> Response.json(200, written(document, all)),
                OperationDoc.of(TAG, "This document").answers("200", "OpenAPI 3.1.",
                        Map.of(Response.JSON, Map.class))));
        all.add(plain("index", BASE, () -> Response.text(200, INDEX),
                OperationDoc.of(TAG, "The addresses of this listener").answers("200", "A short text.",
                        Map.of("text/plain", String.class))));
        all.add(plain("live", "/health/live", HealthAnswers::live,
                OperationDoc.of(TAG, "Whether the process is alive").answers(HealthJson.class, "It is.")));
        all.add(plain("ready", "/health/ready", () -> HealthAnswers.ready(readiness),
                OperationDoc.of(TAG, "Whether the node is ready").answers(HealthJson.class, "It is.")
                        .refuses(UNAVAILABLE)));
        return all;
    }

    /** The OpenAPI document, made at the first call. */
    private static byte[] written(AtomicReference<byte @Nullable []> document, List<ApiEndpoint> endpoints) {
        byte[] known = document.get();
        if (known != null) {
            return known;
        }
        byte[] made = RecordJson.bytes(OpenApiDocument.of(endpoints));
        document.set(made);
        return made;
    }

    private static ApiEndpoint plain(String operation, String path, Supplier<Response> answer,
            OperationDoc doc) {
        return new ApiEndpoint(operation, LeastRole.NONE, Endpoint.bodiless("GET", path, call -> {
            QueryParameters.of(call.head());
            return answer.get();
        }), doc);
    }
}
