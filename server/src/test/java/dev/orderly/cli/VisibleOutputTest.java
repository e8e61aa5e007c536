package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerInTest;
import dev.orderly.testkit.contract.input.HostileTexts;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Every command that prints data, against a server whose every text is hostile: between both a proxy adds hostile
 * characters to each text of each answer.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VisibleOutputTest {
    private static final String HOSTILE = HostileTexts.all();
    private static final String ESCAPE = "\\u001b[2J";
    /** Texts that commands read as moments and times, not only print. */
    private static final String READ = "\\d{4}-\\d\\d-\\d\\dT.*Z|P[0-9T].*";
    private static final String VISITOR = "AAAAAAAAAAAAAAAAAAAAAA";

    /**
     * The arguments of every command that prints data; {@code JOB} is a new job, {@code N} a number, {@code FOLDER} a
     * folder, {@code NODE} the node, {@code DEAD} a dead letter. A new command needs its line.
     */
    private static final Map<String, List<String>> ARGUMENTS = new TreeMap<>();

    /** Commands whose own words hold no text of a server, but their arguments and numbers. */
    private static final Set<String> OWN_WORDS = Set.of("queue pause", "queue resume", "queue redrive", "room admit",
            "room revoke", "room invite", "room invitations", "schedule pause", "token revoke", "node drain",
            "node resume", "job cancel", "job run-now", "job event",
            "bulk cancel", "bulk redrive", "queue set", "store backup", "config reload", "schedule resume",
            "room epoch", "room front", "room places", // nobody waits
            "room limit", "room openings", "room open-at", "room cancel-opening", "room draw-value", "schedule set",
            "limit set",
            "limit reset", "batch open");

    static {
        for (String alone : List.of("status", "about", "queue list", "room list", "schedule list", "node list",
                "limit list", "batch list",
                "token list", "audit", "bulk list", "job list", "config reload", "config show")) {
            ARGUMENTS.put(alone, List.of());
        }
        ARGUMENTS.put("top", List.of("--once"));
        ARGUMENTS.put("dashboard", List.of("--print"));
        for (String ofJob : List.of("job show", "job attempts", "job steps", "job events", "job push-again",
                "why job")) {
            ARGUMENTS.put(ofJob, List.of("DEAD"));
        }
        ARGUMENTS.put("job cancel", List.of("JOB"));
        ARGUMENTS.put("job run-now", List.of("JOB"));
        ARGUMENTS.put("job event", List.of("JOB", "approval"));
        ARGUMENTS.put("job redrive", List.of("JOB"));
        ARGUMENTS.put("why batch", List.of("import"));
        ARGUMENTS.put("why visitor", List.of(VISITOR, "--room", "sale"));
        ARGUMENTS.put("queue push", List.of("emails", "{}"));
        ARGUMENTS.put("queue pause", List.of("emails"));
        ARGUMENTS.put("queue resume", List.of("emails"));
        ARGUMENTS.put("queue dead", List.of("pulled.fifo"));
        ARGUMENTS.put("queue keys", List.of("keyed"));
        ARGUMENTS.put("queue groups", List.of("pulled.fifo"));
        ARGUMENTS.put("queue redrive", List.of("emails", "--all"));
        ARGUMENTS.put("queue forget", List.of("emails"));
        ARGUMENTS.put("schedule forget", List.of("digest"));
        ARGUMENTS.put("queue set", List.of("emails", "--concurrency", "3"));
        ARGUMENTS.put("bulk redrive", List.of("--queue", "emails", "--dry-run"));
        ARGUMENTS.put("bulk cancel", List.of("--queue", "emails", "--text", "nothing"));
        ARGUMENTS.put("bulk stop", List.of("3f1f2c1e-0000-4000-8000-000000000000"));
        for (String ofRoom : List.of("show", "hold", "open", "auto", "drain", "reject", "shadow", "message")) {
            ARGUMENTS.put("room " + ofRoom, ofRoom.equals("message") ? List.of("sale", "Soon") : List.of("sale"));
        }
        ARGUMENTS.put("room front", List.of("sale"));
        ARGUMENTS.put("room places", List.of("sale"));
        ARGUMENTS.put("room report", List.of("sale"));
        ARGUMENTS.put("room admit", List.of("sale", "1"));
        ARGUMENTS.put("room limit", List.of("sale", "--capacity", "4"));
        ARGUMENTS.put("room openings", List.of("sale"));
        ARGUMENTS.put("room open-at", List.of("sale", "2299-03-01T10:30 Europe/Berlin"));
        ARGUMENTS.put("room cancel-opening", List.of("sale", "--yes"));
        ARGUMENTS.put("room draw-value", List.of("sale", "17"));
        ARGUMENTS.put("room epoch", List.of("sale", "--yes"));
        ARGUMENTS.put("room revoke", List.of("sale", VISITOR));
        ARGUMENTS.put("room invite", List.of("sale", "--tier", "press", "--expires", "1h"));
        ARGUMENTS.put("room invitations", List.of("sale", "0123456789ab", "--revoke"));
        for (String ofSchedule : List.of("show", "run", "pause", "resume")) {
            ARGUMENTS.put("schedule " + ofSchedule, List.of("digest"));
        }
        ARGUMENTS.put("schedule set", List.of("made", "--cron", "0 8 * * *", "--queue", "emails"));
        for (String ofLimit : List.of("show", "reset")) {
            ARGUMENTS.put("limit " + ofLimit, List.of("queue:emails"));
        }
        ARGUMENTS.put("limit set", List.of("queue:emails", "--concurrency", "4"));
        for (String ofBatch : List.of("show", "close", "cancel")) {
            ARGUMENTS.put("batch " + ofBatch, List.of("import"));
        }
        ARGUMENTS.put("batch open", List.of("import-N", "--queue", "emails"));
        ARGUMENTS.put("node drain", List.of("NODE"));
        ARGUMENTS.put("node resume", List.of("NODE"));
        ARGUMENTS.put("token create", List.of("ops-N", "--role", "viewer"));
        ARGUMENTS.put("token revoke", List.of("ops-N"));
        ARGUMENTS.put("store backup", List.of("FOLDER/backup-N.db"));
        ARGUMENTS.put("store copy", List.of("FOLDER/hostile.yaml", "sqlite:/elsewhere"));
        ARGUMENTS.put("config check", List.of("FOLDER/hostile.yaml"));
        ARGUMENTS.put("alerts test", List.of("FOLDER/hostile.yaml"));
        ARGUMENTS.put("rehearse", List.of("--visitors", "9", "--over", "1m", "--stay", "1m", "--config",
                "FOLDER/hostile.yaml"));
        ARGUMENTS.put("verify-cluster", List.of("--out", "FOLDER/trial")); // without its queues, which ends it
    }

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private Path folder = Path.of("");
    private OrderlyServer server;
    private HttpServer proxy;
    private String dead = "";
    private int number;

    @BeforeAll
    void start(@TempDir Path given) throws Exception {
        folder = given;
        Files.writeString(folder.resolve("hostile.yaml"), "log: \"\\u001b[2J\\u202ea\\nERROR b\\u200b\"\n");
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1, warm-up: 0s, origin: "http://127.0.0.1:9" }
                admin: { port: 0 }
                queues:
                  emails: { limit: { concurrency: 5 } }
                  keyed: { key: "payload:/of" }
                  pulled.fifo: { handler: pull }
                rooms:
                  sale:
                    match: ["/tickets/**"]
                    capacity: 5
                    tiers: [{ name: press, invitations: true, share: 5% }]
                    openings:
                      - { opens: "2199-03-01T10:00 UTC", closes: "2199-03-02T10:00 UTC" }
                      - { opens: "2299-03-01T10:00 UTC" }
                    between: open
                schedules: { digest: { cron: daily at 07:30, queue: emails } }
                stop-grace: 1s
                """);
        server = ServerInTest.start(file);
        proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.setExecutor(threads);
        proxy.createContext("/", this::forward);
        proxy.start();
        call("POST", "/queues/keyed/jobs", "{\"of\":\"ann\"}");
        call("POST", "/batches", "{\"batch\": \"import\", \"queue\": \"emails\"}");
        dead = call("POST", "/queues/pulled.fifo/jobs?group=ann&user=ann", "{}").path("id").asString();
        JsonNode claimed = call("POST", "/queues/pulled.fifo/claims", "{}").path("jobs").path(0);
        send(request("/jobs/" + dead + "/steps/charge").header("Orderly-Attempt-Token",
                claimed.path("token").asString()).header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"number\": \"c-1\"}")));
        call("POST", "/jobs/" + dead + "/events/approval", "{\"ok\": true}");
        send(request("/jobs/" + dead + "/failed?final=true").header("Orderly-Attempt-Token",
                claimed.path("token").asString()).POST(BodyPublishers.ofString("It broke")));
    }

    @AfterAll
    void stop() {
        proxy.stop(0);
        server.close();
        threads.shutdownNow();
        client.close();
    }

    private HttpRequest.Builder request(String path) {
        return OwnUser.of(server, HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + "/api/v1"
                + path)));
    }

    private JsonNode call(String method, String path, String body) throws Exception {
        return JsonMapper.shared().readTree(send(request(path).header("Content-Type", "application/json").method(method,
                body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))));
    }

    private String send(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return answer.body();
    }

    /** Passes a request on, and its answer back with hostile texts. */
    private void forward(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort()
                + exchange.getRequestURI().toASCIIString())).method(exchange.getRequestMethod(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        for (String name : List.of("Authorization", "Content-Type", "Accept")) {
            exchange.getRequestHeaders().getOrDefault(name, List.of()).forEach(value -> request.header(name, value));
        }
        try (exchange) {
            HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
            JsonNode json = answer.body().isEmpty()
                    ? JsonMapper.shared().createObjectNode()
                    : JsonMapper.shared().readTree(answer.body());
            byte[] hostile = JsonMapper.shared().writeValueAsBytes(hostile(json));
            exchange.sendResponseHeaders(answer.statusCode(), hostile.length);
            exchange.getResponseBody().write(hostile);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private JsonNode hostile(JsonNode json) {
        if (json.isString()) {
            String text = json.stringValue();
            return text.matches(READ) || text.startsWith(folder.toString()) ? json : StringNode.valueOf(text + HOSTILE);
        }
        if (json.isArray()) {
            ArrayNode all = JsonMapper.shared().createArrayNode();
            json.forEach(each -> all.add(hostile(each)));
            return all;
        }
        if (json.isObject()) {
            ObjectNode all = JsonMapper.shared().createObjectNode();
            json.properties().forEach(each -> all.set(each.getKey(), hostile(each.getValue())));
            return all;
        }
        return json;
    }

    private String given(String argument) throws Exception {
        return argument.equals("JOB")
                ? call("POST", "/queues/emails/jobs?delay=1h", "{}").path("id").asString()
                : argument.equals("NODE")
                        ? call("GET", "/nodes", "").path("nodes").path(0).path("node").asString()
                        : argument.equals("DEAD")
                                ? dead
                                : argument.replace("-N", "-" + number).replace("FOLDER", folder.toString());
    }

    private record Printed(int exit, String out, String err) {
        /** The outputs are whole lines of visible text. */
        void check(String words) {
            for (String text : List.of(out, err)) {
                assertThat(HostileTexts.isHostile(text.replace("\n", "").replace("\t", ""))).as(words + ": " + text)
                        .isFalse();
                assertThat(text).as(words).doesNotContain("\nERROR b");
            }
        }
    }

    private Printed run(String words, List<String> arguments) throws Exception {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> line = new ArrayList<>(List.of(words.split(" ")));
        for (String argument : arguments) {
            line.add(given(argument));
        }
        String url = "http://127.0.0.1:" + proxy.getAddress().getPort();
        int exit = Main.run(TestTerminal.of(out, err,
                TestTerminal.environment(url, folder.resolve("orderly.yaml"))), line.toArray(String[]::new));
        return new Printed(exit, out.toString(), err.toString());
    }

    /** The commands that print data: those that print it as JSON too. */
    private static Set<String> commands() {
        Set<String> all = new TreeSet<>();
        collect("", Main.commands(new Main(), TestTerminal.of(new StringWriter(), new StringWriter(), Map.of())), all);
        return all;
    }

    private static void collect(String path, CommandLine command, Set<String> into) {
        command.getSubcommands().forEach((name, sub) -> {
            String words = (path + " " + name).strip();
            if (sub.getSubcommands().isEmpty() && sub.getCommandSpec().findOption("--json") != null) {
                into.add(words);
            }
            collect(words, sub, into);
        });
    }

    @Test
    void noCommandPrintsACharacterThatAPersonDoesNotSee() throws Exception {
        assertThat(ARGUMENTS.keySet()).as("a line of arguments for each command that prints data")
                .isEqualTo(commands());
        Set<String> silent = new HashSet<>();
        for (Map.Entry<String, List<String>> each : ARGUMENTS.entrySet()) {
            String words = each.getKey();
            number++;
            if (words.equals("token revoke")) {
                call("POST", "/tokens", "{\"name\":\"ops-" + number + "\",\"role\":\"viewer\"}");
            }
            Printed readable = run(words, each.getValue());
            readable.check(words);
            if (!(readable.out + readable.err).contains(ESCAPE)) {
                silent.add(words);
            }
        }
        assertThat(OWN_WORDS).as("commands that print no text of the server").containsAll(silent);
    }

    @Test
    void theJsonOfEveryCommandIsTheDocumentOfTheServer() throws Exception {
        for (Map.Entry<String, List<String>> each : ARGUMENTS.entrySet()) {
            number++;
            Printed printed = run(each.getKey(),
                    Stream.concat(each.getValue().stream(), Stream.of("--json")).toList());
            printed.check(each.getKey());
            if (printed.exit == Main.OK) {
                JsonNode json = JsonMapper.shared().readTree(printed.out);
                assertThat(json.isObject()).as(printed.out).isTrue();
                if (printed.out.contains(ESCAPE)) {
                    assertThat(texts(json)).as(each.getKey()).anyMatch(text -> text.contains(HOSTILE));
                }
            }
        }
    }

    private static Stream<String> texts(JsonNode json) {
        return json.isString() ? Stream.of(json.stringValue()) : json.valueStream().flatMap(VisibleOutputTest::texts);
    }

    @Test
    void theErrorsOfWrongUsageAreVisible() throws Exception {
        for (String words : commands()) {
            run(words, List.of("--no" + HOSTILE)).check(words);
        }
    }
}
