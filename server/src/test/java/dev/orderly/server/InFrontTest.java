package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.config.Config;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The settings of {@code docs/in-front.md}, with a real nginx where one is installed. */
class InFrontTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String CERTIFICATE = "(?m)^ +ssl_certificate.*\n";

    @TempDir
    private Path folder = Path.of("");
    private final int edge = FreePort.find();
    private final int front = FreePort.find();

    @Test
    void behindNginxEachVisitorHasAnAddressOfTheirOwnAndEventsArriveAtOnce() throws Exception {
        if (nginx().isEmpty()) {
            LoggerFactory.getLogger(InFrontTest.class).error("NOT TESTED BEHIND NGINX: no nginx on the PATH");
            return;
        }
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Saw-Client", exchange.getRequestHeaders().getFirst("X-Forwarded-For"));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        site.start();
        try (OrderlyServer _ = OrderlyServer.start(config(site.getAddress().getPort()), Map.of());
                ChildProcess _ = start();
                HttpClient http = HttpClient.newHttpClient()) {
            Awaitility.await().atMost(SOON).ignoreExceptions().until(() -> get(http, "/", "a").statusCode() == 200);

            assertThat(get(http, "/", "203.0.113.7").headers().firstValue("Saw-Client").orElse(""))
                    .startsWith("203.0.113.7");
            assertThat(get(http, "/tickets/", "203.0.113.7").statusCode()).isEqualTo(200);
            assertThat(get(http, "/tickets/", "203.0.113.7").statusCode()).isEqualTo(429);
            var second = get(http, "/tickets/", "203.0.113.8");
            assertThat(second.statusCode()).isEqualTo(503);
            String ticket = second.headers().firstValue("Set-Cookie").orElse("").replaceFirst(";.*", "");
            assertThat(ticket).startsWith("__Host-orderly_t_sale=");
            try (Stream<String> lines = http.send(at("/.orderly/rooms/sale/events", "203.0.113.8")
                    .header("Cookie", ticket).build(), BodyHandlers.ofLines()).body()) {
                assertThat(lines.filter(line -> line.startsWith("data:")).findFirst()).get().asString()
                        .contains("\"state\":\"waiting\"");
            }
        } finally {
            site.stop(0);
        }
    }

    private java.net.http.HttpResponse<Void> get(HttpClient http, String path, String client) throws Exception {
        return http.send(at(path, client).build(), BodyHandlers.discarding());
    }

    /** A request of a client whose address the nginx in front of ours has forwarded. */
    private HttpRequest.Builder at(String path, String client) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front + path)).timeout(SOON)
                .header("X-Forwarded-For", client);
    }

    private Config config(int site) throws IOException {
        String text = block("yaml").replace("8080", Integer.toString(edge)).replace("9000", Integer.toString(site))
                .replace("capacity: 200", "capacity: 1, joins-per-address: 1 per 1h") + "admin: { port: 0 }\n";
        Path file = Files.writeString(folder.resolve("orderly.yaml"), text);
        return switch (new ConfigFile(file, Map.of()).read()) {
            case ConfigResult.Valid(Config config) -> config;
            case ConfigResult.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private ChildProcess start() throws IOException {
        Path file = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off; master_process off; pid %1$s/nginx.pid; error_log stderr;
                events {}
                http {
                access_log off; client_body_temp_path %1$s/b; proxy_temp_path %1$s/p; fastcgi_temp_path %1$s/f;
                uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;
                %2$s
                }
                """.formatted(folder, block("nginx").replaceAll(CERTIFICATE, "").replace("8080", Integer.toString(edge))
                .replace("listen 443 ssl", "listen 127.0.0.1:" + front)
                .replace("X-Forwarded-Proto $scheme", "X-Forwarded-Proto https")));
        return ChildProcess.start(List.of(nginx(), "-c", file.toString()), builder -> builder
                .redirectErrorStream(true).redirectOutput(folder.resolve("nginx.log").toFile()));
    }

    /** The program; empty where none is installed. */
    private static String nginx() {
        return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .map(path -> Path.of(path, "nginx")).filter(Files::isExecutable).map(Path::toString).findFirst()
                .orElse("");
    }

    /** The first block of this language on the page. */
    private static String block(String language) throws IOException {
        String page = Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "in-front.md"));
        String rest = page.substring(page.indexOf("```" + language) + language.length() + 4);
        return rest.substring(0, rest.indexOf("```"));
    }
}
