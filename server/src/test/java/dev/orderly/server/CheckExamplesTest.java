package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.room.RoomName;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.time.Time;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.check.CheckedVisitor;
import dev.orderly.web.room.check.JoinCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The programs of docs/abuse.md decide about visitors as the page says. */
class CheckExamplesTest {
    private static final RoomName SALE = new RoomName("sale");

    private final HttpClient client = JoinCheck.newClient();
    @TempDir
    private Path folder = Path.of("");
    private final int port = FreePort.find();

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    private static String python() {
        String path = ChildProcess.installed("python3").map(Path::toString).orElse("");
        if (path.isEmpty()) {
            LoggerFactory.getLogger(CheckExamplesTest.class).error("NOT TESTED: the programs of docs/abuse.md that need"
                    + " python3, which is not on the PATH");
        }
        return path;
    }

    private ChildProcess program(String python, String name, Map<String, String> environment) throws IOException {
        String page = Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "abuse.md"));
        var found = Pattern.compile("(?s)```python " + name + "\n(.*?)```").matcher(page);
        assertThat(found.find()).as(name).isTrue();
        Path file = Files.writeString(folder.resolve(name + ".py"), found.group(1));
        List<String> command = new ArrayList<>(List.of("env", "PORT=" + port));
        environment.forEach((variable, value) -> command.add(variable + "=" + value));
        command.addAll(List.of(python, file.toString()));
        return ChildProcess.start(command, builder -> builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("program.log").toFile()));
    }

    private Verdict ask(Map<String, String> headers) {
        JoinCheck check = new JoinCheck(CheckPolicy.of(URI.create("http://127.0.0.1:" + port + "/check"))
                .withWhen(CheckPolicy.When.ALWAYS).withTimeout(Duration.ofSeconds(5)), List.of(), client,
                Time.system());
        CompletionStage<Verdict> asked = check.ask(SALE, () -> new CheckedVisitor("203.0.113.7", "GET", "shop.example",
                "/", headers), 1);
        return asked == null ? new Verdict.Allow() : asked.toCompletableFuture().join();
    }

    /** The verdict of the program, which starts, or whose connection a busy machine may have ended. */
    private Verdict answer(Map<String, String> headers) {
        return await().atMost(Duration.ofSeconds(60)).until(() -> ask(headers),
                verdict -> !(verdict instanceof Verdict.Failed));
    }

    @Test
    void theScoreOfACdnRefusesSlowsAndAllows() throws IOException {
        String python = python();
        if (python.isEmpty()) {
            return;
        }
        try (ChildProcess _ = program(python, "score", Map.of())) {
            assertThat(answer(Map.of("cf-bot-score", "1"))).isEqualTo(new Verdict.Refuse());
            assertThat(answer(Map.of("cf-bot-score", "3"))).isEqualTo(new Verdict.Slow(Duration.ofMinutes(1)));
            assertThat(answer(Map.of("cf-bot-score", "70"))).isEqualTo(new Verdict.Allow());
            assertThat(answer(Map.of())).as("the CDN sent none").isEqualTo(new Verdict.Allow());
        }
    }

    @Test
    void aProofOfTurnstileIsVerifiedWithTheSecretAndTheAddress() throws IOException {
        String python = python();
        if (python.isEmpty()) {
            return;
        }
        List<String> asked = new ArrayList<>();
        HttpServer cloudflare = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        cloudflare.createContext("/siteverify", exchange -> {
            try (exchange) {
                String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                asked.add(form);
                byte[] body = ("{\"success\": " + form.contains("response=good") + "}")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        cloudflare.start();
        try (ChildProcess _ = program(python, "turnstile", Map.of("TURNSTILE_SECRET", "0x4AAA", "SITEVERIFY",
                "http://127.0.0.1:" + cloudflare.getAddress().getPort() + "/siteverify"))) {
            assertThat(answer(Map.of())).as("no proof").isEqualTo(new Verdict.Refuse());
            assertThat(asked).isEmpty();
            assertThat(answer(Map.of("cookie", "a=1; turnstile=good; b=2"))).isEqualTo(new Verdict.Allow());
            assertThat(answer(Map.of("cookie", "turnstile=bad"))).isEqualTo(new Verdict.Refuse());
            assertThat(asked.getFirst()).contains("secret=0x4AAA", "remoteip=203.0.113.7");
        } finally {
            cloudflare.stop(0);
        }
        assertThat(ask(Map.of("cookie", "turnstile=good"))).as("the program is gone").isEqualTo(
                new Verdict.Failed(true));
    }
}
