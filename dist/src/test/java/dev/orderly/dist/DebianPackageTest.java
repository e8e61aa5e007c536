package dev.orderly.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The .deb, unpacked into a root of its own. */
@Timeout(180)
class DebianPackageTest {
    private static final Path DEB = Packages.file("orderly_VERSION-1_amd64.deb");

    @TempDir
    private Path root = Path.of("");

    @BeforeEach
    void unpack() {
        Packages.run(root, "dpkg-deb", "--extract", DEB.toString(), root.toString());
    }

    private static boolean misses(String program) {
        boolean missing = ChildProcess.installed(program).isEmpty();
        if (missing) {
            System.err.println("NOT TESTED, since " + program + " is not installed: the Debian package by it");
        }
        return missing;
    }

    @Test
    void itsConfigurationIsValidAndAServerStartsWithIt() throws Exception {
        Path data = Files.createDirectories(root.resolve("var/lib/orderly"));
        String program = root.resolve("usr/bin/orderly").toString();
        HttpServer site = Packages.site();
        String command = "export ORDERLY_STORE=sqlite:" + data + "/orderly.db ORDERLY_SECRET_FILE=" + data + "/secret"
                + " ORDERLY_EDGE_PORT=0 ORDERLY_ADMIN_PORT=0 ORDERLY_EDGE_ORIGIN=http://127.0.0.1:"
                + site.getAddress().getPort() + "; exec " + service("ExecStart").replace("/usr/bin/orderly", program)
                        .replace("/etc/", root + "/etc/");

        Packages.run(root, program, "config", "check", root.resolve("etc/orderly/orderly.yaml").toString());
        try (ChildProcess server = ChildProcess.start(List.of("bash", "-c", command),
                builder -> builder.directory(data.toFile()).redirectError(root.resolve("log").toFile()));
                HttpClient client = HttpClient.newHttpClient();
                BufferedReader out = server.out()) {
            URI edge = URI.create(String.valueOf(out.readLine()).replaceFirst("edge *", ""));
            assertThat(Packages.get(client, edge).body()).isEqualTo("the site");
        } finally {
            site.stop(0);
        }
    }

    @Test
    void aPackageBetweenReleasesIsOlderThanItsRelease() {
        String version = Packages.run(root, "dpkg-deb", "--field", DEB.toString(), "Version").strip();
        String released = Packages.VERSION.replace("-SNAPSHOT", "") + "-1";
        String order = version.equals(released) ? "eq" : "lt";
        Packages.run(root, "dpkg", "--compare-versions", version, order, released);
        assertThat(version).isEqualTo(Packages.VERSION.replace('-', '~') + "-1");
    }

    @Test
    void thePackageHasNoErrorsOfPolicy() {
        if (!misses("lintian")) {
            // Reads every class of the package.
            ChildProcess.Ended ended = ChildProcess.run(
                    List.of("lintian", "--allow-root", "--fail-on", "error", DEB.toString()), Duration.ofMinutes(10),
                    builder -> builder.redirectErrorStream(true));
            assertThat(ended.out()).as("errors of lintian").doesNotContain("E: ");
            assertThat(ended.exitCode()).as(ended.out()).isZero();
        }
    }

    @Test
    void theUnitIsValidAndConfinesTheService() {
        if (!misses("systemd-analyze")) {
            Path unit = root.resolve("usr/lib/systemd/system/orderly.service");
            String exposure = Packages.run(root, "systemd-analyze", "security", "--offline=true", "--threshold=30",
                    unit.toString());
            assertThat(exposure).contains("Overall exposure level");
            System.err.println(exposure.lines().filter(line -> line.contains("Overall")).findFirst().orElse(""));
        }
    }

    @Test
    void theServiceRunsAsItsOwnUserWithItsConfigurationKeptOverUpgrades() throws Exception {
        assertThat(service("User")).isEqualTo("orderly");
        assertThat(Packages.run(root, "dpkg-deb", "--info", DEB.toString(), "conffiles"))
                .contains("/etc/orderly/orderly.yaml", "/etc/default/orderly");
        for (String script : List.of("postinst", "prerm", "postrm")) {
            Path file = Files.writeString(root.resolve(script),
                    Packages.run(root, "dpkg-deb", "--info", DEB.toString(), script));
            Packages.run(root, "sh", "-n", file.toString());
        }
    }

    private String service(String key) throws Exception {
        return Pattern.compile("^" + key + "=(.*)$", Pattern.MULTILINE)
                .matcher(Files.readString(root.resolve("usr/lib/systemd/system/orderly.service"))).results()
                .map(found -> found.group(1)).findFirst().orElseThrow();
    }
}
