package dev.orderly.http.api;

import dev.orderly.Orderly;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.intake.ApiIntake;
import dev.orderly.http.message.QueryParameters;
import dev.orderly.http.message.Response;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import dev.orderly.http.route.Endpoint;
import dev.orderly.job.engine.JobClient;
import dev.orderly.room.gate.RoomEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** All endpoints of the API listener. */
public final class ApiEndpoints {
    /** The path of this version of the API. */
    public static final String BASE = "/api/v1";

    private static final String INDEX = """
            Orderly: waiting rooms and job queues.

            The contract of this API    /api/v1/openapi.json
            Queues                      /api/v1/queues
            Rooms                       /api/v1/rooms
            Schedules                   /api/v1/schedules
            Is it alive, is it ready    /health/live  /health/ready
            """;

    private ApiEndpoints() {}

    public static List<Endpoint> all(Orderly orderly, RoomEngine rooms, Readiness readiness, ConfigReload config) {
        JobClient client = orderly.jobs();
        List<Endpoint> all = new ArrayList<>(new ApiIntake(client, BASE).endpoints());
        all.addAll(new JobEndpoints(orderly, BASE).endpoints());
        all.addAll(new QueueEndpoints(client, BASE).endpoints());
        all.addAll(new RoomEndpoints(rooms, BASE).endpoints());
        all.addAll(new UserEndpoints(orderly.users(), BASE).endpoints());
        all.addAll(new ScheduleEndpoints(orderly.schedules(), BASE).endpoints());
        all.addAll(new ConfigEndpoints(config, BASE).endpoints());
        byte[] contract = contract();
        all.add(plain(BASE + "/openapi.json", () -> Response.json(200, contract)));
        all.add(plain("/", () -> Response.text(200, INDEX)));
        all.add(plain("/health/live", () -> Response.json(200, JsonText.of(JsonText.object().put("status", "live")))));
        all.add(plain("/health/ready", () -> ready(readiness)));
        return all;
    }

    private static Response ready(Readiness readiness) {
        Map<String, String> failures = readiness.failures();
        if (failures.isEmpty()) {
            ObjectNode ready = JsonText.object().put("status", "ready");
            List<String> warnings = readiness.warnings();
            if (!warnings.isEmpty()) {
                warnings.forEach(ready.putArray("warnings")::add);
            }
            return Response.json(200, JsonText.of(ready));
        }
        String detail = failures.entrySet().stream().map(failure -> failure.getKey() + ": " + failure.getValue())
                .collect(Collectors.joining("; "));
        throw new Refusal(ProblemType.NOT_READY, detail);
    }

    private static Endpoint plain(String path, java.util.function.Supplier<Response> answer) {
        return Endpoint.bodiless("GET", path, call -> {
            QueryParameters.of(call.head());
            return answer.get();
        });
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
