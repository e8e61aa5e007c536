package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.flow.Batcher;
import dev.orderly.flow.Loop;
import dev.orderly.time.Time;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that cannot continue ends, names the cause, and has an exit code of its own. */
class ProcessExitTest {
    /** A program that runs out of memory, in a process of its own. */
    static final class Hungry {
        private Hungry() {}

        public static void main(String[] arguments) {
            ProcessExit.onFatalErrors();
            switch (arguments[0]) {
                case "loop" -> new Loop("claim", Time.system(), () -> Duration.ofNanos(eatAll())).start();
                case "batcher" -> {
                    var _ = new Batcher<Integer, Integer>("push", new Batcher.Bounds<>(1, 1, _ -> 1),
                            batch -> List.of(eatAll())).submit(1);
                }
                default -> Thread.ofPlatform().start(Hungry::eatAll);
            }
            Time time = Time.system();
            long end = time.deadline(Duration.ofMinutes(1));
            while (!time.reached(end)) {
                time.park(end);
            }
        }

        private static int eatAll() {
            List<byte[]> eaten = new ArrayList<>();
            while (eaten.size() < Integer.MAX_VALUE) {
                eaten.add(new byte[1 << 16]);
            }
            return eaten.size();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "batcher", "thread"})
    void aProcessWithoutMemoryNamesTheCauseAndEndsWithItsExitCode(String where) throws Exception {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Hungry.class.getName(), where)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        try {
            String output = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(ProcessExit.CANNOT_GO_ON);
            assertThat(output).contains("the process cannot continue and ends with exit code 3");
        } finally {
            process.destroyForcibly();
        }
    }
}
