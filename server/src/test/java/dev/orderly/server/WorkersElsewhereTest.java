package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The workers of {@code docs/workers.md}, in processes of their own, where their interpreters are installed. */
@Timeout(200)
class WorkersElsewhereTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    /** Claims a job, prints its token, and hangs. */
    private static final String HANGS = """
            import json, sys, time, urllib.request
            url, body = sys.argv[1], {"max": 1, "wait": "20s", "lease": "5s"}
            head = {"Content-Type": "application/json", "Authorization": "Bearer " + sys.argv[2]}
            with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), head)) as answer:
                print(json.load(answer)["jobs"][0]["leasedUntil"], flush=True)
            time.sleep(600)
            """;

    @TempDir
    private Path folder = Path.of("");
    private final int port = FreePort.find();
    private final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest
    @CsvSource({"python, python3, py", "js, node, mjs", "php, php, php"})
    void theWebhookOfThePageVerifiesTheSignatureAndDoesTheJob(String language, String program, String ending)
            throws Exception {
        String interpreter = installed(program);
        if (interpreter.isEmpty()) {
            return;
        }
        String secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        String known = Secrets.read(secret, folder, false).webhooks().getFirst().reveal();
        try (OrderlyServer server = server("emails: { handler: \"http://127.0.0.1:" + port + "/\", retry: { base: 10ms,"
                + " max: 1s } }", secret);
                ChildProcess _ = worker(webhook(interpreter, block(language, "webhook", ending)),
                        Map.of("WEBHOOK_SECRET", "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA " + known, "PORT",
                                Integer.toString(port)))) {
            JsonNode done = ended(server, push(server, "emails", "{\"to\":\"ada\"}"), "done");
            assertThat(done.at("/result/json/sent").asString()).isEqualTo("ada");
            JsonNode dead = ended(server, push(server, "emails", "{\"from\":\"ada\"}"), "dead");
            assertThat(dead.at("/failure/summary").asString()).startsWith("this is no email");
            var forged = http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                    .header("webhook-id", "x").header("webhook-timestamp",
                            Long.toString(Time.system().now().getEpochSecond()))
                    .header("webhook-signature", "v1,AAAA").POST(BodyPublishers.ofString("{}")).build(),
                    BodyHandlers.ofString());
            assertThat(forged.statusCode()).isEqualTo(401);
        }
    }

    @Test
    void theWebhookOfThePageForSeveralJobsSettlesEachByItself() throws Exception {
        String interpreter = installed("python3");
        if (interpreter.isEmpty()) {
            return;
        }
        String script = joined("webhook", "ThreadingHTTPServer((", "batch");
        String secret = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        String known = Secrets.read(secret, folder, false).webhooks().getFirst().reveal();
        try (OrderlyServer server = server("rows: { handler: \"http://127.0.0.1:" + port + "/\", batch: 100,"
                + " concurrency: 1, retry: { base: 10ms, max: 1s } }", secret);
                ChildProcess _ = worker(List.of(interpreter, script),
                        Map.of("WEBHOOK_SECRET", known, "PORT", Integer.toString(port)))) {
            String good = push(server, "rows", "{\"n\":7}");
            String bad = push(server, "rows", "{}");
            assertThat(ended(server, good, "done").at("/result/json/row").asInt()).isEqualTo(7);
            assertThat(ended(server, bad, "dead").at("/failure/summary").asString())
                    .startsWith("the row has no number");
        }
    }

    @ParameterizedTest
    @CsvSource({"python, python3, py", "js, node, mjs", "php, php, php"})
    void theWorkerOfThePagePullsAndDoesTheJob(String language, String program, String ending) throws Exception {
        String interpreter = installed(program);
        if (interpreter.isEmpty()) {
            return;
        }
        try (OrderlyServer server = server("thumbnails: { handler: pull, max-leased: 200 }", "");
                ChildProcess _ = worker(List.of(interpreter, block(language, "pull", ending)),
                        Map.of("ORDERLY_API", "http://127.0.0.1:" + server.adminPort(), "ORDERLY_TOKEN",
                                OwnUser.token(server.localAccess())))) {
            JsonNode done = ended(server, push(server, "thumbnails", "{\"width\":640}"), "done");
            assertThat(done.at("/result/json/width").asInt()).isEqualTo(320);
            assertThat(done.path("attempt").asInt()).isEqualTo(1);
        }
    }

    @Test
    void theWorkerOfThePageRepeatsNoStepOfAnEarlierAttempt() throws Exception {
        String interpreter = installed("python3");
        if (interpreter.isEmpty()) {
            return;
        }
        String script = joined("pull", "while True:", "steps");
        try (OrderlyServer server = server("orders: { handler: pull, retry: { base: 1ms, max: 1ms } }", "")) {
            String api = "http://127.0.0.1:" + server.adminPort() + "/api/v1/";
            String id = push(server, "orders", "{}");
            JsonNode first = send(server, api + "queues/orders/claims", "{\"wait\": \"20s\"}").path("jobs").path(0);
            Map<String, String> reports = new LinkedHashMap<>();
            reports.put("steps/charge", "PUT");
            reports.put("release", "POST");
            for (Map.Entry<String, String> report : reports.entrySet()) {
                String body = report.getValue().equals("PUT") ? "{\"number\": \"of the first attempt\"}" : "";
                HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api + "jobs/" + id + "/"
                        + report.getKey()))
                        .header("Content-Type", "application/json")
                        .header("Authorization", "Bearer " + OwnUser.token(server.localAccess()))
                        .header("Orderly-Attempt-Token", first.path("token").asString());
                assertThat(http.send(request.method(report.getValue(), BodyPublishers.ofString(body)).build(),
                        BodyHandlers.ofString()).statusCode()).as(report.getKey()).isEqualTo(200);
            }
            try (ChildProcess _ = worker(List.of(interpreter, script), Map.of("ORDERLY_API",
                    "http://127.0.0.1:" + server.adminPort(), "ORDERLY_TOKEN", OwnUser.token(server.localAccess())))) {
                assertThat(ended(server, id, "done").at("/result/json/file").asString())
                        .isEqualTo("of the first attempt.pdf");
            }
        }
    }

    @Test
    void theWorkerOfThePageWaitsForAnEventAndGoesOnWithIt() throws Exception {
        String interpreter = installed("python3");
        if (interpreter.isEmpty()) {
            return;
        }
        String script = joined("pull", "while True:", "events");
        try (OrderlyServer server = server("orders: { handler: pull }", "");
                ChildProcess _ = worker(List.of(interpreter, script), Map.of("ORDERLY_API",
                        "http://127.0.0.1:" + server.adminPort(), "ORDERLY_TOKEN",
                        OwnUser.token(server.localAccess())))) {
            String id = push(server, "orders", "{}");
            ended(server, id, "delayed");
            String link = Files.readString(folder.resolve("worker.log")).replaceFirst("(?s)mail the manager: (\\S+).*",
                    "$1");
            assertThat(link).startsWith("https://jobs.example.com/");
            send(server, "http://127.0.0.1:" + server.edgePort() + URI.create(link).getPath(), "{\"ok\": true}");
            assertThat(ended(server, id, "done").at("/result/json/shipped").asBoolean()).isTrue();
        }
    }

    @Test
    void theJobOfAKilledWorkerComesBackAfterItsLeaseAndNotBefore() throws Exception {
        String interpreter = installed("python3");
        if (interpreter.isEmpty()) {
            return;
        }
        Path script = Files.writeString(folder.resolve("hangs.py"), HANGS);
        try (OrderlyServer server = server("thumbnails.fifo: { handler: pull, retry: { base: 1ms, max: 1ms } }", "")) {
            String claims = "http://127.0.0.1:" + server.adminPort() + "/api/v1/queues/thumbnails.fifo/claims";
            String id = push(server, "thumbnails.fifo/jobs?group=g", "1");
            push(server, "thumbnails.fifo/jobs?group=g", "2");
            Instant leasedUntil;
            try (ChildProcess worker = ChildProcess.start(List.of(interpreter, script.toString(), claims,
                    OwnUser.token(server.localAccess())),
                    builder -> builder.redirectError(folder.resolve("worker.log").toFile()))) {
                leasedUntil = Instant.parse(worker.out().readLine());
                worker.kill();
            }
            JsonNode[] got = {JsonMapper.shared().createArrayNode()};
            Awaitility.await().atMost(SOON.multipliedBy(2)).until(() -> {
                got[0] = send(server, claims, "{\"max\": 10, \"wait\": \"20s\"}").path("jobs");
                return !got[0].isEmpty();
            });
            assertThat(Time.system().now()).isAfter(leasedUntil.minusSeconds(1));
            assertThat(got[0].size()).as("only the first job of its group").isEqualTo(1);
            assertThat(got[0].path(0).path("id").asString()).isEqualTo(id);
            assertThat(got[0].path(0).path("attempt").asInt()).isEqualTo(2);
            assertThat(got[0].path(0).path("failures").asInt()).isEqualTo(1);
        }
    }

    /** The script of two examples in Python: of the first what stands before its main part, then the second. */
    private String joined(String first, String mainPart, String second) throws IOException {
        String script = block("python", first, "py");
        String above = Files.readString(Path.of(script));
        Files.writeString(Path.of(script), above.substring(0, above.indexOf(mainPart))
                + Files.readString(Path.of(block("python", second, "py"))));
        return script;
    }

    private OrderlyServer server(String queue, String secret) throws IOException {
        String text = "store: sqlite:" + folder.resolve("jobs.db")
                + "\nadmin: { port: 0 }\nedge: { port: 0, public-url: \"https://jobs.example.com\" }\n"
                + "secret-file: " + folder.resolve("secret") + "\nqueues:\n  " + queue + "\n";
        Path file = Files.writeString(folder.resolve("orderly.yaml"), text);
        return ServerInTest.start(file, secret.isEmpty() ? Map.of() : Map.of("ORDERLY_SECRET", secret));
    }

    /** PHP has a server of its own for pages; the other programs listen by themselves. */
    private List<String> webhook(String interpreter, String program) {
        return program.endsWith(".php")
                ? List.of(interpreter, "-S", "127.0.0.1:" + port, program)
                : List.of(interpreter, program);
    }

    private ChildProcess worker(List<String> command, Map<String, String> environment) {
        List<String> all = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> all.add(name + "=" + value));
        all.addAll(command);
        return ChildProcess.start(all, builder -> builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("worker.log").toFile()));
    }

    private String push(OrderlyServer server, String queue, String payload) throws Exception {
        String path = queue.contains("/") ? queue : queue + "/jobs";
        return send(server, "http://127.0.0.1:" + server.adminPort() + "/api/v1/queues/" + path, payload).path("id")
                .asString();
    }

    private JsonNode send(OrderlyServer server, String url, String body) throws Exception {
        var answer = http.send(OwnUser.of(server, HttpRequest.newBuilder(URI.create(url))).timeout(SOON)
                .header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 202);
        return JsonMapper.shared().readTree(answer.body());
    }

    private JsonNode ended(OrderlyServer server, String id, String state) {
        URI url = URI.create("http://127.0.0.1:" + server.adminPort() + "/api/v1/jobs/" + id);
        JsonNode[] job = {JsonMapper.shared().createObjectNode()};
        Awaitility.await().atMost(SOON).untilAsserted(() -> {
            job[0] = JsonMapper.shared().readTree(http.send(OwnUser.of(server, HttpRequest.newBuilder(url)).build(),
                    BodyHandlers.ofString()).body());
            assertThat(job[0].path("state").asString())
                    .as(() -> job[0] + "; the worker said: " + read(folder.resolve("worker.log"))).isEqualTo(state);
        });
        return job[0];
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** The path of a program; empty where it is not installed, which the log says. */
    private static String installed(String program) {
        String path = ChildProcess.installed(program).map(Path::toString).orElse("");
        if (path.isEmpty()) {
            LoggerFactory.getLogger(WorkersElsewhereTest.class).error("NOT TESTED: the workers of docs/workers.md that"
                    + " need {}, which is not on the PATH", program);
        }
        return path;
    }

    /** Writes a program of the page to a file. */
    private String block(String language, String name, String ending) throws IOException {
        String page = Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "workers.md"));
        var found = Pattern.compile("(?s)```" + language + " " + name + "\n(.*?)```").matcher(page);
        assertThat(found.find()).as("%s %s", language, name).isTrue();
        return Files.writeString(folder.resolve(name + "." + ending), found.group(1)).toString();
    }
}
