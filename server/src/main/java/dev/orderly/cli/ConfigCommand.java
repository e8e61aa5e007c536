package dev.orderly.cli;

import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.EffectiveConfig;
import dev.orderly.config.schema.ReferencePage;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Commands on configuration files. */
@Command(name = "config", synopsisSubcommandLabel = "COMMAND",
        description = "Check a configuration file, or show the"
                + " reference of its keys.",
        footer = {"  orderly config check orderly.yaml", "  orderly config reference"})
final class ConfigCommand {
    private ConfigCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new ConfigCommand()).addSubcommand("check", new Check(terminal))
                .addSubcommand("reference", new Reference(terminal));
    }

    @Command(name = "check",
            description = "Check a file and the environment's overrides; list every problem.",
            footer = "  orderly config check orderly.yaml")
    static final class Check implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(paramLabel = "FILE", description = "The configuration file.")
        private Path file = Path.of("");

        Check(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            var config = ConfigOption.read(new ConfigFile(file, terminal.environment()), file);
            terminal.out().println(file + " is valid. In force:");
            EffectiveConfig.text(config).lines().forEach(line -> terminal.out().println("  " + line));
            config.jobs().routes().forEach(route -> route.warning()
                    .ifPresent(warning -> terminal.out().println("Warning: " + warning)));
            return Main.OK;
        }
    }

    @Command(name = "reference", description = "Print every key as Markdown.",
            footer = "  orderly config reference > docs/configuration.md")
    static final class Reference implements Callable<Integer> {
        private final Terminal terminal;

        Reference(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            terminal.out().print(ReferencePage.markdown());
            terminal.out().flush();
            return Main.OK;
        }
    }
}
