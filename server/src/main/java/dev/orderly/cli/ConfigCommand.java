package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.AlertConfig;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ReferencePage;
import dev.orderly.http.alert.Alert;
import dev.orderly.http.alert.AlertKind;
import dev.orderly.http.webhook.AlertReceiver;
import dev.orderly.http.webhook.Webhook;
import dev.orderly.http.webhook.WebhookHandler;
import dev.orderly.server.Secrets;
import dev.orderly.server.StartFailedException;
import dev.orderly.telemetry.metrics.MetricsReference;
import dev.orderly.time.Time;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands on configuration files. */
@Command(name = "config", synopsisSubcommandLabel = "COMMAND",
        description = "Check a configuration file, have a running server read its file again, or show the reference of"
                + " the keys and of the metrics.",
        footer = {"  orderly config check orderly.yaml", "  orderly config reload", "  orderly config show",
                "  orderly config webhook-secret",
                "  orderly config reference", "  orderly config metrics"})
final class ConfigCommand {
    private ConfigCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new ConfigCommand()).addSubcommand("check", new Check(terminal))
                .addSubcommand("reload", new Reload(terminal))
                .addSubcommand("show", new Show(terminal))
                .addSubcommand("webhook-secret", new ReceiverSecret(terminal))
                .addSubcommand("reference", new Reference(terminal)).addSubcommand("metrics", new Metrics(terminal));
    }

    @Command(name = "check",
            description = "Check a file and the environment's overrides; list every problem.",
            footer = "  orderly config check orderly.yaml")
    static final class Check implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(paramLabel = "FILE", description = "The configuration file; orderly.yaml if not given.",
                defaultValue = "orderly.yaml")
        private Path file = Path.of("");
        @Option(names = "--json", description = "Print the result as JSON.")
        private boolean json;

        Check(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            var config = ConfigOption.read(new ConfigFile(file, terminal.environment()), file);
            List<String> inForce = config.inForce().lines().toList();
            List<String> warnings = new ArrayList<>(
                    config.jobs().routes().stream().flatMap(route -> route.warning().stream()).toList());
            warnings.addAll(config.warnings(Time.system().now()));
            if (json) {
                terminal.out().println(JsonMapper.shared().writeValueAsString(Map.of("file", file.toString(), "valid",
                        true, "inForce", inForce, "warnings", warnings)));
                return Main.OK;
            }
            terminal.out().println(file + " is valid. In force:");
            inForce.forEach(line -> terminal.out().println("  " + line));
            warnings.forEach(warning -> terminal.out().println("Warning: " + warning));
            return Main.OK;
        }
    }

    @Command(name = "reload",
            description = "Have a running server read its configuration again. It checks all of it, applies what can"
                    + " change while it runs, and names what needs a restart.",
            footer = "  orderly config reload --config orderly.yaml")
    static final class Reload extends ApiCommand {
        Reload(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.post("/api/v1/config/reload", Map.of());
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            List<String> changed = keys(answer.path("changed"));
            List<String> restart = keys(answer.path("restart"));
            to.out().println(changed.isEmpty() ? "Nothing changed." : "In force now: " + String.join(", ", changed));
            if (!restart.isEmpty()) {
                to.out().println("In force only after a restart: " + String.join(", ", restart));
            }
        }

        private static List<String> keys(JsonNode array) {
            return array.valueStream().map(JsonNode::asString).toList();
        }
    }

    @Command(name = "show",
            description = "Show every key of a running server's configuration in force, with where its value"
                    + " comes from."
                    + " Secrets are masked.",
            footer = {"  orderly config show", "  orderly config show queues.emails",
                    "  orderly config show --json | jq '.values[] | select(.source != \"default\")'"})
    static final class Show extends ApiCommand {
        @Parameters(arity = "0..1", paramLabel = "TEXT", description = "Only keys that contain it; all if not given.")
        private String part = "";

        Show(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            return api.get("/api/v1/config", Map.of());
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable columns = new TextTable("KEY", "VALUE", "SOURCE", "AFTER A RESTART");
            answer.path("values").valueStream().filter(value -> value.path("key").asString("").contains(part))
                    .forEach(value -> columns.row(TextTable.text(value, "key"), TextTable.text(value, "value"),
                            source(value), TextTable.text(value, "pending")));
            columns.print(to.out());
        }

        private static String source(JsonNode value) {
            String place = value.path("place").asString("");
            return value.path("source").asString("") + (place.isEmpty() ? "" : " " + place);
        }
    }

    @Command(name = "webhook-secret",
            description = "Print the secrets with which receivers verify webhooks, one a line, the newest first. They"
                    + " sign nothing else. Creates the secret file if it is missing.",
            footer = "  orderly config webhook-secret orderly.yaml")
    static final class ReceiverSecret implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(paramLabel = "FILE", description = "The configuration file; orderly.yaml if not given.",
                defaultValue = "orderly.yaml")
        private Path file = Path.of("");

        ReceiverSecret(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            var config = ConfigOption.read(new ConfigFile(file, terminal.environment()), file);
            try {
                Secrets.read(terminal.environment().get(Secrets.VARIABLE), config.secretFile(), false).webhooks()
                        .forEach(secret -> terminal.out().println(secret.reveal()));
            } catch (StartFailedException e) {
                throw new CommandFailedException(String.valueOf(e.getMessage()), e);
            }
            return Main.OK;
        }
    }

    @Command(name = "metrics", description = "Print every metric as Markdown.",
            footer = "  orderly config metrics > docs/metrics.md")
    static final class Metrics implements Callable<Integer> {
        private final Terminal terminal;

        Metrics(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            terminal.out().print(MetricsReference.markdown());
            terminal.out().flush();
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

    /** Commands on alerts. */
    static CommandLine alerts(Terminal terminal) {
        return new CommandLine(new Alerts()).addSubcommand("test", new AlertTest(terminal));
    }

    @Command(name = "alerts", synopsisSubcommandLabel = "COMMAND",
            description = "Send a test alert to the receiver of a configuration.",
            footer = "  orderly alerts test orderly.yaml")
    static final class Alerts {
        private Alerts() {}
    }

    @Command(name = "test",
            description = "Send a signed test alert from here, as the server would, and say what the receiver answered."
                    + " Needs no running server; creates the secret file if it is missing.",
            footer = "  orderly alerts test orderly.yaml")
    static final class AlertTest implements Callable<Integer> {
        private final Terminal terminal;

        @Parameters(paramLabel = "FILE", description = "The configuration file; orderly.yaml if not given.",
                defaultValue = "orderly.yaml")
        private Path file = Path.of("");
        @Option(names = "--json", description = "Print the result as JSON.")
        private boolean json;

        AlertTest(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() throws InterruptedException {
            var config = ConfigOption.read(new ConfigFile(file, terminal.environment()), file);
            AlertConfig alerts = config.telemetry().alerts();
            if (alerts == null) {
                throw new CommandFailedException(Main.WRONG, file + " has no alerts: set alerts.url to the receiver",
                        null);
            }
            String failure;
            try (HttpClient client = WebhookHandler.newClient()) {
                Webhook webhook = new Webhook(alerts.url(), Secrets.read(terminal.environment().get(Secrets.VARIABLE),
                        config.secretFile(), false).webhooks());
                Instant now = Time.system().now();
                failure = new AlertReceiver(webhook, client, Time.system()).deliver(new Alert(
                        UUID.randomUUID().toString(), AlertKind.TEST, Alert.Phase.EVENT, "orderly",
                        "A test of the way to this receiver.", 1, now, now));
            } catch (StartFailedException e) {
                throw new CommandFailedException(String.valueOf(e.getMessage()), e);
            }
            if (!failure.isEmpty()) {
                throw new CommandFailedException("The test alert was not delivered: " + failure, null);
            }
            terminal.out().println(json
                    ? JsonMapper.shared().writeValueAsString(Map.of("delivered", true))
                    : "The receiver has taken the test alert.");
            return Main.OK;
        }
    }
}
