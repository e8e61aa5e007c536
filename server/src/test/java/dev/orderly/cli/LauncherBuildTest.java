package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When {@code ./orderly} builds and what it says: in a checkout whose Maven and JDK are scripts that only answer. */
class LauncherBuildTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..")
            .normalize();
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2026-01-01T00:00:00Z"));

    @TempDir
    private Path folder = Path.of("");
    private Path checkout = Path.of("");
    private List<String> modules = List.of();

    /** What a start wrote to its standard error and whether it ran Maven. */
    private record Start(int exitCode, String said, boolean built) {}

    @BeforeEach
    void aCheckoutOfTheModulesThatTheServerRuns() throws Exception {
        checkout = Files.createDirectory(folder.resolve("a checkout"));
        modules = modulesOfTheServer();
        for (String module : modules) {
            old(Files.createDirectories(checkout.resolve(module).resolve("src/main")));
            old(Files.createFile(checkout.resolve(module).resolve("pom.xml")));
            Files.createDirectories(checkout.resolve(module).resolve("target/classes"));
        }
        old(Files.createFile(checkout.resolve("pom.xml")));
        Files.copy(ROOT.resolve("orderly"), checkout.resolve("orderly"));
        String classPath = String.join(File.pathSeparator, modules.stream().filter(module -> !module.equals("server"))
                .map(module -> checkout.resolve(module).resolve("target/classes").toString()).toList());
        script(checkout.resolve("mvnw"), """
                touch built
                echo '[INFO] Building Orderly store-postgres 0.1.0           [2/3]'
                printf %s '""" + classPath + "' >server/target/class-path");
        script(Files.createDirectories(folder.resolve("jdk/bin")).resolve("javac"), "");
        script(folder.resolve("jdk/bin/java"), "");
        script(folder.resolve("jdk/bin/jar"), "touch \"$3\"");
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
    }

    @Test
    void aFirstStartSaysThatItBuildsForTheFirstTimeAndHowFarItIs() throws Exception {
        Start start = start();

        assertThat(start.built()).isTrue();
        assertThat(start.said()).contains("building for the first time", "[2/3] Orderly store-postgres\n");
        assertThat(start.exitCode()).isZero();
    }

    @Test
    void aStartAfterABuildBuildsNothingAndSaysNothing() throws Exception {
        start();

        assertThat(start()).isEqualTo(new Start(0, "", false));
    }

    @Test
    void aChangeOfAnyModuleThatTheServerRunsIsBuilt() throws Exception {
        assertThat(modules).contains("core", "store-sqlite", "store-postgres", "store-redis", "http", "server");
        for (String module : modules) {
            start();
            Files.createFile(checkout.resolve(module).resolve("src/main/New.java"));

            Start start = start();

            assertThat(start.built()).as("built after a change of %s", module).isTrue();
            assertThat(start.said()).contains("the sources are newer");
        }
    }

    @Test
    void aCommandOfARunningServerUsesTheLastBuildAndSaysSo() throws Exception {
        start();
        Files.createFile(checkout.resolve("core/src/main/New.java"));

        Start command = start("--verbose", "queue", "push", "serve", "demo");

        assertThat(command.built()).isFalse();
        assertThat(command.exitCode()).isZero();
        assertThat(command.said()).contains("uses the last build").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "demo"})
    void aServerIsBuiltWhereItsSourcesAreNewer(String command) throws Exception {
        start();
        Files.createFile(checkout.resolve("core/src/main/New.java"));

        assertThat(start("--verbose", command).built()).isTrue();
    }

    @Test
    void aCommandBuildsWhereThereIsNoBuildToUse() throws Exception {
        assertThat(start("status").built()).isTrue();
    }

    @Test
    void aCommandRunsWhileABuildReplacesTheClassesAndAfterItFailed() throws Exception {
        start();
        script(checkout.resolve("mvnw"), "touch built; rm -r core/target/classes; exit 1");
        Files.createFile(checkout.resolve("core/src/main/New.java"));
        assertThat(start("serve").exitCode()).isEqualTo(1);

        Start command = start("status");

        assertThat(command.exitCode()).isZero();
        assertThat(command.built()).isFalse();
    }

    @Test
    void aClassPathThatLeadsNowhereIsBuiltAgain() throws Exception {
        start();
        Files.delete(checkout.resolve("store-redis/target/classes"));

        assertThat(start().built()).isTrue();
    }

    @Test
    void aCheckoutThatWasMovedIsBuiltAgain() throws Exception {
        start();
        checkout = Files.move(checkout, folder.resolve("moved"));

        assertThat(start().built()).isTrue();
    }

    @Test
    void aBuildThatFailsShowsItsErrorsAndIsTriedAgain() throws Exception {
        script(checkout.resolve("mvnw"), """
                touch built
                echo '[INFO] plenty of talk'
                echo '[ERROR] a semicolon is missing'
                exit 1""");

        Start start = start();

        assertThat(start.exitCode()).isEqualTo(1);
        assertThat(start.said()).contains("the build failed", "a semicolon is missing").doesNotContain("plenty");
        assertThat(start().built()).isTrue();
    }

    /** The server itself and what its class path holds of this checkout, as folders below its root. */
    private static List<String> modulesOfTheServer() {
        Pattern ours = Pattern.compile(Pattern.quote(ROOT.toString()) + "/(.+)/target/(classes|[^/]+\\.jar)");
        List<String> found = new ArrayList<>(List.of("server"));
        Pattern.compile(Pattern.quote(File.pathSeparator)).splitAsStream(System.getProperty("java.class.path"))
                .map(ours::matcher).filter(Matcher::matches).map(entry -> entry.group(1))
                .filter(module -> !found.contains(module) && !List.of("testkit", "contracts").contains(module))
                .forEach(found::add);
        return found;
    }

    /** Starts the program once. What was there before is older than anything that comes after. */
    private Start start() throws Exception {
        return start("serve");
    }

    private Start start(String... arguments) throws Exception {
        Path stamp = checkout.resolve("server/target/orderly.built");
        if (Files.exists(stamp)) {
            Files.setLastModifiedTime(stamp, FileTime.from(LONG_AGO.toInstant().plusSeconds(60)));
        }
        Files.deleteIfExists(checkout.resolve("built"));
        ChildProcess.Ended ended = ChildProcess.run(
                Stream.concat(Stream.of(checkout.resolve("orderly").toString()), Stream.of(arguments)).toList(),
                builder -> {
                    builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
                    return builder.directory(folder.toFile()).redirectError(folder.resolve("err").toFile());
                });
        boolean built = Files.exists(checkout.resolve("built"));
        ageSources();
        return new Start(ended.exitCode(), Files.readString(folder.resolve("err")), built);
    }

    private void ageSources() throws Exception {
        for (String module : modules) {
            old(checkout.resolve(module).resolve("src/main"));
            old(checkout.resolve(module).resolve("pom.xml"));
            Path source = checkout.resolve(module).resolve("src/main/New.java");
            if (Files.exists(source)) {
                old(source);
            }
        }
    }

    private static void old(Path file) throws Exception {
        Files.setLastModifiedTime(file, LONG_AGO);
    }

    private static void script(Path file, String body) throws Exception {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }
}
