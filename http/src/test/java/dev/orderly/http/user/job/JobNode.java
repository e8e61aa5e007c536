package dev.orderly.http.user.job;

import dev.orderly.Orderly;
import dev.orderly.flow.Quota;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.intake.Route;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.user.JwtAuthenticator;
import dev.orderly.http.user.TokenSource;
import dev.orderly.http.user.Tokens;
import dev.orderly.http.user.UserOptions;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.Payload;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.JobClient;
import dev.orderly.room.Rate;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import dev.orderly.web.user.Authenticator;
import dev.orderly.web.user.PageOrigins;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An edge with users, with a standard and a FIFO queue on a store in memory. Nothing runs until it is started. */
final class JobNode implements AutoCloseable {
    static final Duration SOON = Duration.ofSeconds(60);
    /** An origin that may act for users. */
    static final String PARTNER = "https://partner.example";
    /** An origin that may push to one route. */
    static final String GUEST = "https://guest.example";

    final MemoryStore store = new MemoryStore();
    final Orderly orderly = Orderly.open(store);
    final StandardQueue<Payload> mail = orderly.queue("mail", Payload.class);
    final FifoQueue<Payload> steps = orderly.fifo("steps.fifo", Payload.class);
    final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final UserJobStreams streams;
    private final EdgeServer edge;

    JobNode() {
        this(Time.system(), UserJobStreams.LIMIT);
    }

    /** @param time of the streams */
    JobNode(Time time, Quota.Limit limits) {
        PageOrigins pages = new PageOrigins(List.of(PARTNER));
        Authenticator users = JwtAuthenticator
                .of(UserOptions.of(new TokenSource.Secret(Tokens.SECRET)).withCookie("session").withPages(pages),
                        Time.system());
        streams = new UserJobStreams(orderly.engines().jobs(), time, limits);
        List<Route> routes = List.of(Route.of("/mail", "mail"), Route.of("/steps/{group}", "steps.fifo"),
                Route.of("/orders/{group}/{dedupe}", "steps.fifo"),
                new Route("/mine/{dedupe}", "steps.fifo", List.of(), Route.Users.REQUIRED, Route.Group.USER),
                new Route("/mine", "steps.fifo", List.of(), Route.Users.REQUIRED, Route.Group.USER),
                new Route("/open/{dedupe}", "mail", List.of(), Route.Users.NONE, Route.Group.PATH)
                        .withOrigins(new PageOrigins(List.of(GUEST))),
                Route.of("/few", "mail").withLimits(
                        new Route.Limits(new Rate(2, Duration.ofHours(1)), new Rate(4, Duration.ofHours(1)))));
        edge = new EdgeServer(BindAddress.loopback(0), new Routes(routes, orderly.engines().jobs(), users),
                HttpLimits.DEFAULT,
                Gateway.NONE,
                EdgeHandlers.NONE.withPages(pages)
                        .withJobs(new UserJobHandler(orderly.engines().jobs(), users, streams)));
        streams.start();
        edge.start();
    }

    JobClient jobs() {
        return orderly.engines().jobs();
    }

    HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + path)).timeout(SOON);
    }

    HttpRequest.Builder as(String user, String path) {
        return at(path).header("Authorization", "Bearer " + token(user));
    }

    static String token(String user) {
        return Tokens.of(user, Time.system().now().plusSeconds(600));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    HttpResponse<String> post(HttpRequest.Builder request, String body) {
        return send(request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)));
    }

    /** A push over the edge by this user. */
    JobId push(String user, String path, String body) {
        return id(post(as(user, path), body));
    }

    static JobId id(HttpResponse<String> answer) {
        return JobId.parse(answer.headers().firstValue("X-Job-Id").orElseThrow());
    }

    /** The job as its user sees it. */
    JsonNode look(String user, JobId id) {
        HttpResponse<String> answer = send(as(user, "/.orderly/jobs/" + id));
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return JsonMapper.shared().readTree(answer.body());
    }

    @Override
    public void close() {
        client.shutdownNow();
        edge.close();
        streams.close();
        orderly.close();
    }
}
