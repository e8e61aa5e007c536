package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code orderly queue redrive} against a server with 2,345 dead letters, to which each redrive adds a new one. */
class RedriveTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<Integer> parts = new CopyOnWriteArrayList<>();
    private final HttpServer server;
    private int dead = 2_345;
    private int failAt = Integer.MAX_VALUE;

    RedriveTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    }

    @BeforeEach
    void start() {
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange call) throws IOException {
        int status = 200;
        String body = "{\"queue\":\"emails\",\"jobs\":{\"dead\":" + dead + "}}";
        if (call.getRequestMethod().equals("POST")) {
            int asked = Integer.parseInt(call.getRequestURI().getQuery().replaceAll(".*limit=([0-9]+).*", "$1"));
            parts.add(asked);
            int redriven = Math.min(asked, dead);
            if (parts.size() == failAt) {
                status = 503;
                body = "{\"detail\":\"the store is away\"}";
            } else {
                dead -= redriven - 1;
                body = "{\"queue\":\"emails\",\"redriven\":" + redriven + "}";
            }
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        call.sendResponseHeaders(status, bytes.length);
        call.getResponseBody().write(bytes);
        call.close();
    }

    @Test
    void theDeadLettersOfNowAreRedrivenInPartsAndLaterOnesAreLeft() {
        assertThat(redrive("--all")).isZero();
        assertThat(parts).containsExactly(1_000, 1_000, 345);
        assertThat(out.toString()).isEqualTo("2345 jobs of queue emails wait again.\n");
    }

    @Test
    void aLimitBoundsThemAll() {
        assertThat(redrive("--all", "--limit", "1200")).isZero();
        assertThat(parts).containsExactly(1_000, 200);
        assertThat(redrive("--all", "--limit", "0")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("--limit is 0: use 1 or more");
    }

    @Test
    void aFailureSaysHowManyWereRedrivenBefore() {
        failAt = 2;
        assertThat(redrive("--all")).isEqualTo(Main.FAILED);
        assertThat(err.toString())
                .contains("1000 of 2345 dead letters were redriven, then: the store is away");
    }

    @Test
    void noNameOfADeadLetterIsNotAllOfThem() {
        assertThat(redrive()).isEqualTo(Main.WRONG);
        assertThat(redrive("--limit", "10")).isEqualTo(Main.WRONG);
        assertThat(redrive("--all", "id-1")).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("use either ids, --error or --all");
        assertThat(parts).isEmpty();
    }

    @Test
    void namedJobsAreOneRequest() {
        assertThat(redrive("id-1", "id-2")).isZero();
        assertThat(parts).containsExactly(2);
    }

    private int redrive(String... more) {
        String[] arguments = new String[more.length + 3];
        arguments[0] = "queue";
        arguments[1] = "redrive";
        arguments[2] = "emails";
        System.arraycopy(more, 0, arguments, 3, more.length);
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        return Main.run(TestTerminal.of(out, err, Map.of("ORDERLY_URL", url)), arguments);
    }
}
