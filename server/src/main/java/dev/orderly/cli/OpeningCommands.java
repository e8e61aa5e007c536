package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.room.Opening;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands on the scheduled openings of a room. */
final class OpeningCommands {
    private OpeningCommands() {}

    /** What the openings of a room mean now, and the opening under way or to come. */
    static String opening(JsonNode openings) {
        JsonNode next = openings.path("next");
        String cancelled = openings.path("cancelled").isNull()
                ? ""
                : "; that of " + TextTable.text(openings, "cancelled") + " is cancelled";
        return TextTable.text(openings, "phase") + (next.isObject()
                ? ", opens " + time(next, "opens") + (next.path("instead").isNull()
                        ? ""
                        : " instead of " + time(next, "instead"))
                : "") + cancelled;
    }

    /** What a draw waits for; empty for nothing. */
    static String awaited(JsonNode beacon) {
        return !beacon.isObject()
                ? ""
                : "waits for " + TextTable.text(beacon, "source") + ", known at " + TextTable.text(beacon, "at")
                        + (beacon.path("failure").isString() ? "; " + TextTable.text(beacon, "failure") : "");
    }

    /** A moment in the notation of the configuration. */
    private static String time(JsonNode opening, String name) {
        try {
            return opening.path(name).isString()
                    ? Opening.text(Instant.parse(TextTable.text(opening, name))
                            .atZone(ZoneId.of(TextTable.text(opening, "zone"))))
                    : "";
        } catch (DateTimeException _) {
            return TextTable.text(opening, name); // of another version
        }
    }

    @Command(name = "openings", description = "Show the scheduled openings of a room.",
            footer = "  orderly room openings sale")
    static final class Openings extends NamedCommand {
        Openings(Terminal terminal) {
            super(terminal, RoomCommand.BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return api.get(path, Map.of());
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            JsonNode openings = answer.path("openings");
            if (!openings.isObject()) {
                to.out().println("Room " + name + " has no openings: it is always open.");
                return;
            }
            to.out().println("Room " + name + ": " + opening(openings));
            TextTable columns = new TextTable("OPENS", "LOBBY FROM", "CLOSES", "STOCK");
            openings.path("configured").forEach(each -> columns.row(time(each, "opens"), time(each, "lobby"),
                    time(each, "closes"), each.path("stock").isNull() ? "" : TextTable.text(each, "stock")));
            columns.print(to.out());
        }
    }

    @Command(name = "open-at",
            description = "Move the next opening of a room. Visitors read the new time beside the old one. An earlier"
                    + " time than announced must be five minutes away at least.",
            footer = {"  orderly room open-at sale \"2027-03-01T10:30 Europe/Berlin\"",
                    "  orderly room open-at sale \"2027-03-01T10:30 Europe/Berlin\" --closes"
                            + " \"2027-03-01T15:00 Europe/Berlin\""})
    static final class OpenAt extends NamedCommand {
        @Parameters(index = "1", paramLabel = "TIME", description = "The day and time, with the time zone.")
        private String time = "";
        @Option(names = "--closes", paramLabel = "TIME", description = "The new end; without it, the end stays.")
        private @Nullable String closes;

        OpenAt(Terminal terminal) {
            super(terminal, RoomCommand.BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            ObjectNode body = RoomCommand.body().put("opens", time);
            return RoomCommand.post(api, path + "/open-at", closes == null ? body : body.put("closes", closes));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Room " + name + ": " + opening(answer.path("openings")));
        }
    }

    @Command(name = "cancel-opening",
            description = "Cancel the next opening of a room. Visitors read that it was cancelled; places are kept.",
            footer = "  orderly room cancel-opening sale --yes")
    static final class CancelOpening extends NamedCommand {
        @Option(names = "--yes", description = "Do it; it cannot be undone.")
        private boolean sure;

        CancelOpening(Terminal terminal) {
            super(terminal, RoomCommand.BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            if (!sure) {
                throw new CommandFailedException(Main.WRONG, "Visitors who wait for the opening are told that it is"
                        + " cancelled: add --yes to do it", null);
            }
            return RoomCommand.post(api, path + "/cancel-opening", RoomCommand.body());
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Room " + name + ": " + opening(answer.path("openings")));
        }
    }

    @Command(name = "draw-value",
            description = "Record the value of the beacon of a draw, as it was published. It is stored once, and the"
                    + " draw follows at once.",
            footer = "  orderly room draw-value sale \"4 8 15 16 23 42\"")
    static final class DrawValue extends NamedCommand {
        @Parameters(index = "1", paramLabel = "VALUE", description = "The value, in one line.")
        private String value = "";

        DrawValue(Terminal terminal) {
            super(terminal, RoomCommand.BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            return RoomCommand.post(api, path + "/draw-value", RoomCommand.body().put("value", value));
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Room " + name + ": the value is stored, and the draw follows.");
        }
    }
}
