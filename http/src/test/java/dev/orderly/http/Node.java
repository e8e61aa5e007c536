package dev.orderly.http;

import dev.orderly.Orderly;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.control.AccessControl;
import dev.orderly.access.control.AccessOptions;
import dev.orderly.access.control.LocalCredential;
import dev.orderly.http.access.AccessGate;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.access.ApiEndpoint;
import dev.orderly.http.access.MountedPages;
import dev.orderly.http.api.ApiEndpoints;
import dev.orderly.http.api.ConfigReload;
import dev.orderly.http.health.HealthChecks;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.intake.MultipartReader;
import dev.orderly.http.intake.Route;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.job.Payload;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.job.present.Redaction;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.store.GateId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.schedule.Timing;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A node under test: engine on the memory store, edge and API on free ports, and a client for both, which checks every
 * answer of the API against its contract.
 */
public final class Node implements AutoCloseable {
    static final URI PUBLIC = URI.create("https://jobs.example.com");

    static final Payload ANY = Payload.json("{}");
    static final List<Route> ROUTES = List.of(Route.of("/checkout/{group}/{dedupe}", "checkout.fifo"),
            Route.of("/orders/{group}", "checkout.fifo"), Route.of("/mail", "emails"), Route.of("/tiny", "tiny"),
            new Route("/forms/{form}", "emails", List.of("application/x-www-form-urlencoded")));

    static final RoomName SALE = new RoomName("sale");
    static final TokenSecret LOCAL = TokenSecret.of(new byte[32]);
    /** The line of the credential of the server's own user, for requests as bytes. */
    public static final String LOCAL_LINE = "Authorization: Bearer " + LOCAL.text() + "\r\n";

    public final InterceptedStore store;
    public final Orderly orderly;
    public final RoomEngine rooms;
    public final EdgeServer edge;
    public final AccessControl access;
    public final ApiServer api;
    private final boolean local;
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public Node() {
        this(new InterceptedStore(new MemoryStore()), HttpLimits.DEFAULT);
    }

    /** A node whose API has these rules, and whose client sends no credential by itself. */
    public Node(AccessPolicy policy) {
        this(new InterceptedStore(new MemoryStore()), HttpLimits.DEFAULT, policy, false);
    }

    public Node(InterceptedStore store, HttpLimits limits) {
        this(store, limits, AccessPolicy.loopback(BindAddress.loopback(0)), true);
    }

    private Node(InterceptedStore store, HttpLimits limits, AccessPolicy policy, boolean local) {
        this.store = store;
        this.local = local;
        orderly = Orderly.open(store,
                EngineOptions.defaults().withPublicUrl(PUBLIC).withReaders(List.of(new MultipartReader())));
        orderly.fifo("checkout.fifo", Payload.class);
        orderly.queue("emails", Payload.class);
        orderly.queue("tiny", Payload.class, o -> o.withMaxPayload(10).withMaxPending(3));
        orderly.schedule("digest", Timing.parse("daily at 07:30", ZoneId.of("Europe/Berlin")),
                orderly.fifo("checkout.fifo", Payload.class), "shop", ANY);
        orderly.schedule("never", Timing.parse("never"), orderly.queue("emails", Payload.class), ANY);
        rooms = new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))), new GateId("here"),
                Time.system(), new SecureRandom());
        rooms.declare(SALE, RoomOptions.of(new Limits(3, new Rate(5, Duration.ofSeconds(15)))), RoomSignals.none());
        rooms.step();
        edge = new EdgeServer(BindAddress.loopback(0), Routes.of(ROUTES, orderly.engines().jobs()), limits);
        access = new AccessControl(store.credentials(), store.audit(), Time.system(), AccessOptions.DEFAULT,
                LocalCredential.of(List.of(LOCAL)));
        Readiness readiness = new Readiness(
                List.of(HealthChecks.store(orderly), HealthChecks.loops(orderly), HealthChecks.heap()), Time.system());
        api = new ApiServer(new ApiServer.Access(policy, limits, access), orderly, rooms,
                new ApiServer.Management(readiness, ConfigReload.NONE, new AttemptTokens(List.of()),
                        MountedPages.NONE,
                        new JobPresentation(new Redaction(List.of("password")), "https://traces.example/{trace}")));
        edge.start();
        api.start();
    }

    /** The endpoints of a node, for what they say of themselves. */
    List<ApiEndpoint> endpoints() {
        AccessGate gate = new AccessGate(access, AccessPolicy.loopback(BindAddress.loopback(0)), Time.system());
        return ApiEndpoints.all(orderly, rooms, new Readiness(List.of(), Time.system()), ConfigReload.NONE,
                new AttemptTokens(List.of()), JobPresentation.PLAIN, gate);
    }

    public JobClient jobs() {
        return orderly.engines().jobs();
    }

    /** The builder of a request to the edge. */
    public HttpRequest.Builder atEdge(String path) {
        return at(edge.port(), path);
    }

    /** The builder of a request to the API; the path starts after the version. */
    public HttpRequest.Builder atApi(String path) {
        HttpRequest.Builder request = at(api.port(), "/api/v1" + path);
        return local ? asLocal(request) : request;
    }

    /** A request with the credential of the server's own user. */
    public static HttpRequest.Builder asLocal(HttpRequest.Builder request) {
        return request.header("Authorization", "Bearer " + LOCAL.text());
    }

    public static HttpRequest.Builder at(int port, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(Duration.ofSeconds(60));
    }

    public Reply send(HttpRequest.Builder request) {
        try {
            HttpRequest built = request.build();
            Reply reply = new Reply(client.send(built, BodyHandlers.ofByteArray()));
            if (built.uri().getPort() == api.port() && !built.method().equals("HEAD")) {
                Contract.check(built.method(), built.uri().getRawPath(), reply);
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The answer to a request that the contract does not foresee. */
    Reply sendUnchecked(HttpRequest.Builder request) {
        try {
            return new Reply(client.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public Reply post(HttpRequest.Builder request, @Nullable String contentType, String body) {
        if (contentType != null) {
            request.header("Content-Type", contentType);
        }
        return send(request.POST(BodyPublishers.ofString(body)));
    }

    public Reply get(String path) {
        return send(atApi(path).GET());
    }

    @Override
    public void close() {
        client.close();
        edge.close();
        api.close();
        access.close();
        rooms.close();
        orderly.close();
    }

    /** An answer with accessors for tests. */
    public record Reply(HttpResponse<byte[]> response) {
        public int status() {
            return response.statusCode();
        }

        @Nullable
        public String header(String name) {
            return response.headers().firstValue(name).orElse(null);
        }

        public String text() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        public JsonNode json() {
            return JsonMapper.shared().readTree(response.body());
        }

        /** The last part of the problem's type, after checking that the answer is a complete problem. */
        public String problem() {
            JsonNode json = json();
            if (!"application/problem+json".equals(header("Content-Type")) || json.path("status").asInt() != status()
                    || json.path("title").asString("").isEmpty() || json.path("detail").asString("").isEmpty()
                    || !json.has("instance")) {
                throw new AssertionError("Not a problem: " + this);
            }
            return json.path("type").asString().replace("urn:orderly:problem:", "");
        }

        public String detail() {
            return json().path("detail").asString();
        }

        @Override
        public String toString() {
            return status() + " " + response.headers().map() + " " + text();
        }
    }
}
