package dev.orderly.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.testkit.server.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SingleFileTest {
    private static final Path FILE = Path.of(System.getProperty("basedir", ".")).toAbsolutePath()
            .resolve("../examples/single-file/FirstJobs.java").normalize();

    @TempDir
    private Path folder;

    @Test
    void theExampleOfOneFileRunsByJavaAlone() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ChildProcess.Ended ended = ChildProcess.run(List.of(java, "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                FILE.toString()), builder -> builder.directory(folder.toFile()).redirectErrorStream(true));

        assertThat(ended.exitCode()).as(ended.out()).isZero();
        assertThat(steps("A", ended)).containsExactly("reserve, attempt 1", "the bank refuses", "pay, attempt 2",
                "ship, attempt 2");
        assertThat(steps("B", ended)).containsExactly("reserve, attempt 1", "pay, attempt 1", "ship, attempt 1");
    }

    private static List<String> steps(String order, ChildProcess.Ended ended) {
        Pattern step = Pattern.compile(order + "-\\d+: (.*)");
        return ended.out().lines().map(step::matcher).filter(Matcher::matches).map(line -> line.group(1)).toList();
    }
}
