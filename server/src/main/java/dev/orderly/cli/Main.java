package dev.orderly.cli;

import dev.orderly.ProgramVersion;
import dev.orderly.cli.process.LogSetup;
import dev.orderly.cli.terminal.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program {@code orderly}. */
@Command(name = "orderly", mixinStandardHelpOptions = true, versionProvider = Main.Version.class,
        scope = ScopeType.INHERIT, synopsisSubcommandLabel = "COMMAND",
        description = "Waiting rooms for the visitors of a web site, queues for its jobs.",
        optionListHeading = "%nOptions:%n",
        commandListHeading = "%nCommands:%n", parameterListHeading = "%nArguments:%n", descriptionHeading = "%n",
        footerHeading = "%nExamples:%n", exitCodeListHeading = "%nExit codes:%n", exitCodeList = {
                "0:done", "1:failed", "2:wrong usage or configuration",
                "3:a server that could not continue, such as out of memory; restart it"})
public final class Main {
    static final int OK = 0;
    static final int FAILED = 1;
    static final int WRONG = 2;
    private static final String COMPLETION = "completion";
    private static final String HELP = "help";

    @Option(names = "--verbose", scope = ScopeType.INHERIT, description = "Print the stack of a failure, and log more.")
    private boolean verbose;

    Main() {}

    boolean verbose() {
        return verbose;
    }

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Runtime.getRuntime().exit(run(Terminal.system(), arguments));
    }

    /** Runs one command. */
    static int run(Terminal terminal, String... arguments) {
        Main main = new Main();
        String[] meant = withHelp(arguments);
        return commands(main, terminal, meant).execute(meant);
    }

    /** {@code help COMMAND}, as other programs have it, is {@code COMMAND --help}. */
    private static String[] withHelp(String[] arguments) {
        return arguments.length == 0 || !arguments[0].equals(HELP)
                ? arguments
                : Stream.concat(Stream.of(arguments).skip(1), Stream.of("--help")).toArray(String[]::new);
    }

    /** All commands, ready to run. */
    static CommandLine commands(Main main, Terminal terminal) {
        return commands(main, terminal, new String[0]);
    }

    /** Commands that can run these arguments. To build all of them takes most of the time of a short command. */
    private static CommandLine commands(Main main, Terminal terminal, String[] arguments) {
        CommandLine line = new CommandLine(main);
        Map<String, Supplier<Object>> all = all(terminal);
        String name = Stream.of(arguments).dropWhile("--verbose"::equals).findFirst().orElse("");
        Supplier<Object> named = COMPLETION.equals(name) ? null : all.get(name);
        if (named == null) {
            all.forEach((command, made) -> line.addSubcommand(command, made.get()));
        } else {
            line.addSubcommand(name, named.get());
        }
        // These settings reach existing subcommands only, so they come last.
        if (!terminal.interactive()) {
            line.setOut(terminal.out()); // on a terminal, help has styles
        }
        line.setErr(terminal.err());
        line.setParameterExceptionHandler((wrong, _) -> {
            terminal.err().println(indented(String.valueOf(wrong.getMessage())));
            if (!CommandLine.UnmatchedArgumentException.printSuggestions(wrong, terminal.err())) {
                wrong.getCommandLine().usage(terminal.err(), CommandLine.Help.Ansi.OFF);
            }
            return WRONG;
        });
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExpandAtFiles(false); // "@file" is a payload, see QueuePush
        line.getCommandSpec().usageMessage().footer("  orderly help queue push", "  orderly demo",
                "  orderly serve --origin http://127.0.0.1:9000 --capacity 200",
                "  orderly init", "  orderly serve",
                "  orderly queue push emails '{\"to\":\"ada@example.org\"}'");
        line.setExecutionStrategy(parsed -> {
            LogSetup.quiet(main.verbose);
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler(handler(main, terminal));
        return line;
    }

    /** Each command and what makes it, in the order of the help. */
    private static Map<String, Supplier<Object>> all(Terminal terminal) {
        Map<String, Supplier<Object>> all = new LinkedHashMap<>();
        all.put("demo", () -> new DemoCommand(terminal));
        all.put("init", () -> new InitCommand(terminal));
        all.put("rehearse", () -> new RehearseCommand(terminal));
        all.put("serve", () -> new ServeCommand(terminal));
        all.put("status", () -> new StatusCommand(terminal));
        all.put("about", () -> new StatusCommand.About(terminal));
        all.put("dashboard", () -> new DashboardCommand(terminal));
        all.put("top", () -> new TopCommand(terminal));
        all.put("queue", () -> QueueCommand.with(terminal));
        all.put("job", () -> JobCommand.with(terminal));
        all.put("bulk", () -> BulkCommand.with(terminal));
        all.put("room", () -> RoomCommand.with(terminal));
        all.put("draw", () -> DrawCommand.with(terminal));
        all.put("why", () -> WhyCommand.with(terminal));
        all.put("limit", () -> LimitCommand.with(terminal));
        all.put("batch", () -> BatchCommand.with(terminal));
        all.put("node", () -> NodeCommand.with(terminal));
        all.put("schedule", () -> ScheduleCommand.with(terminal));
        all.put("store", () -> StoreCommand.with(terminal));
        all.put("token", () -> AccessCommands.tokens(terminal));
        all.put("audit", () -> AccessCommands.audit(terminal));
        all.put("alerts", () -> ConfigCommand.alerts(terminal));
        all.put("verify-cluster", () -> new VerifyClusterCommand(terminal));
        all.put("config", () -> ConfigCommand.with(terminal));
        all.put(COMPLETION, () -> new Completion(terminal));
        return all;
    }

    /** Prints the script of a shell. */
    @Command(name = COMPLETION,
            description = "Print the script that completes commands and options in a shell.",
            footer = {"  source <(orderly completion bash)",
                    "  orderly completion zsh > \"$${fpath[1]}/_orderly\"",
                    "  orderly completion fish > ~/.config/fish/completions/orderly.fish"})
    static final class Completion implements Callable<Integer> {
        private final Terminal terminal;

        @Spec
        private @Nullable CommandSpec spec;

        @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
        private Shell shell = Shell.BASH;

        Completion(Terminal terminal) {
            this.terminal = terminal;
        }

        /** The shells that are known. */
        enum Shell {
            BASH, ZSH, FISH
        }

        @Override
        public Integer call() {
            CompletionScript script = new CompletionScript(Objects.requireNonNull(spec).root().commandLine());
            terminal.out().print(switch (shell) {
                case BASH -> script.bash();
                case ZSH -> script.zsh();
                case FISH -> script.fish();
            });
            terminal.out().flush();
            return OK;
        }
    }

    private static IExecutionExceptionHandler handler(Main main, Terminal terminal) {
        return (failure, _, _) -> {
            terminal.err().println("orderly: "
                    + indented(String
                            .valueOf(failure instanceof CommandFailedException ? failure.getMessage() : failure)));
            if (main.verbose) {
                failure.printStackTrace(terminal.err());
            }
            return failure instanceof CommandFailedException failed ? failed.exitCode() : FAILED;
        };
    }

    /** A message whose further lines are recognised as such, since an answer or an argument may have some. */
    private static String indented(String message) {
        return message.replaceAll("\n(?=[^\n])", "\n  ");
    }

    /** The version that the build recorded. */
    static final class Version implements IVersionProvider {
        Version() {}

        @Override
        public String[] getVersion() {
            return new String[]{"orderly " + ProgramVersion.current(), "Java " + Runtime.version()};
        }
    }
}
