package dev.orderly.http.api;

import dev.orderly.Orderly;
import dev.orderly.http.access.AccessGate;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.LeastRole;
import dev.orderly.http.api.backup.BackupEndpoints;
import dev.orderly.http.health.HealthAnswers;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.intake.ApiIntake;
import dev.orderly.http.login.LoginEndpoints;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.web.message.QueryParameters;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** All endpoints of the API listener. */
public final class ApiEndpoints {
    /** The path of this version of the API. */
    public static final String BASE = "/api/v1";

    private static final String INDEX = """
            Orderly: waiting rooms and job queues.

            The contract of this API    /api/v1/openapi.json
            Queues                      /api/v1/queues
            Jobs                        /api/v1/jobs
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
        JobClient client = orderly.jobs();
        List<ApiEndpoint> all = new ArrayList<>(new ApiIntake(client, BASE).endpoints());
        all.addAll(new JobEndpoints(orderly, presentation, BASE).endpoints());
        all.addAll(new QueueEndpoints(client, orderly.settings(), presentation.redaction(), BASE).endpoints());
        all.addAll(new SearchEndpoints(orderly.finder(), presentation.redaction(), BASE).endpoints());
        all.addAll(new BulkEndpoints(orderly.bulk(), presentation.redaction(), BASE).endpoints());
        all.addAll(new ClaimEndpoints(client, orderly.pulls(), tokens, BASE).endpoints());
        all.addAll(new AttemptEndpoints(client, tokens, presentation.redaction(), BASE).all());
        all.addAll(new RoomEndpoints(rooms, BASE).endpoints());
        all.addAll(new HistoryEndpoints(orderly, rooms, BASE).endpoints());
        all.addAll(new UserEndpoints(orderly.users(), BASE).endpoints());
        all.addAll(new ScheduleEndpoints(orderly.schedules(), BASE).endpoints());
        all.addAll(new NodeEndpoints(orderly.nodes(), BASE).endpoints());
        all.addAll(new ConfigEndpoints(config, BASE).endpoints());
        all.addAll(new BackupEndpoints(orderly.backups(), BASE).endpoints());
        all.addAll(new TokenEndpoints(gate.control(), BASE).endpoints());
        all.addAll(new AuditEndpoints(gate.control().audit(), BASE).endpoints());
        all.addAll(new LoginEndpoints(gate, BASE).endpoints());
        byte[] contract = contract();
        all.add(plain("contract", BASE + "/openapi.json", () -> Response.json(200, contract)));
        all.add(plain("index", BASE, () -> Response.text(200, INDEX)));
        all.add(plain("live", "/health/live", HealthAnswers::live));
        all.add(plain("ready", "/health/ready", () -> HealthAnswers.ready(readiness)));
        return all;
    }

    private static ApiEndpoint plain(String operation, String path, Supplier<Response> answer) {
        return ApiEndpoint.view(operation, LeastRole.NONE, Endpoint.bodiless("GET", path, call -> {
            QueryParameters.of(call.head());
            return answer.get();
        }));
    }

    private static byte[] contract() {
        try (InputStream resource = ApiEndpoints.class.getResourceAsStream("openapi.json")) {
            if (resource == null) {
                throw new IllegalStateException("openapi.json is missing beside " + ApiEndpoints.class);
            }
            return resource.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
