package dev.orderly.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/install.md, in the folder of the packages, with free ports in place of the page's. */
@Timeout(180)
class InstallPageTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/install.md");
    private static final Duration SOON = Duration.ofMinutes(1);

    @TempDir
    private Path folder = Path.of("");

    /** The lines of the page's blocks of this name, in order. */
    private static List<String> commands(String name) throws Exception {
        Matcher blocks = Pattern.compile("<!-- run: " + name + " -->\n```sh\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE));
        List<String> lines = new ArrayList<>();
        while (blocks.find()) {
            lines.addAll(blocks.group(1).lines().toList());
        }
        assertThat(lines).as("commands of %s on the page", name).isNotEmpty();
        return lines;
    }

    @Test
    void theChecksumsAreThoseOfThePackages() throws Exception {
        for (String command : commands("checksums")) {
            assertThat(Packages.run(Packages.FOLDER, "bash", "-euc", command)).contains("tar.gz: OK", ".deb: OK",
                    ".zip: OK", "image.tar: OK").doesNotContain("FAILED");
        }
    }

    @Test
    void aReaderGetsFromTheArchiveToARoomInFrontOfASite() throws Exception {
        HttpServer site = Packages.site();
        int edge = FreePort.find();
        int admin = FreePort.find();
        Map<String, String> environment = Map.of("ORDERLY_EDGE_PORT", "" + edge, "ORDERLY_ADMIN_PORT", "" + admin,
                "ORDERLY_URL", "http://127.0.0.1:" + admin);
        Path archive = Packages.file("orderly-VERSION.tar.gz");
        Files.createSymbolicLink(folder.resolve(archive.getFileName()), archive);
        StringBuilder transcript = new StringBuilder();
        ChildProcess server = null;
        Path at = folder;
        try {
            for (String line : commands("archive")) {
                String command = line.replace("127.0.0.1:9000", "127.0.0.1:" + site.getAddress().getPort())
                        .replace("127.0.0.1:8080", "127.0.0.1:" + edge);
                if (command.startsWith("cd ")) {
                    at = at.resolve(command.substring(3));
                } else if (command.contains(" serve ")) {
                    server = started(at, command, environment);
                    awaitReady(admin);
                } else {
                    transcript.append(run(at, command, environment));
                }
            }
        } finally {
            if (server != null) {
                server.close();
            }
            site.stop(0);
        }
        assertThat(transcript).contains("HTTP/1.1 200 OK", "the site", "HTTP/1.1 503", "\"place\":", "site");
    }

    private void awaitReady(int admin) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI ready = URI.create("http://127.0.0.1:" + admin + "/health/ready");
            await().atMost(SOON).ignoreExceptions().until(() -> Packages.get(client, ready).statusCode() == 200);
        }
    }

    private ChildProcess started(Path at, String command, Map<String, String> environment) {
        return ChildProcess.start(List.of("bash", "-c", exports(environment) + "exec " + command),
                builder -> builder.directory(at.toFile()).redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile()));
    }

    private static String run(Path at, String command, Map<String, String> environment) {
        return Packages.run(at, "bash", "-euc", exports(environment) + command);
    }

    /** Set by the shell, since a child of a test inherits no variables of the configuration. */
    private static String exports(Map<String, String> environment) {
        StringBuilder all = new StringBuilder();
        environment.forEach((name, value) -> all.append("export ").append(name).append('=').append(value).append("; "));
        return all.toString();
    }
}
