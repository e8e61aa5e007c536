package dev.orderly.trial;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The handler of the trial's queues: takes up to 20 ms, answers 503 to one attempt in twenty, and records both ends of
 * each run.
 */
final class TrialHandler implements AutoCloseable {
    private static final int WORK_MILLIS = 20;
    private static final int FAILS_EACH = 20;
    private static final int BACKLOG = 1_000;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server;
    private final Expected expected;
    private final TrialHistory history;
    private final Runs runs;
    private final Time time;

    /** Gets the ends of runs. */
    interface Runs {
        /** @param micros moment of the end in the history */
        void ended(int number, boolean well, long micros);
    }

    /** What counts: the jobs of one trial, those of another have the number -1; and the requests that are signed. */
    record Expected(String trial, TrialSignatures signatures) {}

    TrialHandler(InetSocketAddress address, Expected expected, TrialHistory history, Runs runs, Time time)
            throws IOException {
        this.expected = expected;
        this.history = history;
        this.runs = runs;
        this.time = time;
        server = HttpServer.create(address, BACKLOG);
        server.setExecutor(threads);
        server.createContext("/", this::run);
        server.start();
    }

    private void run(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(answer(exchange), -1);
        }
    }

    /** Runs the job of a request; returns the status of its answer. */
    private int answer(HttpExchange exchange) throws IOException {
        try {
            byte[] body = exchange.getRequestBody().readAllBytes();
            int number = number(body);
            Map<String, Object> facts = facts(exchange.getRequestHeaders(), number);
            if (!expected.signatures.isSigned(exchange.getRequestHeaders(), body)) {
                history.record("unsigned", facts);
                return 401;
            }
            history.record("begin", facts);
            ThreadLocalRandom random = ThreadLocalRandom.current();
            time.park(time.deadline(Duration.ofMillis(random.nextInt(WORK_MILLIS))));
            boolean well = random.nextInt(FAILS_EACH) != 0;
            facts.put("ok", well);
            runs.ended(number, well, history.record("end", facts));
            return well ? 200 : 503;
        } catch (NumberFormatException _) {
            return 400; // not from a node: the number of the attempt is missing
        }
    }

    private static Map<String, Object> facts(Headers headers, int number) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("n", number);
        facts.put("job", String.valueOf(headers.getFirst("webhook-id")));
        facts.put("attempt", Integer.parseInt(String.valueOf(headers.getFirst("Orderly-Attempt"))));
        facts.put("group", Objects.requireNonNullElse(headers.getFirst("Orderly-Group"), ""));
        facts.put("sequence", String.valueOf(headers.getFirst("Orderly-Sequence")));
        return facts;
    }

    private int number(byte[] body) {
        try {
            JsonNode payload = JsonMapper.shared().readTree(body);
            return payload.path("trial").asString("").equals(expected.trial) ? payload.path("n").asInt(-1) : -1;
        } catch (JacksonException _) {
            return -1;
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
