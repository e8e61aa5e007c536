package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.operate.OperationSpec;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands' own help and errors, without a server. */
class CommandUsageTest {
    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aWrongConfigurationIsExitCodeTwoWithEveryProblem() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), "stor: x\nlog: xml\n");
        Path right = Files.writeString(folder.resolve("right.yaml"), "store: sqlite:orderly.db\n");
        assertThat(run("config", "check", wrong.toString())).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("3 problems", "did you mean store?", "text or json", "It is missing");
        assertThat(run("serve", "--config", wrong.toString())).isEqualTo(Main.WRONG);
        assertThat(run("config", "check", right.toString())).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "serve", "nope", "queue", "queue push", "queue push a --nope", "room admit sale",
            "room admit sale many", "room epoch sale",
            "status --url x --config y", "init nothing", "job show", "room limit sale", "room limit sale --rate often",
            "serve --capacity 5"})
    void wrongUsageIsExitCodeTwo(String line) {
        assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(Main.WRONG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "demo", "init", "rehearse", "serve", "status", "queue", "queue push", "queue list",
            "queue pause",
            "queue resume", "queue forget", "schedule forget", "queue dead", "queue redrive", "room", "room list",
            "room show", "room front", "room places", "room admit", "room hold",
            "room open", "room auto", "room drain", "room reject", "room shadow", "room message", "room epoch",
            "room revoke", "room limit", "room report", "room openings", "room open-at", "room cancel-opening",
            "room draw-value", "room invite", "room invitations", "draw", "draw verify", "job", "job show",
            "job cancel", "job push-again",
            "job run-now", "job redrive", "job attempts", "job steps", "job events", "job event", "batch", "batch list",
            "batch show",
            "batch open",
            "batch close", "batch cancel", "why", "why job", "why batch",
            "why visitor", "verify-cluster", "config", "config check", "config reference"})
    void everyCommandHasHelpWithExamplesAndExitCodes(String command) {
        assertThat(run((command + " --help").strip().split(" "))).isZero();
        assertThat(out.toString()).contains("Usage: orderly " + command, "Examples:\n", "  orderly " + command,
                "Exit codes:",
                "2   wrong usage");
    }

    @Test
    void helpBeforeACommandIsItsHelp() {
        assertThat(run("help", "queue", "push")).isZero();
        assertThat(out.toString()).contains("Usage: orderly queue push");
        assertThat(run("help")).isZero();
        assertThat(out.toString()).contains("Usage: orderly [");
    }

    @ParameterizedTest
    @CsvSource({"queue pause,PAUSE", "queue resume,RESUME", "queue forget,FORGET_QUEUE", "job cancel,CANCEL",
            "job run-now,RUN_NOW", "job event,SEND_EVENT", "job redrive,REDRIVE_JOB", "job push-again,PUSH_AGAIN",
            "schedule pause,PAUSE_SCHEDULE", "schedule resume,RESUME_SCHEDULE", "schedule forget,FORGET_SCHEDULE",
            "schedule run,RUN_SCHEDULE", "node drain,DRAIN_NODE", "node resume,RESUME_NODE",
            "token revoke,REVOKE_TOKEN"})
    void theHelpOfAnOperationIsThatOfTheTable(String command, OperationSpec operation) {
        assertThat(run((command + " --help").split(" "))).isZero();
        assertThat(out.toString().replaceAll("\\s+", " ")).contains(operation.sentence() + ".", operation.details());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rooms", "queues", "both"})
    void aNewFileIsValidAndAnExistingOneIsNeverChanged(String parts) throws IOException {
        String file = folder.resolve("orderly.yaml").toString();
        assertThat(run("init", parts, "--file", file)).isZero();
        assertThat(run("config", "check", file)).isZero();
        assertThat(out.toString()).contains("Wrote " + file, "is valid");

        Files.writeString(Path.of(file), "# mine");
        assertThat(run("init", "--file", file)).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains("exists and was not changed");
        assertThat(Path.of(file)).hasContent("# mine");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"',
            textBlock = """
                    serve | There is no orderly.yaml in
                    serve | orderly init
                    serve --origin http://127.0.0.1:9 | Nothing limits the visitors of http://127.0.0.1:9: give --capacity, --rate
                    serve --origin http://127.0.0.1:9 --rate 5 | option --rate: rooms.site.rate
                    serve --origin nowhere --capacity 5 | option --origin: edge.origin
                    serve --origin http://127.0.0.1:9 --capacity 5 --match tickets | option --match: rooms.site.match[1]
                    serve --origin http://127.0.0.1:9 --capacity 5 --config a.yaml | there is a.yaml: set edge.origin and rooms
                    """)
    void aStartThatNamesNoWholeConfigurationSaysWhatIsMissing(String line, String message) {
        assertThat(run(line.split(" "))).isEqualTo(Main.WRONG);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void theVersionIsTheBuilds() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).matches("(?s)orderly [0-9]+\\.[0-9]+\\.[0-9]+.*Java .*");
    }

    private int run(String... arguments) {
        return Main.run(TestTerminal.of(out, err, Map.of()), arguments);
    }
}
