package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.config.Config;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.Nginx;
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
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** The settings of {@code docs/https.md}, with each real proxy that is installed. */
class InFrontTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    /** A proxy with the block of the page that configures it. */
    enum Proxy {
        NGINX, HAPROXY, CADDY;

        String program() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The block with the ports of the test, without TLS. */
        String settings(String block, int front) {
            return switch (this) {
                case NGINX -> block.replaceAll("(?m)^ +ssl_certificate.*\n", "")
                        .replace("listen 443 ssl", "listen 127.0.0.1:" + front)
                        .replace("X-Forwarded-Proto $scheme", "X-Forwarded-Proto https");
                case HAPROXY -> block.replaceAll("bind :443.*", "bind 127.0.0.1:" + front);
                case CADDY -> "{\n admin off\n auto_https off\n}\n" + block
                        .replace("shop.example", "http://127.0.0.1:" + front)
                        .replaceAll("(reverse_proxy .*)", "$1 {\n header_up X-Forwarded-Proto https\n }");
            };
        }

        List<String> command(String program, Path folder, String settings) throws IOException {
            Path file = Files.writeString(folder.resolve("proxy.conf"), settings);
            return switch (this) {
                case NGINX -> Nginx.command(program, folder, "nginx", settings);
                case HAPROXY -> List.of(program, "-db", "-f", file.toString());
                case CADDY -> List.of(program, "run", "--adapter", "caddyfile", "--config", file.toString());
            };
        }
    }

    @TempDir
    private Path folder = Path.of("");
    private final int edge = FreePort.find();
    private final int front = FreePort.find();

    @ParameterizedTest
    @EnumSource
    void behindAProxyEachVisitorHasAnAddressOfTheirOwnAndEventsArriveAtOnce(Proxy proxy) throws Exception {
        String program = ChildProcess.installed(proxy.program()).map(Path::toString).orElse("");
        if (program.isEmpty()) {
            LoggerFactory.getLogger(InFrontTest.class).error("NOT TESTED BEHIND {}: none on the PATH", proxy);
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
                ChildProcess _ = start(proxy, program);
                HttpClient one = clientOf("127.0.0.2");
                HttpClient two = clientOf("127.0.0.3")) {
            Awaitility.await().atMost(SOON).ignoreExceptions().until(() -> get(one, "/").statusCode() == 200);

            assertThat(get(one, "/").headers().firstValue("Saw-Client").orElse("")).startsWith("127.0.0.2");
            assertThat(get(one, "/tickets/").statusCode()).isEqualTo(200);
            assertThat(get(one, "/tickets/").statusCode()).isEqualTo(429);
            var second = get(two, "/tickets/");
            assertThat(second.statusCode()).isEqualTo(503);
            String ticket = second.headers().firstValue("Set-Cookie").orElse("").replaceFirst(";.*", "");
            assertThat(ticket).startsWith("__Host-orderly_t_sale=");
            try (Stream<String> lines = two.send(at("/.orderly/rooms/sale/events")
                    .header("Cookie", ticket).build(), BodyHandlers.ofLines()).body()) {
                assertThat(lines.filter(line -> line.startsWith("data:")).findFirst()).get().asString()
                        .contains("\"state\":\"waiting\"");
            }
        } finally {
            site.stop(0);
        }
    }

    /** A client that connects from this address of the loopback network. */
    private static HttpClient clientOf(String address) throws IOException {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).localAddress(InetAddress.getByName(address))
                .build();
    }

    private HttpResponse<Void> get(HttpClient client, String path) throws Exception {
        return client.send(at(path).build(), BodyHandlers.discarding());
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front + path)).timeout(SOON);
    }

    private Config config(int site) throws IOException {
        String text = block("yaml").replace("8080", Integer.toString(edge)).replace("9000", Integer.toString(site))
                .replace("capacity: 200", "capacity: 1, joins-per-address: 1 per 1h") + "admin: { port: 0 }\n";
        Path file = Files.writeString(folder.resolve("orderly.yaml"), text);
        return ServerInTest.config(file);
    }

    private ChildProcess start(Proxy proxy, String program) throws IOException {
        String settings = proxy.settings(block(proxy.program()).replace("8080", Integer.toString(edge)), front);
        return ChildProcess.start(proxy.command(program, folder, settings), builder -> {
            builder.environment()
                    .putAll(Map.of("XDG_DATA_HOME", folder + "/data", "XDG_CONFIG_HOME", folder + "/conf"));
            return builder.redirectErrorStream(true).redirectOutput(folder.resolve("proxy.log").toFile());
        });
    }

    /** The first block of this language on the page. */
    private static String block(String language) throws IOException {
        String page = Files.readString(Path.of(System.getProperty("basedir", "."), "..", "docs", "https.md"));
        String rest = page.substring(page.indexOf("```" + language) + language.length() + 4);
        return rest.substring(0, rest.indexOf("```"));
    }
}
