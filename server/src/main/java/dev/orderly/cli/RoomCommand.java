package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.RoomConfig;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueType;
import dev.orderly.room.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Commands on rooms. */
@Command(name = "room", synopsisSubcommandLabel = "COMMAND", description = "Look at waiting rooms and operate them.",
        footer = {"  orderly room list", "  orderly room admit sale 50", "  orderly room hold sale"})
final class RoomCommand {
    static final String BASE = "/api/v1/rooms";

    private RoomCommand() {}

    static CommandLine with(Terminal terminal) {
        CommandLine room = new CommandLine(new RoomCommand()).addSubcommand("list", new ListAll(terminal))
                .addSubcommand("show", new Show(terminal)).addSubcommand("front", new Front(terminal))
                .addSubcommand("places", new RoomPlacesCommand(terminal))
                .addSubcommand("report", new RoomReportCommand(terminal)).addSubcommand("admit", new Admit(terminal))
                .addSubcommand("limit", new RoomLimit(terminal))
                .addSubcommand("openings", new OpeningCommands.Openings(terminal))
                .addSubcommand("open-at", new OpeningCommands.OpenAt(terminal))
                .addSubcommand("cancel-opening", new OpeningCommands.CancelOpening(terminal))
                .addSubcommand("draw-value", new OpeningCommands.DrawValue(terminal));
        mode(room, terminal, "hold", "Admit only visitors admitted by hand; the line grows, passes stay valid.");
        mode(room, terminal, "open", "Admit every visitor; no line is kept.");
        mode(room, terminal, "auto", "Admit visitors as the limits allow.");
        mode(room, terminal, "drain", "Admit visitors in line, turn away other visitors.");
        mode(room, terminal, "reject", "Turn away visitors without a pass; places are kept.");
        mode(room, terminal, "shadow", "Admit every visitor, and count visitors who would have waited.");
        return room.addSubcommand("message", new Message(terminal)).addSubcommand("epoch", new Epoch(terminal))
                .addSubcommand("revoke", new Revoke(terminal))
                .addSubcommand("invite", new InvitationCommands.Invite(terminal))
                .addSubcommand("invitations", new InvitationCommands.Invitations(terminal));
    }

    private static void mode(CommandLine room, Terminal terminal, String mode, String description) {
        CommandLine command = new CommandLine(new Mode(terminal, mode));
        command.getCommandSpec().usageMessage().description(description).footer("  orderly room " + mode + " sale");
        room.addSubcommand(mode, command);
    }

    /** The API's list of rooms as a table. */
    static void print(JsonNode answer, Terminal terminal) {
        TextTable columns = new TextTable("ROOM", "MODE", "WAITING", "AT THE DOOR", "INSIDE", "FREE", "PER MINUTE",
                "SLOWED");
        answer.path("rooms").forEach(room -> columns.row(text(room, "room"), text(room, "mode"), text(room, "waiting"),
                text(room, "door"), text(room, "active"), text(room, "free"), text(room.path("admitted"), "last60s"),
                text(room, "slowed")));
        columns.print(terminal.out());
    }

    private static String backlog(String signal) {
        return switch (signal) {
            case "held" -> " (the backlog is unknown: its last value counts)";
            case "lost" -> " (the backlog has been unknown for a minute: it slows no admission)";
            default -> "";
        };
    }

    private static String text(JsonNode node, String name) {
        return TextTable.text(node, name);
    }

    /** Limits in the notation of the configuration. */
    static String limits(JsonNode limits) {
        if (!limits.isObject()) {
            return "none";
        }
        JsonNode rate = limits.path("rate");
        String capacity = limits.path("capacity").isNull() ? "" : "capacity " + text(limits, "capacity");
        String pace = rate.isNull()
                ? ""
                : "rate " + text(rate, "visitors") + " per "
                        + UnitText.text(Duration.parse(rate.path("period").asString()));
        String both = capacity + (capacity.isEmpty() || pace.isEmpty() ? "" : ", ") + pace;
        return both.isEmpty() ? "none" : both;
    }

    private static String span(JsonNode estimate) {
        String cause = " (" + text(estimate, "cause").replace('-', ' ') + ")";
        return (estimate.path("low").isNull()
                ? "unknown"
                : TextTable.duration(estimate, "low") + " to " + TextTable.duration(estimate, "high")) + cause;
    }

    static JsonNode post(ApiClient api, String path, ObjectNode body) {
        return api.post(path, Map.of(), JsonMapper.shared().writeValueAsBytes(body),
                Map.of("Content-Type", "application/json"));
    }

    static ObjectNode body() {
        return JsonMapper.shared().createObjectNode();
    }

    @Command(name = "list", description = "Show all rooms.", footer = {"  orderly room list",
            "  orderly room list --json | jq '.rooms[].waiting'"})
    static final class ListAll extends ListCommand {
        ListAll(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        void print(JsonNode answer, Terminal to) {
            RoomCommand.print(answer, to);
        }
    }

