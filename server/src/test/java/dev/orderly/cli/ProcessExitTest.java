package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.cli.process.ProcessExit;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Batcher;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
                case "loop" -> new BackgroundLoop("claim", Time.system(), () -> Duration.ofNanos(eatAll())).start();
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
    void aProcessWithoutMemoryNamesTheCauseAndEndsWithItsExitCode(String where) {
        List<String> options = Stream.concat(ChildProcess.FAST_START.stream(), Stream.of("-Xmx32m")).toList();

        ChildProcess.Ended ended = ChildProcess.run(ChildProcess.java(options, Hungry.class.getName(), where));

        assertThat(ended.exitCode()).isEqualTo(ProcessExit.CANNOT_GO_ON);
        assertThat(ended.out()).contains("the process cannot continue and ends with exit code 3");
    }
}
