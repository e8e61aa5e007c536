package dev.orderly.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

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
        CommandLine line = new CommandLine(main);
        line.addSubcommand("demo", new DemoCommand(terminal));
        line.addSubcommand("init", new InitCommand(terminal));
        line.addSubcommand("serve", new ServeCommand(terminal));
        line.addSubcommand("status", new StatusCommand(terminal));
        line.addSubcommand("queue", QueueCommand.with(terminal));
        line.addSubcommand("job", JobCommand.with(terminal));
        line.addSubcommand("room", RoomCommand.with(terminal));
        line.addSubcommand("schedule", ScheduleCommand.with(terminal));
        AccessCommands.addTo(line, terminal);
        line.addSubcommand("config", ConfigCommand.with(terminal));
        // These settings reach existing subcommands only, so they come last.
        line.setOut(terminal.out()).setErr(terminal.err());
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setExpandAtFiles(false); // "@file" is a payload, see QueuePush
        line.getCommandSpec().usageMessage().footer("  orderly demo",
                "  orderly serve --origin http://127.0.0.1:9000 --capacity 200",
                "  orderly init", "  orderly serve",
                "  orderly queue push emails '{\"to\":\"ada@example.org\"}'");
        line.setExecutionStrategy(parsed -> {
            LogSetup.quiet(main.verbose);
            return new CommandLine.RunLast().execute(parsed);
        });
        line.setExecutionExceptionHandler(handler(main, terminal));
        return line.execute(arguments);
    }

    private static IExecutionExceptionHandler handler(Main main, Terminal terminal) {
        return (failure, _, _) -> {
            terminal.err().println("orderly: " + (failure instanceof CommandFailed ? failure.getMessage() : failure));
            if (main.verbose) {
                failure.printStackTrace(terminal.err());
            }
            return failure instanceof CommandFailed failed ? failed.exitCode() : FAILED;
        };
    }

    /** The version that the build recorded. */
    static final class Version implements IVersionProvider {
        Version() {}

        @Override
        public String[] getVersion() {
            Properties properties = new Properties();
            URL resource = Main.class.getResource("version.properties");
            if (resource != null) {
                try (InputStream in = resource.openStream()) {
                    properties.load(in);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return new String[]{"orderly " + properties.getProperty("version", "(unknown)"),
                    "Java " + Runtime.version()};
        }
    }
}