    @Command(name = "show", description = "Show the state of a room.", footer = "  orderly room show sale")
    static final class Show extends NamedCommand {
        Show(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode room = (ObjectNode) api.get(path, Map.of());
            JsonNode refused = api.get(path + "/refusals", Map.of());
            room.set("refusals", refused.path("refusals"));
            room.set("unreachable", refused.path("unreachable"));
            return room;
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            JsonNode limits = answer.path("limits");
            TextTable columns = new TextTable("ROOM", name);
            List.of("mode", "message").forEach(key -> columns.row(key, text(answer, key)));
            answer.path("messages").forEachEntry((tag, each) -> columns.row("message " + tag, each.asString()));
            columns.row("line", text(answer, "length") + " places in line " + text(answer, "epoch") + ", called up to "
                    + text(answer, "cursor") + ", " + text(answer, "waiting") + " waiting");
            answer.path("tiers").forEach(tier -> columns.row("tier " + text(tier, "name"), text(tier, "share")
                    + " % of the admissions, " + text(tier, "length") + " places, called up to " + text(tier, "cursor")
                    + ", " + text(tier, "waiting") + " waiting, " + text(tier, "door") + " at the door, "
                    + text(tier, "admitted") + " admitted"));
            columns.row("door", text(answer, "door") + " called and present");
            columns.row("inside", text(answer, "active") + ", " + text(answer, "free") + " free");
            columns.row("admitted", text(answer.path("admitted"), "last10s") + " in 10 s, "
                    + text(answer.path("admitted"), "last60s") + " in 60 s, "
                    + text(answer.path("admitted"), "sinceEpoch") + " in all; "
                    + text(answer, "granted") + " more by hand");
            columns.row("limits", limits(limits.path("inForce")));
            columns.row("configured", limits(limits.path("configured")));
            columns.row("override", limits(limits.path("override")));
            columns.row("slowed", text(answer, "slowed") + backlog(text(answer, "backlogSignal")));
            columns.row("new visitors", "wait " + span(answer.path("estimate")));
            if (answer.path("openings").isObject()) {
                columns.row("opening", OpeningCommands.opening(answer.path("openings")));
                columns.row("draw", OpeningCommands.awaited(answer.path("openings").path("awaits")));
            }
            columns.row("gates", text(answer, "gates"));
            columns.print(to.out());
            answer.path("refusals").forEach(refusal -> to.out().println("Refused since the start: "
                    + text(refusal, "count") + " by " + text(refusal, "cause").replace('-', ' ') + ", last "
                    + text(refusal, "last") + ", at " + String.join(", ", refusal.path("gates").propertyNames()) + "; "
                    + text(refusal, "remedy")));
            printUnreachable(answer, to);
        }
    }

    /** Names the nodes whose answers are missing. */
    static void printUnreachable(JsonNode answer, Terminal to) {
        answer.path("unreachable").forEach(node -> to.err().println("The node " + node.asString("")
                + " did not answer: what only it knows is missing."));
    }

    @Command(name = "front", description = "Show the present visitors at the front of the line, whichever node sees"
            + " them.", footer = {"  orderly room front sale", "  orderly room front sale --limit 10"})
    static final class Front extends NamedCommand {
        @Option(names = "--limit", paramLabel = "N", description = "The most visitors, 1 to 200; 50 if not given.")
        private int limit = 50;

        Front(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return api.get(path + "/front", Map.of("limit", Integer.toString(limit)));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            TextTable columns = new TextTable("TICKET NO.", "STATE", "PAGE", "PRESENT UNTIL", "NODE", "JOINED",
                    "VISITOR");
            answer.path("visitors").forEach(visitor -> columns.row(
                    (visitor.path("tier").isString() ? text(visitor, "tier") + " " : "") + text(visitor, "place"),
                    visitor.path("called").asBoolean() ? "at the door" : "waits",
                    visitor.path("connected").asBoolean() ? "connected" : "polls", text(visitor, "presentUntil"),
                    text(visitor, "gate"), text(visitor, "joined"), text(visitor, "visitor")));
            columns.print(to.out());
            printUnreachable(answer, to);
        }
    }

    @Command(name = "admit",
            description = "Admit the next visitors, beyond the rate and in mode hold too, but never beyond the"
                    + " capacity.",
            footer = "  orderly room admit sale 50")
    static final class Admit extends NamedCommand {
        @Parameters(index = "1", paramLabel = "N", description = "Number of visitors, 1 to 1000000.")
        private int visitors;

        Admit(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return post(api, path + "/admit", body().put("visitors", visitors));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println(text(answer, "granted") + " visitors of room " + name + " may enter as capacity becomes"
                    + " free; " + text(answer, "free") + " places inside are free.");
        }
    }

    /** Described once for each mode, where the command is added. */
    @Command
    static final class Mode extends NamedCommand {
        private final String mode;

