package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.server.ProgramProcess;
import dev.orderly.snippet.PageCommands;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FaultProxy;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import dev.orderly.trial.PythonReferee;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code orderly verify-cluster} against two servers on one PostgreSQL. */
class VerifyClusterTest {
    /** Minutes of pushes and disturbances; a test by command takes more. */
    private static final String MINUTES = System.getProperty("orderly.trial.minutes", "0.05");
    private static final String EVERY = System.getProperty("orderly.trial.every", "600ms");
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration TRIAL = Duration.ofHours(6);
    private static final String PAGE = "break-it.md";

    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        List<String> line = new ArrayList<>(List.of("verify-cluster"));
        line.addAll(List.of(arguments));
        return Main.run(TestTerminal.of(out, err, Map.of()), line.toArray(String[]::new));
    }

    /** A loop of the page that starts a node again whenever it ends. */
    private final class Supervised implements AutoCloseable {
        private final Path pid;
        private final ChildProcess loop;

        Supervised(int node) throws IOException {
            String line = PageCommands.of(PAGE, "trial-nodes").get(node - 1);
            pid = folder.resolve("node" + node + ".pid");
            assertThat(line).contains(pid.getFileName().toString());
            loop = ChildProcess.start(List.of("sh", "-c", line), builder -> shell(builder)
                    .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("node" + node + ".log").toFile())));
        }

        /** Returns once the node has printed where it listens. */
        void awaitStart() {
            assertThat(loop.out().lines().anyMatch(printed -> printed.startsWith("edge"))).as("see the log beside %s",
                    pid).isTrue();
        }

        @Override
        public void close() throws IOException {
            loop.close();
            if (Files.exists(pid)) {
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    private ProcessBuilder shell(ProcessBuilder builder) {
        builder.directory(folder.toFile()).environment().merge("PATH", folder.toString(),
                (path, own) -> own + File.pathSeparator + path);
        return builder;
    }

    /** Runs the commands of a block of the page, with these texts in place of others. */
    private ChildProcess.Ended runBlock(String name, Map<String, String> replaced) {
        String script = String.join("\n", PageCommands.of(PAGE, name));
        for (Map.Entry<String, String> each : replaced.entrySet()) {
            assertThat(script).contains(each.getKey());
            script = script.replace(each.getKey(), each.getValue());
        }
        return ChildProcess.run(List.of("sh", "-c", script), TRIAL, builder -> shell(builder)
                .redirectError(folder.resolve(name + ".log").toFile()));
    }

    private void install() throws IOException {
        Path program = Files.writeString(folder.resolve("orderly"), "#!/bin/sh\nexec "
                + ProgramProcess.command("dev.orderly.cli.Main").stream().map(word -> "'" + word + "'")
                        .collect(Collectors.joining(" "))
                + " \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        Files.copy(Path.of("..", "docs", "referee.py"), folder.resolve("referee.py"));
    }

    @Test
    @Tag("slow")
    void theCommandsOfThePageRunAndNodesThatAreKilledPausedAndCutOffBreakNoRule() throws Exception {
        install();
        String listen = " --listen 127.0.0.1:" + FreePort.find();
        List<Integer> admin = List.of(FreePort.find(), FreePort.find());
        boolean hasReferee = PythonReferee.isInstalled();
        try (PostgresServer postgres = PostgresServer.start("fsync=off");
                FaultProxy network = new FaultProxy(postgres.port())) {
            runBlock("trial-queues", Map.of("--print-queues", "--print-queues" + listen, "808$n", "0", "909$n",
                    "$(case $n in 1) echo " + admin.getFirst() + ";; *) echo " + admin.getLast() + ";; esac)",
                    "orderly:secret@127.0.0.1/trial", "postgres@127.0.0.1:$(case $n in 1) echo " + postgres.port()
                            + ";; *) echo " + network.port() + ";; esac)/postgres"));
            BackgroundLoop cuts = cuts(network);
            cuts.start();
            try (Supervised one = new Supervised(1); Supervised two = new Supervised(2)) {
                one.awaitStart();
                two.awaitStart();
                ChildProcess.Ended ended = runBlock("trial", Map.of("http://127.0.0.1:9092",
                        "http://127.0.0.1:" + admin.getLast(), "sleep 40", "sleep 1", "--minutes 10",
                        "--seed 7 --kill 'touch cut; sleep 1; rm cut' --minutes " + MINUTES + " --every " + EVERY
                                + listen,
                        "python3 referee.py", hasReferee ? "python3 referee.py" : "true"));
                Files.writeString(Path.of("target", "trial.txt"), ended.out());
                assertThat(ended.exitCode()).as("%s%s", ended.out(), Files.readString(folder.resolve("trial.log")))
                        .isZero();
                assertThat(ended.out()).contains("Seed: 7");
            } finally {
                cuts.stop(PATIENCE);
            }
        }
        Path trial = folder.resolve("verify-cluster");
        assertThat(Files.readString(trial.resolve("report.html")))
                .contains(hasReferee ? "No rule is broken." : "Trial of a cluster").doesNotContain("http://",
                        "https://", "<script");
        List<String> history = Files.readAllLines(trial.resolve("history.jsonl"));
        assertThat(history).anyMatch(line -> line.contains("\"seed\":7,\"signatures\":true")
                || line.contains("\"signatures\":true,\"seed\":7"))
                .anyMatch(line -> line.contains("\"op\":\"disturbed\""))
                .anyMatch(line -> line.contains("\"accepted\""));
        assertThat(Files.readAllLines(trial.resolve("history.edn"))).allMatch(line -> line.startsWith("{:us "))
                .hasSameSizeAs(history);
    }

    /** Cuts a network off while the file {@code cut} exists. */
    private BackgroundLoop cuts(FaultProxy network) {
        AtomicBoolean cut = new AtomicBoolean();
        return new BackgroundLoop("cuts", Time.system(), () -> {
            boolean wanted = Files.exists(folder.resolve("cut"));
            if (cut.getAndSet(wanted) != wanted) {
                if (wanted) {
                    network.blackHole();
                } else {
                    network.pass();
                }
            }
            return Duration.ofMillis(20);
        });
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
