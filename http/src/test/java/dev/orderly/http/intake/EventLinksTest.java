package dev.orderly.http.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.TimedOut;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import dev.orderly.web.edge.TrustedProxies;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links that send the event that a job awaits. */
@Timeout(150)
class EventLinksTest {
    private static final URI PUBLIC = URI.create("https://jobs.example.com/");
    private static final Duration WEEK = Duration.ofDays(7);

    private final ManualTime time = new ManualTime();
    private final MemoryStore store = new MemoryStore(time);
    private final Orderly orderly = Orderly.open(store,
            EngineOptions.defaults().withTime(time).withPublicUrl(PUBLIC));
    private final StandardQueue<String> orders = orderly.queue("orders", String.class);
    private final BlockingQueue<URI> links = new LinkedBlockingQueue<>();
    private final BlockingQueue<Payload> answers = new LinkedBlockingQueue<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final EdgeServer edge = new EdgeServer(ListenerTransport.plain(BindAddress.loopback(0)),
            Routes.of(List.of(), orderly.engines().jobs()), HttpLimits.DEFAULT, Gateway.NONE,
            EdgeHandlers.NONE.withEvents(new EventLinks(orderly.engines().jobs(), TrustedProxies.NONE, time)));

    @BeforeEach
    void start() {
        orderly.handle(orders, (_, job) -> {
            try {
                job.await("approval", Payload.class, WEEK).ifPresentOrElse(answers::add,
                        () -> links.add(job.eventUrl("approval")));
            } catch (TimedOut _) {
                answers.add(Payload.text("timed out"));
            }
        });
        orderly.start();
        edge.start();
    }

    @AfterEach
    void close() {
        edge.close();
        orderly.close();
        client.close();
    }

    private String awaiting() throws InterruptedException {
        JobId id = orders.push("shoebox");
        URI link = links.take();
        assertThat(link).hasHost("jobs.example.com");
        soon(() -> assertThat(state(id)).isEqualTo(JobState.DELAYED));
        return link.getRawPath();
    }

    /** Waits for a check, and advances the clocks a little before each look. */
    private void soon(ThrowingRunnable check) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            time.advance(Duration.ofMillis(10));
            check.run();
        });
    }

    private JobState state(JobId id) {
        return orderly.jobs().find(id).orElseThrow().state();
    }

    private HttpResponse<String> send(String method, String path, String accept, String body) {
        try {
            return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + edge.port() + path))
                    .header("Accept", accept).method(method, BodyPublishers.ofString(body)).build(),
                    BodyHandlers.ofString());
        } catch (java.io.IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> post(String path, String body) {
        return send("POST", path, "application/json", body);
    }

    @Test
    void aPostSendsItsBodyAndTellsNothingOfTheJob() throws InterruptedException {
        String path = awaiting();
        HttpResponse<String> reply = post(path, "{\"ok\":true}");
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{\"result\":\"accepted\"}");
        assertThat(answers.take()).isEqualTo(Payload.json("{\"ok\":true}"));
        soon(() -> assertThat(post(path, "false").statusCode()).as("after the end").isEqualTo(410));
        assertThat(post(path, "false").body()).contains("link-gone").doesNotContain("shoebox", "approval", "orders");
    }

    @Test
    void aGetOnlyAsksAndTheButtonOfItsPageSendsTrue() throws InterruptedException {
        String path = awaiting();
        HttpResponse<String> page = send("GET", path, "text/html", "");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("<form method=\"post\">").doesNotContain("shoebox", "approval", "orders");
        assertThat(page.headers().firstValue("Referrer-Policy")).contains("no-referrer");
        assertThat(page.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(send("HEAD", path, "text/html", "").statusCode()).isLessThan(500);
        assertThat(answers).as("scanners of mails open links").isEmpty();
        HttpResponse<String> sent = send("POST", path, "text/html", "");
        assertThat(sent.body()).contains("Confirmed");
        assertThat(answers.take()).isEqualTo(Payload.json("true"));
    }

    @Test
    void aLinkThatWasChangedOrForgedIsGone() throws InterruptedException {
        String path = awaiting();
        String other = awaiting();
        int dot = path.lastIndexOf('.');
        String token = path.substring(path.lastIndexOf('/') + 1);
        for (String wrong : List.of(path + "x", path.substring(0, path.length() - 3), path.substring(0, dot),
                path.substring(0, dot) + other.substring(other.lastIndexOf('.')),
                path.replace(token, "x".repeat(500)), path.replace(token, "a.b"), path.replace(token, "."))) {
            assertThat(post(wrong, "true").statusCode()).as(wrong).isEqualTo(410);
            assertThat(send("GET", wrong, "text/html", "").statusCode()).isEqualTo(410);
        }
        assertThat(answers).isEmpty();
    }

    @Test
    void aLinkEndsWithTheWait() throws InterruptedException {
        String path = awaiting();
        time.advance(WEEK);
        assertThat(post(path, "true").statusCode()).isEqualTo(410);
        soon(() -> assertThat(answers).containsExactly(Payload.text("timed out")));
    }

    @Test
    void aBodyThatIsTooLargeOrMalformedIsRefusedAndTheLinkStaysGood() throws InterruptedException {
        String path = awaiting();
        assertThat(post(path, "x".repeat(65_537)).statusCode()).isEqualTo(413);
        assertThat(post(path, "{oops").statusCode()).isEqualTo(422);
        assertThat(post(path, "true").statusCode()).isEqualTo(200);
    }

    @Test
    void anAddressMayAskSoOftenOnly() throws InterruptedException {
        String path = awaiting();
        for (int n = 0; n < EventLinks.RATE; n++) {
            post(path + "x", "true");
        }
        HttpResponse<String> refused = post(path, "true");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(answers).isEmpty();
        time.advance(Duration.ofMinutes(1));
        assertThat(post(path, "true").statusCode()).isEqualTo(200);
    }

    @Test
    void aLinkNeedsAWaitAndAnAddress() {
        StandardQueue<String> others = orderly.queue("others", String.class);
        BlockingQueue<Throwable> refusals = new LinkedBlockingQueue<>();
        orderly.handle(others, (_, job) -> {
            try {
                job.eventUrl("approval");
            } catch (IllegalStateException e) {
                refusals.add(e);
            }
        });
        others.push("x");
        soon(() -> assertThat(refusals).singleElement().satisfies(
                e -> assertThat(e).hasMessageContaining("does not await event approval").hasMessageContaining(
                        "call await first")));
        try (Orderly plain = Orderly.open(new MemoryStore(), EngineOptions.defaults().withTime(Time.system()))) {
            StandardQueue<String> mails = plain.queue("mails", String.class);
            plain.handle(mails, (_, job) -> {
                job.await("approval", String.class, WEEK);
                try {
                    job.eventUrl("approval");
                } catch (IllegalStateException e) {
                    refusals.add(e);
                }
            });
            plain.start();
            assertThat(plain.jobs().eventUrl(mails.push("x"), "approval", time.now())).isEmpty();
            soon(() -> assertThat(refusals).anySatisfy(
                    e -> assertThat(e).hasMessageContaining("edge.public-url").hasMessageContaining("withPublicUrl")));
        }
        assertThatThrownBy(() -> EngineOptions.defaults().withPublicUrl(URI.create("jobs.example.com")))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("https://jobs.example.com");
    }
}
