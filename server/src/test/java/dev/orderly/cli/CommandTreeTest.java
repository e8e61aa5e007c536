package dev.orderly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** What holds for every command: documented exit codes, JSON, completion. */
class CommandTreeTest {
    private static final Pattern ROW = Pattern.compile("\\| `orderly ([^`]+)` \\| ([0-9, ]+) \\| (yes|no) \\|.*");
    /** Commands that print no data of a server, but a file or a log. */
    private static final Set<String> WITHOUT_DATA = Set.of("draw verify", "serve", "demo", "init", "completion",
            "config reference",
            "config metrics",
            "config webhook-secret", "store migrate");

    /** What a shell offers after these words. */
    private static final Map<String, List<String>> COMPLETED = Map.of("qu", List.of("queue"), "queue re",
            List.of("resume", "redrive"), "queue push --de", List.of("--dedupe", "--delay"));

    @TempDir
    private Path folder = Path.of("");
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Terminal terminal = TestTerminal.of(out, err, Map.of("ORDERLY_URL", "http://127.0.0.1:1"));

    /** The commands without subcommands, by their words after the program's name. */
    private Map<String, CommandLine> commands() {
        Map<String, CommandLine> all = new TreeMap<>();
        collect("", Main.commands(new Main(), terminal), all);
        return all;
    }

    private static void collect(String path, CommandLine command, Map<String, CommandLine> into) {
        command.getSubcommands().forEach((name, sub) -> {
            String words = (path + " " + name).strip();
            if (sub.getSubcommands().isEmpty()) {
                into.put(words, sub);
            }
            collect(words, sub, into);
        });
    }

    private static Map<String, MatchResult> documented() throws IOException {
        Path root = Files.exists(Path.of("docs")) ? Path.of("docs") : Path.of("../docs");
        Map<String, MatchResult> rows = new TreeMap<>();
        for (String line : Files.readAllLines(root.resolve("command-line.md"))) {
            ROW.matcher(line).results().forEach(row -> rows.put(row.group(1), row));
        }
        return rows;
    }

    @Test
    void everyCommandHasItsExitCodesInTheDocumentation() throws IOException {
        assertThat(documented().keySet()).as("rows of docs/command-line.md").isEqualTo(commands().keySet());
    }

    @Test
    void everyCommandThatPrintsDataPrintsItAsJsonToo() throws IOException {
        Map<String, MatchResult> rows = documented();
        commands().forEach((words, command) -> {
            boolean json = command.getCommandSpec().findOption("--json") != null;
            assertThat(json).as(words).isEqualTo(!WITHOUT_DATA.contains(words));
            assertThat(Objects.requireNonNull(rows.get(words)).group(3)).as(words).isEqualTo(json ? "yes" : "no");
        });
    }

