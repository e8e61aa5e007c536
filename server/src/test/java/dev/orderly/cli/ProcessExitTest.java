package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.cli.process.ProcessExit;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.GroupCommitter;
import dev.orderly.job.StandardQueue;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
                case "committer" -> {
                    var _ = new GroupCommitter<Integer, Integer>("push", Time.system(),
                            new GroupCommitter.Bounds<>(1, 1, _ -> 1),
                            items -> List.of(eatAll())).submit(1);
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

    /** A program whose database is overwritten while it is in use. */
    static final class Overwritten {
        private Overwritten() {}

        public static void main(String[] arguments) throws IOException {
            ProcessExit.onFatalErrors();
            Path file = Path.of(arguments[0]);
            try (Orderly orderly = Orderly.open(SqliteStore.at(file))) {
                StandardQueue<String> mails = orderly.queue("mails", String.class);
                mails.push("before");
                Files.write(file, Files.readAllBytes(file));
                mails.push("after");
            }
        }
    }

    @Test
    void aProcessWhoseDatabaseIsOverwrittenNamesTheFileAndEndsWithItsExitCode(@TempDir Path folder) {
        Path file = folder.resolve("orderly.db");

        ChildProcess.Ended ended = ChildProcess
                .run(ChildProcess.java(ChildProcess.FAST_START, Overwritten.class.getName(), file.toString()));

        assertThat(ended.exitCode()).as(ended.out()).isEqualTo(ProcessExit.CANNOT_GO_ON);
        assertThat(ended.out()).contains("the process cannot continue and ends with exit code 3",
                "orderly.db was written by another program while it was in use");
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "committer", "thread"})
    void aProcessWithoutMemoryNamesTheCauseAndEndsWithItsExitCode(String where) {
        List<String> options = Stream.concat(ChildProcess.FAST_START.stream(), Stream.of("-Xmx32m")).toList();

        ChildProcess.Ended ended = ChildProcess.run(ChildProcess.java(options, Hungry.class.getName(), where));

        assertThat(ended.exitCode()).isEqualTo(ProcessExit.CANNOT_GO_ON);
        assertThat(ended.out()).contains("the process cannot continue and ends with exit code 3");
    }
}
