package dev.orderly.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SingleFileTest {
    private static final Path FILE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath()
            .resolve("../examples/single-file/FirstJobs.java").normalize();

    @TempDir
    private Path folder;

    @Test
    void theExampleOfOneFileRunsByJavaAlone() throws IOException {
        ChildProcess.Ended ended = ChildProcess.run(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
                System.getProperty("java.class.path"), FILE.toString()),
                builder -> builder.directory(folder.toFile()).redirectErrorStream(true));

        assertThat(ended.exitCode()).as(ended.out()).isZero();
        assertThat(ended.out().lines().filter(line -> line.startsWith("A-")).map(line -> line.replaceAll("A-\\d+: ", "")))
                .containsExactly("reserve, attempt 1", "the bank refuses", "pay, attempt 2", "ship, attempt 2");
        assertThat(ended.out().lines().filter(line -> line.startsWith("B-")).map(line -> line.replaceAll("B-\\d+: ", "")))
                .containsExactly("reserve, attempt 1", "pay, attempt 1", "ship, attempt 1");
    }
}