    @Test
    void wrongUsageIsExitCodeTwoOfEveryCommand() {
        for (String words : commands().keySet()) {
            List<String> line = new ArrayList<>(List.of(words.split(" ")));
            line.add("--no-such-option");
            assertThat(Main.run(terminal, line.toArray(String[]::new))).as(words).isEqualTo(Main.WRONG);
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsExitCodeOneOfEveryCommandThatCallsIt() {
        Map<String, List<String>> arguments = Map.ofEntries(Map.entry("job show", List.of("x")),
                Map.entry("job cancel", List.of("x")), Map.entry("job push-again", List.of("x")),
                Map.entry("job run-now", List.of("x")), Map.entry("job redrive", List.of("x")),
                Map.entry("job attempts", List.of("x")), Map.entry("job steps", List.of("x")),
                Map.entry("job events", List.of("x")), Map.entry("job event", List.of("x", "approval")),
                Map.entry("why job", List.of("x")), Map.entry("why visitor", List.of("a.eyJhdWQiOiJzYWxlIn0.c")),
                Map.entry("queue list", List.of()), Map.entry("queue push", List.of("a", "1")),
                Map.entry("queue dead", List.of("a")), Map.entry("room list", List.of()),
                Map.entry("room show", List.of("a")),
                Map.entry("room front", List.of("a")),
                Map.entry("room places", List.of("a")), Map.entry("room report", List.of("a")),
                Map.entry("schedule list", List.of()),
                Map.entry("schedule run", List.of("a")), Map.entry("status", List.of()));
        arguments.forEach((words, rest) -> {
            List<String> line = new ArrayList<>(List.of(words.split(" ")));
            line.addAll(rest);
            assertThat(Main.run(terminal, line.toArray(String[]::new))).as(words + ": " + err).isEqualTo(Main.FAILED);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void theScriptOfAShellHasEveryCommandAndItsOptions(String shell) {
        assertThat(Main.run(terminal, "completion", shell)).isZero();
        String script = out.toString();
        for (String words : commands().keySet()) {
            assertThat(script).contains(words.substring(words.lastIndexOf(' ') + 1));
        }
        assertThat(script).contains("dedupe", "json", "url");
        if (shell.equals("fish")) {
            assertThat(script).contains("complete -c orderly -n '__orderly_is queue' -a push -d 'Push one job",
                    "complete -c orderly -n '__orderly_in queue push' -l group -r");
        }
    }

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        if (!Files.exists(Path.of("/bin/bash"))) {
            LoggerFactory.getLogger(CommandTreeTest.class).warn("NOT TESTED: no /bin/bash here");
            return;
        }
        Main.run(terminal, "completion", "bash");
        Path script = Files.writeString(folder.resolve("orderly.bash"), out.toString());
        assertThat(completed(script, "orderly", "qu")).containsExactly("queue");
        assertThat(completed(script, "orderly", "queue", "re")).containsExactlyInAnyOrder("resume", "redrive");
        assertThat(completed(script, "orderly", "queue", "push", "--de")).containsExactlyInAnyOrder("--dedupe",
                "--dedupe-for", "--debounce", "--delay");
    }

    @Test
    void fishCompletesCommandsAndOptions() throws Exception {
        String fish = installed("fish");
        if (fish.isEmpty()) {
            return;
        }
        Main.run(terminal, "completion", "fish");
        Path script = Files.writeString(folder.resolve("orderly.fish"), out.toString());
        for (var each : COMPLETED.entrySet()) {
            List<String> lines = printed(fish, "--no-config", "-c", "source " + script + "; complete -C 'orderly "
                    + each.getKey() + "'").lines().map(line -> line.replaceFirst("\t.*", "")).toList();
            assertThat(lines).as(each.getKey()).containsExactlyInAnyOrderElementsOf(each.getValue());
        }
    }

    /** The function is loaded from a folder of {@code fpath} by the first completion, as the page installs it. */
    @Test
    void zshCompletesCommandsAndOptionsAtTheFirstTab() throws Exception {
        String zsh = installed("zsh");
        if (zsh.isEmpty()) {
            return;
        }
        Main.run(terminal, "completion", "zsh");
        Files.writeString(Files.createDirectory(folder.resolve("functions")).resolve("_orderly"), out.toString());
        for (var each : COMPLETED.entrySet()) {
            // A terminal within zsh: types the line and Tab, which lists what fits, and reads until the end of the
            // list. Keys that come before the editor of the line would go to the terminal, which knows no Tab.
            String shown = printed(zsh, "-f", "-c",
                    """
                            zmodload zsh/zpty
                            zpty shell env HOME=%1$s TERM=dumb zsh -f -i
                            zpty -w shell 'PS1=; fpath=(%1$s/functions $fpath); autoload -Uz compinit; compinit -u -D'
                            zpty -w shell 'bindkey "^I" list-choices; zle-line-init() { print -rn READ""Y }; zle -N zle-line-init'
                            zpty -r shell seen '*READY*'
                            zpty -w -n shell $'orderly %2$s\\t'
                            zpty -w -n shell $'\\x15print EN""D\\n'
                            zpty -r shell seen '*END*'
                            print -r -- "$seen"
                            """
                            .formatted(folder, each.getKey()));
            assertThat(shown).as(each.getKey()).contains(each.getValue());
        }
    }

    private static String installed(String program) {
        String path = ChildProcess.installed(program).map(Path::toString).orElse("");
        if (path.isEmpty()) {
            LoggerFactory.getLogger(CommandTreeTest.class).error("NOT TESTED: no {} on the PATH", program);
        }
        return path;
    }

    private static String printed(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed;
    }

    private static List<String> completed(Path script, String... words) throws IOException, InterruptedException {
        String line = "source " + script + "; COMP_WORDS=(" + String.join(" ", words) + "); COMP_CWORD="
                + (words.length - 1) + "; COMP_LINE='" + String.join(" ", words)
                + "'; COMP_POINT=${#COMP_LINE}; _complete_orderly 2>/dev/null; echo ${COMPREPLY[@]}";
        String printed = printed("/bin/bash", "-c", line);
        return printed.isBlank() ? List.of() : List.of(printed.strip().split("\\s+"));
    }
}
