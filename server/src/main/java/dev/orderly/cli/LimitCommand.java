package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Commands on limits. */
@Command(name = "limit", synopsisSubcommandLabel = "COMMAND",
        description = "View the limits of jobs over all nodes, and change their bounds.",
        footer = {"  orderly limit list", "  orderly limit set crm-api --concurrency 10",
                "  orderly limit set exports --key acme --concurrency 10"})
final class LimitCommand {
    private static final String BASE = "/api/v1/limits";

    private LimitCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new LimitCommand()).addSubcommand("list", new ListAll(terminal))
                .addSubcommand("show", new Show(terminal)).addSubcommand("set", new SetBounds(terminal))
                .addSubcommand("reset", new Reset(terminal));
    }

    @Command(name = "list", description = "Show all limits that queues have, with what they count now.",
            footer = {"  orderly limit list", "  orderly limit list --json | jq '.limits[].running'"})
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            LimitCommand.print(answer.path("limits").valueStream().toList(), to);
        }
    }

    private static void print(List<JsonNode> limits, Terminal to) {
        TextTable columns = new TextTable("LIMIT", "RUNNING", "STARTED", "WAITING", "NEXT START", "QUEUES");
        limits.forEach(limit -> columns.row(
                TextTable.text(limit, "limit") + (limit.hasNonNull("override") ? " (set by an operator)" : ""),
                of(limit, "running", "concurrency", ""),
                of(limit, "started", "starts", " per " + TextTable.duration(limit, "period")),
                TextTable.text(limit, "waiting"), TextTable.text(limit, "next"), limit.path("queues").valueStream()
                        .map(queue -> queue.asString("")).collect(Collectors.joining(" "))));
        columns.print(to.out());
    }

    /** The API's path to a limit or, with a key, to the key of the queue that is named. */
    private static String path(String limit, @Nullable String key) {
        return key == null
                ? limit
                : QueueKeys.path(QueueCommand.BASE + limit.substring(BASE.length()), key);
    }

    private static String named(String name, @Nullable String key) {
        return key == null ? "Limit " + name : "Key " + key + " of queue " + name;
    }

    @Command(name = "show", description = "Show one limit, or that of one key, with what an operator has changed.",
            footer = {"  orderly limit show crm-api", "  orderly limit show exports --key acme"})
    static final class Show extends NamedCommand {
        @Option(names = "--key", paramLabel = "KEY",
                description = "The bounds of this key, where the name is that of its queue.")
        private @Nullable String key;

        Show(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return api.get(path(path, key), Map.of());
        }

        @Override
        void print(JsonNode limit, String name, Terminal to) {
            if (key == null) {
                LimitCommand.print(List.of(limit), to);
            } else {
                QueueKeys.print(List.of(limit), to);
            }
            JsonNode changed = limit.path("override");
            if (changed.isObject()) {
                to.out().println("Set by " + TextTable.text(changed, "changedBy") + " at "
                        + TextTable.text(changed, "changedAt") + ": orderly limit reset " + name
                        + (key == null ? "" : " --key " + key) + " restores what the nodes declare.");
            }
        }
    }

    @Command(name = "set",
            description = "Change the bounds of a limit on all nodes, until they are reset. Nothing that runs is"
                    + " stopped: with a lower bound new starts wait. The value \"default\" restores the declared"
                    + " bound.",
            footer = {"  orderly limit set crm-api --concurrency 10 --rate \"100 per 10s\"",
                    "  orderly limit set queue:nightly --concurrency default",
                    "  orderly limit set exports --key acme --concurrency 10"})
    static final class SetBounds extends NamedCommand {
        private static final String DEFAULT = "default";
        private static final Pattern PER = Pattern.compile("([0-9]{1,7}) per (\\S+)");

        @Option(names = "--concurrency", paramLabel = "N", description = "Jobs that run at once, over all nodes.")
        private @Nullable String concurrency;
        @Option(names = "--rate", paramLabel = "RATE",
                description = "Jobs that start in any span of a time, such as \"100 per 10s\".")
        private @Nullable String rate;
        @Option(names = "--key", paramLabel = "KEY",
                description = "The bounds of this key, where the name is that of its queue.")
        private @Nullable String key;

        SetBounds(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode body = JsonMapper.shared().createObjectNode();
            if (concurrency != null) {
                body.set("concurrency", number(concurrency));
            }
            if (rate != null && rate.equals(DEFAULT)) {
                body.putNull("starts").putNull("period");
            } else if (rate != null) {
                Matcher parts = PER.matcher(rate);
                if (!parts.matches()) {
                    throw new CommandFailedException(Main.WRONG,
                            "--rate is " + rate + ": use a number per a time, such as \"100 per 10s\", or " + DEFAULT,
                            null);
                }
                body.put("starts", Long.parseLong(parts.group(1))).put("period", parts.group(2));
            }
            if (body.isEmpty()) {
                throw new CommandFailedException(Main.WRONG, "No bound is named: use --concurrency or --rate", null);
            }
            return api.patch(path(path, key), JsonMapper.shared().writeValueAsBytes(body));
        }

        private static JsonNode number(String value) {
            try {
                return value.equals(DEFAULT)
                        ? JsonMapper.shared().nullNode()
                        : JsonMapper.shared().getNodeFactory().numberNode(Long.parseLong(value));
            } catch (NumberFormatException e) {
                throw new CommandFailedException(Main.WRONG,
                        "--concurrency is " + value + ": use a whole number, or " + DEFAULT, e);
            }
        }

        @Override
        void print(JsonNode limit, String name, Terminal to) {
            to.out().println(named(name, key) + " is changed on all nodes within seconds: " + changed(limit));
        }

        private static String changed(JsonNode limit) {
            JsonNode changed = limit.path("override");
            List<String> bounds = new ArrayList<>();
            if (changed.hasNonNull("concurrency")) {
                bounds.add("concurrency " + TextTable.text(changed, "concurrency"));
            }
            if (changed.hasNonNull("starts")) {
                bounds.add(
                        "rate " + TextTable.text(changed, "starts") + " per " + TextTable.duration(changed, "period"));
            }
            return bounds.isEmpty() ? "as declared" : String.join(", ", bounds);
        }
    }

    @Command(name = "reset", description = "Restore the bounds of a limit, or of one key, that the nodes declare.",
            footer = {"  orderly limit reset crm-api", "  orderly limit reset exports --key acme"})
    static final class Reset extends NamedCommand {
        @Option(names = "--key", paramLabel = "KEY",
                description = "The bounds of this key, where the name is that of its queue.")
        private @Nullable String key;

        Reset(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode body = JsonMapper.shared().createObjectNode().putNull("concurrency").putNull("starts")
                    .putNull("period");
            return api.patch(path(path, key), JsonMapper.shared().writeValueAsBytes(body));
        }

        @Override
        void print(JsonNode limit, String name, Terminal to) {
            to.out().println(named(name, key) + " has its declared bounds again, on all nodes within seconds.");
        }
    }

    private static String of(JsonNode limit, String used, String most, String unit) {
        if (most.equals("concurrency") && limit.path("share").isNumber()) {
            String each = limit.path(most).isNumber() ? ", " + TextTable.text(limit, most) + " each" : "";
            return "share " + TextTable.text(limit, "share") + "%" + each;
        }
        if (!limit.path(most).isNumber()) {
            return "-";
        }
        return limit.path("limit").asString("").startsWith("key:")
                ? TextTable.text(limit, most) + " each" + unit
                : TextTable.text(limit, used) + " of " + TextTable.text(limit, most) + unit;
    }
}
