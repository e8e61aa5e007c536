package dev.orderly.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.testkit.server.RedisNode;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The cut Java runtime of the packages: all stores, TLS, the cache of classes, in the archive and in the image. */
@Timeout(300)
class RuntimeTest {
    @TempDir
    private Path folder = Path.of("");
    private Path home = Path.of("");

    @BeforeEach
    void unpack() {
        Packages.run(folder, "tar", "xzf", Packages.file("orderly-VERSION.tar.gz").toString());
        home = folder.resolve("orderly-" + Packages.VERSION);
    }

    @Test
    void theJvmTakesTheCacheOfClassesFromAnyFolder() throws Exception {
        Path moved = Files.move(home, folder.resolve("moved to another folder"));

        ChildProcess.Ended ended = ChildProcess.run(List.of(moved.resolve("runtime/bin/java").toString(),
                "-XX:AOTMode=on", "-XX:AOTCache=" + moved.resolve("lib/orderly.aot"), "-Xlog:class+load",
                "--enable-native-access=ALL-UNNAMED", "-cp", moved.resolve("lib/orderly.jar").toString(),
                "dev.orderly.cli.Main", "--version"));

        assertThat(ended.exitCode()).as(ended.out()).isZero();
        assertThat(ended.out().lines().filter(line -> line.contains("dev.orderly.cli.")
                && line.contains("shared objects file")).count())
                .as("classes of the command line from the cache; dist/train makes its list anew").isPositive();
    }

    @Test
    void anOldCacheIsIgnoredWithoutAWord() throws Exception {
        Path cache = Files.writeString(home.resolve("lib/orderly.aot"), "of another version");

        assertThat(Files.size(cache)).isLessThan(100);
        assertThat(Packages.run(folder, home.resolve("bin/orderly").toString(), "--version"))
                .startsWith("orderly " + Packages.VERSION + "\n").doesNotContain("warning", "error");
    }

    @Test
    void tlsPostgresqlAndRedisWorkOnTheCutRuntime() throws Exception {
        TestAuthority authority = new TestAuthority(Time.system().now());
        List<Path> files = authority.issue("127.0.0.1", "localhost").write(folder, "localhost");
        HttpServer site = Packages.site();
        try (PostgresServer postgres = PostgresServer.start("fsync=off");
                RedisNode redis = RedisNode.start();
                HttpClient client = HttpClient.newBuilder().sslContext(authority.clientContext()).build()) {
            Path config = Files.writeString(folder.resolve("all.yaml"), """
                    store: { jobs: "%s", rooms: "%s" }
                    secret-file: secret
                    edge: { port: 0, origin: "http://127.0.0.1:%d", tls: { certificate: "%s", key: "%s" } }
                    admin: { port: 0 }
                    queues: { mails: {} }
                    rooms: { site: { match: ["/**"], capacity: 10 } }
                    """.formatted(postgres.address(), redis.url(), site.getAddress().getPort(), files.getFirst(),
                    files.getLast()));
            try (ChildProcess server = started(List.of(home.resolve("bin/orderly").toString(), "serve", "--config",
                    config.toString())); BufferedReader out = server.out()) {
                URI edge = address(out);
                URI api = address(out);

                assertThat(Packages.get(client, edge.resolve("/")).body()).isEqualTo("the site");
                String[] access = Files.readString(folder.resolve("local-access")).strip().split(": ", 2);
                HttpRequest push = HttpRequest.newBuilder(api.resolve("/api/v1/queues/mails/jobs"))
                        .header(access[0], access[1]).POST(BodyPublishers.ofString("{}")).build();
                HttpResponse<String> pushed = client.send(push, BodyHandlers.ofString());
                assertThat(pushed.statusCode()).as(pushed.body()).isEqualTo(202);
            }
        } finally {
            site.stop(0);
        }
    }

    /** In a namespace of its own, as a container engine starts it, where the system allows that to this user. */
    @Test
    void theImageStartsWithoutAShellAndWithoutRoot() throws Exception {
        Path root = imageRoot();
        String namespace = "mkdir -p dev proc && mount --bind \"$PWD\" \"$PWD\" && cd \"$PWD\""
                + " && mount --rbind /dev dev && mount --rbind /proc proc && exec chroot . ";
        if (ChildProcess.run(List.of("unshare", "-r", "-m", "true")).exitCode() != 0) {
            System.err.println("NOT TESTED, since this user may not make namespaces: a start of the image");
            return;
        }
        HttpServer site = Packages.site();
        String options = "export ORDERLY_EDGE_PORT=0 ORDERLY_ADMIN_PORT=0 ORDERLY_EDGE_ORIGIN=http://127.0.0.1:"
                + site.getAddress().getPort() + "; ";
        try (ChildProcess server = ChildProcess.start(
                List.of("unshare", "-r", "-m", "sh", "-c", options + namespace
                        + "/opt/orderly/runtime/bin/java @/opt/orderly/lib/java.options serve --config"
                        + " /etc/orderly/orderly.yaml"),
                builder -> builder.directory(root.toFile()).redirectError(folder.resolve("log").toFile()));
                BufferedReader out = server.out();
                HttpClient client = HttpClient.newHttpClient()) {
            assertThat(Packages.get(client, address(out)).body()).isEqualTo("the site");
        } finally {
            site.stop(0);
        }
    }

    @Test
    void theImageRunsAsAUserWithoutRights() throws Exception {
        String config = config();

        assertThat(manifest().path("RepoTags").path(0).asString()).isEqualTo("orderly:" + Packages.VERSION);
        assertThat(config).contains("\"User\":\"10001:10001\"", "/opt/orderly/runtime/bin/java", "\"serve\"");
    }

    private ChildProcess started(List<String> command) {
        return ChildProcess.start(command, builder -> builder.directory(folder.toFile())
                .redirectError(folder.resolve("log").toFile()));
    }

    private URI address(BufferedReader out) throws Exception {
        String line = out.readLine();
        assertThat(line).as("no address: see %s", Files.readString(folder.resolve("log"))).isNotNull();
        return URI.create(String.valueOf(line).replaceFirst("^\\w+ +", ""));
    }

    /** The configuration of the image, whose archive is unpacked beside it. */
    private String config() throws Exception {
        Packages.run(Files.createDirectories(folder.resolve("image")), "tar", "xf",
                Packages.file("orderly-VERSION-image.tar").toString());
        return Files.readString(folder.resolve("image").resolve(manifest().path("Config").asString()));
    }

    private Path imageRoot() throws Exception {
        config();
        Path root = Files.createDirectories(folder.resolve("root"));
        for (JsonNode layer : manifest().path("Layers")) {
            Packages.run(root, "tar", "xzf", folder.resolve("image").resolve(layer.asString()).toString(),
                    "--no-same-owner");
        }
        return root;
    }

    /** The list of images in an archive of Docker, which has this image alone. */
    private JsonNode manifest() throws Exception {
        return JsonMapper.shared().readTree(Files.readString(folder.resolve("image/manifest.json"))).path(0);
    }
}
