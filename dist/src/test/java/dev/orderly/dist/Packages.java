package dev.orderly.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** The folder of the packages, and what their tests share. */
final class Packages {
    static final Path FOLDER = Path.of(System.getProperty("dist.packages", "target/packages")).toAbsolutePath();
    static final String VERSION = Objects.requireNonNull(System.getProperty("dist.version"));

    private Packages() {}

    static Path file(String name) {
        return FOLDER.resolve(name.replace("VERSION", VERSION));
    }

    /** Runs a program that is expected to succeed; returns what it wrote. */
    static String run(Path folder, String... command) {
        ChildProcess.Ended ended = ChildProcess.run(List.of(command),
                builder -> builder.directory(folder.toFile()).redirectErrorStream(true));
        assertThat(ended.exitCode()).as("%s%n%s", List.of(command), ended.out()).isZero();
        return ended.out();
    }

    static HttpResponse<String> get(HttpClient client, URI uri) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
                BodyHandlers.ofString());
    }

    /** A site that answers every request with 200. */
    static HttpServer site() {
        try {
            HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            site.createContext("/", exchange -> {
                byte[] body = "the site".getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            site.start();
            return site;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
