package dev.orderly.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.config.Config;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PostgresServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Two gates behind a real nginx with the settings of {@code docs/https.md}, restarted one after the other. */
@Timeout(180)
class RollingRestartTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int CLIENTS = 6;

    @TempDir
    private Path folder = Path.of("");
    private final int front = FreePort.find();
    private final List<Integer> ports = List.of(FreePort.find(), FreePort.find());
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicInteger streams = new AtomicInteger();
    private volatile boolean stopping;

    @Test
    void noRequestFailsAndWaitingVisitorsConnectAgain() throws Exception {
        String nginx = ChildProcess.installed("nginx").map(Path::toString).orElse("");
        if (nginx.isEmpty()) {
            LoggerFactory.getLogger(RollingRestartTest.class).error("NO ROLLING RESTART TESTED: no nginx on the PATH");
            return;
        }
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        site.start();
        OrderlyServer[] gates = new OrderlyServer[2];
        try (PostgresServer postgres = PostgresServer.start("fsync=off");
                ChildProcess _ = start(nginx);
                HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Config[] configs = {config(0, postgres, site), config(1, postgres, site)};
            for (int gate = 0; gate < 2; gate++) {
                gates[gate] = OrderlyServer.start(configs[gate], Map.of());
            }
            Awaitility.await().atMost(SOON).ignoreExceptions()
                    .until(() -> send(client, "/", "").statusCode() == 200);
            String pass = cookies(send(client, "/tickets/", ""), 200);
            String ticket = cookies(send(client, "/tickets/", ""), 503);
            try {
                for (int n = 0; n < CLIENTS; n++) {
                    threads.execute(() -> ask(client, pass));
                }
                threads.execute(() -> listen(client, ticket));
                for (int gate = 0; gate < 2; gate++) {
                    awaitMore();
                    gates[gate].drain();
                    gates[gate].close();
                    awaitMore();
                    gates[gate] = OrderlyServer.start(configs[gate], Map.of());
                }
                awaitMore();
            } finally {
                stopping = true;
                for (OrderlyServer gate : gates) {
                    gate.close(); // ends the event stream
                }
            }
        } finally {
            site.stop(0);
        }
        assertThat(failures).isEmpty();
        assertThat(streams).as("event streams, the first and that after the stop of its gate").hasValueGreaterThan(1);
    }

    /** Waits for answers that came after this call. */
    private void awaitMore() {
        int before = served.get();
        int open = streams.get();
        Awaitility.await().atMost(SOON).until(() -> served.get() > before + 50 && streams.get() >= Math.max(1, open));
    }

    private void ask(HttpClient client, String pass) {
        while (!stopping) {
            try {
                int status = send(client, "/tickets/", pass).statusCode();
                if (status == 200) {
                    served.incrementAndGet();
                } else if (!stopping) {
                    failures.add("status " + status);
                }
            } catch (IOException | InterruptedException e) {
                if (!stopping) {
                    failures.add(e.toString());
                }
            }
        }
    }

    /** As an EventSource: connects again whenever a stream ends. */
    private void listen(HttpClient client, String ticket) {
        while (!stopping) {
            try {
                HttpResponse<Stream<String>> answer = client.send(request("/.orderly/rooms/sale/events", ticket),
                        BodyHandlers.ofLines());
                if (answer.statusCode() != 200 && !stopping) {
                    failures.add("event stream: status " + answer.statusCode());
                }
                try (Stream<String> lines = answer.body()) {
                    streams.incrementAndGet();
                    lines.forEach(_ -> {});
                }
            } catch (IOException | InterruptedException | RuntimeException e) {
                if (!stopping) {
                    failures.add("event stream: " + e);
                }
            }
        }
    }

    private static String cookies(HttpResponse<Void> answer, int status) {
        assertThat(answer.statusCode()).isEqualTo(status);
        return String.join("; ", answer.headers().allValues("Set-Cookie").stream()
                .map(cookie -> cookie.replaceFirst(";.*", "")).toList());
    }

    private HttpResponse<Void> send(HttpClient client, String path, String cookie)
            throws IOException, InterruptedException {
        return client.send(request(path, cookie), BodyHandlers.discarding());
    }

    private HttpRequest request(String path, String cookie) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front + path))
                .timeout(SOON);
        return (cookie.isEmpty() ? request : request.header("Cookie", cookie)).build();
    }

    private Config config(int gate, PostgresServer postgres, HttpServer site) throws IOException {
        Path file = Files.writeString(folder.resolve("gate" + gate + ".yaml"),
                """
                        store: "%s"
                        secret-file: secret
                        edge: { host: 127.0.0.1, port: %d, origin: "http://127.0.0.1:%d", trusted-proxies: [127.0.0.1], drain: 1s }
                        admin: { port: 0 }
                        rooms: { sale: { match: ["/tickets/**"], capacity: 1 } }
                        """
                        .formatted(postgres.address(), ports.get(gate),
                                site.getAddress().getPort()));
        return ServerInTest.config(file);
    }

    private ChildProcess start(String nginx) throws IOException {
        String block = block().replace("10.0.0.11:8080", "127.0.0.1:" + ports.get(0))
                .replace("10.0.0.12:8080", "127.0.0.1:" + ports.get(1))
                .replaceAll("(?m)^ +ssl_certificate.*\n", "")
                .replace("listen 443 ssl", "listen 127.0.0.1:" + front)
                .replace("X-Forwarded-Proto $scheme", "X-Forwarded-Proto https");
        Path file = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off; master_process off; pid %1$s/nginx.pid; error_log stderr;
                events {}
                http {
                access_log off; client_body_temp_path %1$s/b; proxy_temp_path %1$s/p;
                fastcgi_temp_path %1$s/f; uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;
                %2$s
                }
                """.formatted(folder, block));
        return ChildProcess.start(List.of(nginx, "-c", file.toString()), builder -> builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("nginx.log").toFile()));
    }

    /** The settings for several gates. */
    private static String block() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "https.md"));
        String rest = page.substring(page.indexOf("## Several gates"));
        rest = rest.substring(rest.indexOf("```nginx") + 9);
        return rest.substring(0, rest.indexOf("```"));
    }
}
