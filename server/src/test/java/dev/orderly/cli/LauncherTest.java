package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./orderly} of this checkout. Its classes are built when this test runs, so it has nothing to build. */
class LauncherTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..")
            .normalize();
    private static final Path STAMP = ROOT.resolve("server/target/orderly.built");

    @TempDir
    private Path folder = Path.of("");
    private @Nullable FileTime before;

    /** The result of a run. */
    private record Run(int exitCode, String out, String err) {}

    @BeforeEach
    void nothingIsOlderThanItsSources() throws Exception {
        before = Files.exists(STAMP) ? Files.getLastModifiedTime(STAMP) : null;
        if (before == null) {
            Files.createFile(STAMP);
        }
        Files.setLastModifiedTime(STAMP, FileTime.from(Time.system().now()));
    }

    /** Restores the time stamps, so that the next start by hand is not affected. */
    @AfterEach
    void restore() throws Exception {
        if (before == null) {
            Files.delete(STAMP);
        } else {
            Files.setLastModifiedTime(STAMP, before);
        }
    }

    @Test
    void theLauncherRunsFromAnyFolderThroughALinkWithSpacesAndBuildsNothing() throws Exception {
        Path spaced = Files.createDirectory(folder.resolve("with a space"));
        Path link = Files.createSymbolicLink(spaced.resolve("my orderly"), ROOT.resolve("orderly"));

        Run run = run(link.toString(), spaced, "--version");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).startsWith("orderly ");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void relativePathsAreRelativeToTheCallerAndExitCodesComeThrough() throws Exception {
        Files.writeString(folder.resolve("my config.yaml"), "store: sqlite:x.db\nlog: xml\n");

        Run run = run(ROOT.resolve("orderly").toString(), folder, "config", "check", "my config.yaml");

        assertThat(run.exitCode()).isEqualTo(Main.WRONG);
        assertThat(run.err()).contains("my config.yaml", "text or json").doesNotContain("building");
    }

    @Test
    void withoutANewEnoughJdkTheLauncherNamesTheRemedy() throws Exception {
        Path script = folder.resolve("orderly");
        String text = Files.readString(ROOT.resolve("orderly"));
        Files.writeString(script, text.replace("need=25", "need=999"));

        Run run = run("bash", folder, script.toString(), "--version");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("no JDK 999 or newer", "JAVA_HOME");
    }

    private static Run run(String program, Path folder, String... arguments) throws Exception {
        List<String> command = Stream.concat(Stream.of(program), Stream.of(arguments)).toList();
        ChildProcess.Ended ended = ChildProcess.run(command,
                builder -> builder.directory(folder.toFile()).redirectError(folder.resolve("err").toFile()));
        return new Run(ended.exitCode(), ended.out(), Files.readString(folder.resolve("err")));
    }
}
