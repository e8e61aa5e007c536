package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.schema.UnitText;
import dev.orderly.operate.OperationSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands on access to the API: tokens and the audit log. */
final class AccessCommands {
    private static final String BASE = "/api/v1/tokens";

    private AccessCommands() {}

    static CommandLine tokens(Terminal terminal) {
        return new CommandLine(new Tokens()).addSubcommand("create", new Create(terminal))
                .addSubcommand("list", new ListAll(terminal)).addSubcommand("revoke", new Revoke(terminal));
    }

    static Object audit(Terminal terminal) {
        return new Audit(terminal);
    }

    /** Commands on access tokens. */
    @Command(name = "token", synopsisSubcommandLabel = "COMMAND",
            description = "Create, list and revoke access tokens. The server's own user and root need none on its"
                    + " machine.",
            footer = {"  orderly token create ops --role operator --ends 90d",
                    "  orderly token create mailer --role worker --queues mails,news", "  orderly token revoke ops"})
    static final class Tokens {
        private Tokens() {}
    }

    private static String queues(JsonNode token) {
        String all = StreamSupport.stream(token.path("queues").spliterator(), false).map(JsonNode::asString)
                .collect(Collectors.joining(","));
        return all.isEmpty() ? "all" : all;
    }

    @Command(name = "create",
            description = "Create a token and print it. It is shown once: the server keeps only its hash.",
            footer = {"  orderly token create ops --role operator --ends 90d",
                    "  ORDERLY_TOKEN=$(orderly token create ci --role viewer)"})
    static final class Create extends ApiCommand {
        @Parameters(index = "0", paramLabel = "NAME", description = "Its name in lists and in the audit log.")
        private String name = "";
        @Option(names = "--role", paramLabel = "ROLE", required = true,
                description = "viewer, operator, admin, or worker.")
        private String role = "";
        @Option(names = "--queues", paramLabel = "NAME", split = ",", description = "The queues of a worker.")
        private List<String> queues = new ArrayList<>();
        @Option(names = "--ends", paramLabel = "TIME",
                description = "How long it counts, such as 90d; without an end if"
                        + " not given.")
        private @Nullable String ends;

        Create(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            ObjectNode body = JsonMapper.shared().createObjectNode().put("name", name).put("role", role);
            if (!queues.isEmpty()) {
                ArrayNode list = body.putArray("queues");
                queues.forEach(list::add);
            }
            if (ends != null) {
                body.put("life", life(ends).toString());
            }
            return api.post(BASE, Map.of(), JsonMapper.shared().writeValueAsBytes(body),
                    Map.of("Content-Type", "application/json"));
        }

        private static Duration life(String text) {
            return UnitText.duration(text).orElseThrow(() -> new CommandFailedException(Main.WRONG,
                    "--ends is not a time with its unit: use, for instance, 90d or 12h", null));
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            to.out().println(TextTable.text(answer, "token"));
            String end = answer.path("ends").asString("");
            to.err().println("Token " + name + " has the role " + TextTable.text(answer, "role") + " for "
                    + (answer.path("queues").isEmpty() ? "all queues" : "the queues " + queues(answer))
                    + (end.isEmpty() ? " and no end" : " until " + end)
                    + ". Keep it now: it is not shown again.");
        }
    }

    @Command(name = "list", description = "Show all tokens, without their secrets.", footer = "  orderly token list")
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable columns = new TextTable("TOKEN", "ROLE", "QUEUES", "CREATED", "ENDS", "LAST USED");
            answer.path("tokens").forEach(token -> columns.row(TextTable.text(token, "name"),
                    TextTable.text(token, "role"), queues(token), TextTable.text(token, "created"),
                    token.path("ended").asBoolean(false) ? "ended" : TextTable.text(token, "ends"),
                    TextTable.text(token, "lastUsed")));
            columns.print(to.out());
        }
    }

    @Command(name = "revoke", footer = "  orderly token revoke ops")
    static final class Revoke extends DeleteCommand {
        Revoke(Terminal terminal) {
            super(terminal, OperationSpec.REVOKE_TOKEN, "Token", "revoked");
        }
    }

    /** Shows the audit log. */
    @Command(name = "audit", description = "Show who changed what, when and from where, the newest first.", footer = {
            "  orderly audit", "  orderly audit --object \"queue mails\" --since 2026-05-01T00:00:00Z",
            "  orderly audit --name ops --json | jq '.entries[]'"})
    static final class Audit extends ApiCommand {
        @Option(names = "--name", paramLabel = "NAME", description = "Only changes of this token or user.")
        private @Nullable String name;
        @Option(names = "--operation", paramLabel = "ID", description = "Only this operation, such as pause.")
        private @Nullable String operation;
        @Option(names = "--object", paramLabel = "TEXT", description = "Only this object, such as \"queue mails\".")
        private @Nullable String object;
        @Option(names = "--since", paramLabel = "INSTANT", description = "Only entries from this instant on.")
        private @Nullable String since;
        @Option(names = "--until", paramLabel = "INSTANT", description = "Only entries before this instant.")
        private @Nullable String until;
        @Option(names = "--before", paramLabel = "ID", description = "Only entries before this one: the next page.")
        private @Nullable String before;
        @Option(names = "--limit", paramLabel = "N", description = "Most entries, 1 to 1000; 50 if not given.")
        private int limit = 50;

        Audit(Terminal terminal) {
            super(terminal);
        }

        @Override
        JsonNode ask(ApiClient api) {
            Map<String, String> query = new LinkedHashMap<>();
            query.put("limit", Integer.toString(limit));
            put(query, "name", name);
            put(query, "operation", operation);
            put(query, "object", object);
            put(query, "since", since);
            put(query, "until", until);
            put(query, "before", before);
            return api.get("/api/v1/audit", query);
        }

        private static void put(Map<String, String> query, String key, @Nullable String value) {
            if (value != null) {
                query.put(key, value);
            }
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            TextTable columns = new TextTable("AT", "WHO", "FROM", "OPERATION", "OBJECT", "OUTCOME", "BEFORE", "AFTER");
            answer.path("entries").forEach(entry -> columns.row(text(entry, "at"), text(entry, "kind") + " "
                    + text(entry, "name"), text(entry, "address"), text(entry, "operation"), text(entry, "object"),
                    text(entry, "outcome"), text(entry, "before"), text(entry, "after")));
            columns.print(to.out());
            String next = answer.path("next").asString("");
            if (!next.isEmpty()) {
                to.out().println("There may be more: --before " + next);
            }
        }

        private static String text(JsonNode entry, String name) {
            return TextTable.text(entry, name);
        }
    }
}