        Mode(Terminal terminal, String mode) {
            super(terminal, BASE);
            this.mode = mode;
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return post(api, path + "/mode", body().put("mode", mode));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Room " + name + " is in mode " + text(answer, "mode") + "."
                    + (mode.equals("auto") ? "" : " Back to the limits with: orderly room auto " + name));
        }
    }

    @Command(name = "message", description = "Show a message on the waiting page; without a text, remove it.",
            footer = {"  orderly room message sale \"The doors open at ten.\"",
                    "  orderly room message sale --in en=\"Back at ten\" --in de=\"Um zehn geht es weiter\"",
                    "  orderly room message sale"})
    static final class Message extends NamedCommand {
        @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT",
                description = "For visitors of all languages, or of the languages not given; at most 500 characters.")
        private String text = "";
        @Option(names = "--in", paramLabel = "LANGUAGE=TEXT", description = "For visitors of a language, such as de or"
                + " pt-BR; once for each language.")
        private Map<String, String> texts = Map.of();

        Message(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode body = text.isBlank() ? body().putNull("text") : body().put("text", text);
            texts.forEach((language, each) -> body.withObject("texts").put(language, each));
            return post(api, path + "/message", body);
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println(answer.path("message").isNull()
                    ? "The waiting page of room " + name + " has no message now."
                    : "Visitors who wait for room " + name + " read: " + text(answer, "message"));
            answer.path("messages")
                    .forEachEntry((language, each) -> to.out().println("  " + language + ": " + each.asString()));
        }
    }

    @Command(name = "epoch", description = "Begin a new line: void every place and every pass.",
            footer = "  orderly room epoch sale --yes")
    static final class Epoch extends NamedCommand {
        @Option(names = "--yes", description = "Do it; it cannot be undone.")
        private boolean sure;

        Epoch(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            if (!sure) {
                throw new CommandFailedException(Main.WRONG,
                        "A new line sends all waiting and admitted visitors back to"
                                + " its end: add --yes to do it",
                        null);
            }
            return post(api, path + "/epoch", body());
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Room " + name + " has a new line, number " + text(answer, "epoch") + ".");
        }
    }

    @Command(name = "revoke", description = "End the stay of one visitor, or void the place.",
            footer = "  orderly room revoke sale AAAAAAAAAAAAAAAAAAAAAA")
    static final class Revoke extends NamedCommand {
        @Parameters(index = "1", paramLabel = "VISITOR",
                description = "The visitor's id, which the site gets in the header Orderly-Visitor.")
        private String visitor = "";

        Revoke(Terminal terminal) {
            super(terminal, BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return post(api, path + "/revoke", body().put("visitor", visitor));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("The pass and the place of this visitor of room " + name + " are void.");
        }
    }

    /** Overrides the configured limits of a room. */
    @Command(name = "limit",
            description = "Override the limits of a room on all nodes, until they are restored. A limit that is not"
                    + " given stays as it is.",
            footer = {"  orderly room limit sale --capacity 100 --rate \"10 per 1m\"",
                    "  orderly room limit sale --capacity configured --rate configured"})
    static final class RoomLimit extends NamedCommand {
        private static final String CONFIGURED = "configured";

        @Option(names = "--capacity", paramLabel = "N",
                description = "The most visitors inside at once; \"" + CONFIGURED
                        + "\" restores the configured capacity.")
        private @Nullable String capacity;
        @Option(names = "--rate", paramLabel = "RATE",
                description = "The most visitors that enter in a period, such as \"5 per 15s\"; \"" + CONFIGURED
                        + "\" restores the configured rate.")
        private @Nullable String rate;

        RoomLimit(Terminal terminal) {
            super(terminal, RoomCommand.BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode body = body();
            if (capacity != null) {
                body.put("capacity", capacity.equals(CONFIGURED)
                        ? null
                        : value("--capacity", RoomConfig.CAPACITY.kind(), capacity));
            }
            if (rate != null) {
                if (rate.equals(CONFIGURED)) {
                    body.putNull("rate");
                } else {
                    Rate given = value("--rate", RoomConfig.RATE.kind(), rate);
                    body.putObject("rate").put("visitors", given.admissions()).put("period", given.period().toString());
                }
            }
            if (body.isEmpty()) {
                throw new CommandFailedException(Main.WRONG, "No limit is given: add --capacity, --rate, or both",
                        null);
            }
            return api.patch(path, JsonMapper.shared().writeValueAsBytes(body));
        }

        private static <T> T value(String option, ValueType<T> kind, String text) {
            return kind.read().apply(text)
                    .orElseThrow(() -> new CommandFailedException(Main.WRONG, option + " is not " + kind.rule()
                            + ": for instance " + kind.example() + ", or " + CONFIGURED, null));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            JsonNode limits = answer.path("limits");
            JsonNode configured = limits.path("configured");
            JsonNode override = limits.path("override");
            to.out().println("Room " + name + " admits by "
                    + RoomCommand.limits(override.isObject() ? override : configured)
                    + " within a second; configured is "
                    + RoomCommand.limits(configured) + ".");
        }
    }
}
