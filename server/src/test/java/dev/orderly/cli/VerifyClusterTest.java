package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.ProgramProcess;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PostgresServer;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code orderly verify-cluster} against two servers on one PostgreSQL. */
class VerifyClusterTest {
    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        List<String> line = new ArrayList<>(List.of("verify-cluster"));
        line.addAll(List.of(arguments));
        return Main.run(TestTerminal.of(out, err, Map.of()), line.toArray(String[]::new));
    }

    /** A server that is started again whenever it ends, with its process id in a file. */
    private final class Supervised implements AutoCloseable {
        private final ReentrantLock lock = new ReentrantLock();
        private final String name;
        private ChildProcess process;
        private boolean closed;

        /** Returns once the server has printed where it listens. */
        Supervised(String name, String yaml) throws IOException {
            this.name = name;
            Files.writeString(folder.resolve(name + ".yaml"), yaml);
            process = start();
            assertThat(process.out().readLine()).as("see %s.log", name).startsWith("edge");
        }

        private ChildProcess start() throws IOException {
            ChildProcess started = ChildProcess.start(ProgramProcess.command("dev.orderly.cli.Main", "serve",
                    "--config", folder.resolve(name + ".yaml").toString()),
                    builder -> builder.redirectError(
                            ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile())));
            Files.writeString(folder.resolve(name + ".pid"), Long.toString(started.handle().pid()));
            var _ = started.handle().onExit().thenRunAsync(this::restart);
            return started;
        }

        private void restart() {
            lock.lock();
            try {
                if (!closed) {
                    process = start();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                closed = true;
                process.close();
            } finally {
                lock.unlock();
            }
        }
    }

    private static String yaml(PostgresServer postgres, int port, String queues) {
        return """
                store: "%s"
                edge: { port: 0, host: 127.0.0.1, warm-up: 0s, drain: 0s }
                admin: { port: %d }
                %s""".formatted(postgres.address(), port, queues);
    }

    @Test
    @Tag("slow")
    void nodesThatAreKilledBreakNoRule() throws Exception {
        String listen = "127.0.0.1:" + FreePort.find();
        int port = FreePort.find();
        int other = FreePort.find();
        assertThat(run("--listen", listen, "--print-queues")).isZero();
        String queues = out.toString();
        out.getBuffer().setLength(0);
        List<String> referee = HistoryRefereeTest.referee();
        try (PostgresServer postgres = PostgresServer.start("fsync=off");
                Supervised _ = new Supervised("one", yaml(postgres, port, queues));
                Supervised _ = new Supervised("other", yaml(postgres, other, queues))) {
            int exit = run("--config", folder.resolve("one.yaml").toString(), "--node", "http://127.0.0.1:" + other,
                    "--listen", listen, "--minutes", "0.02", "--every", "600ms", "--kill", kill("one"), "--kill",
                    kill("other"), "--out", folder.resolve("trial").toString(), "--referee",
                    referee.isEmpty() ? "true" : String.join(" ", referee), "--json");

            assertThat(exit).as("%s%s", out, err).isZero();
            JsonNode counted = JsonMapper.shared().readTree(out.toString());
            assertThat(counted.path("jobs accepted").asString()).isEqualTo(counted.path("jobs pushed").asString())
                    .isNotEqualTo("0");
            assertThat(counted.path("disturbances").asString()).isNotEqualTo("0");
        }
        Path trial = folder.resolve("trial");
        assertThat(Files.readString(trial.resolve("report.html")))
                .contains(referee.isEmpty() ? "Trial of a cluster" : "No rule is broken.", "kill -9").doesNotContain(
                        "http://", "https://", "<script");
        assertThat(Files.readAllLines(trial.resolve("history.edn"))).allMatch(line -> line.startsWith("{:us "))
                .hasSameSizeAs(Files.readAllLines(trial.resolve("history.jsonl")));
    }

    private String kill(String name) {
        return "kill -9 $(cat '" + folder.resolve(name + ".pid") + "')";
    }

    @ParameterizedTest
    @CsvSource({"--minutes,0,--minutes is 0.0: use more than 0", "--minutes,NaN,--minutes is NaN: use more than 0",
            "--rate,0,--rate is 0: use 1 to 5000", "--every,soon,--every is soon: use a time of 100ms or more",
            "--listen,somewhere,--listen is somewhere: use an address", "--listen,a:99999,--listen is a:99999: use an"})
    void aWrongValueIsNamedWithItsRule(String option, String value, String message) {
        assertThat(run(option, value, "--out", folder.resolve("trial").toString())).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains(message);
        assertThat(folder.resolve("trial")).doesNotExist();
    }

    @Test
    void aClusterThatDoesNotAnswerEndsTheTrialBeforeItBegins() {
        assertThat(run("--url", "http://127.0.0.1:1", "--out", folder.resolve("trial").toString()))
                .isEqualTo(Main.FAILED);
        assertThat(err.toString()).contains("Queue verify.fifo of http://127.0.0.1:1: Nothing answers", "queues:");
        assertThat(folder.resolve("trial")).doesNotExist();
    }
}
