package dev.orderly.cli;

import dev.orderly.config.schema.RoomSchema;
import dev.orderly.config.schema.ValueType;
import dev.orderly.room.Rate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Overrides the configured limits of a room. */
@Command(name = "limit",
        description = "Override the limits of a room on all nodes, until they are restored. A limit that is not given"
                + " stays as it is.",
        footer = {"  orderly room limit sale --capacity 100 --rate \"10 per 1m\"",
                "  orderly room limit sale --capacity configured --rate configured"})
final class RoomLimit extends NamedCommand {
    private static final String CONFIGURED = "configured";

    @Option(names = "--capacity", paramLabel = "N",
            description = "The most visitors inside at once; \"" + CONFIGURED + "\" restores the configured capacity.")
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
        ObjectNode body = JsonMapper.shared().createObjectNode();
        if (capacity != null) {
            if (capacity.equals(CONFIGURED)) {
                body.putNull("capacity");
            } else {
                body.put("capacity", value("--capacity", RoomSchema.CAPACITY.kind(), capacity));
            }
        }
        if (rate != null) {
            if (rate.equals(CONFIGURED)) {
                body.putNull("rate");
            } else {
                Rate given = value("--rate", RoomSchema.RATE.kind(), rate);
                body.putObject("rate").put("visitors", given.admissions()).put("period", given.period().toString());
            }
        }
        if (body.isEmpty()) {
            throw new CommandFailed(Main.WRONG, "No limit is given: add --capacity, --rate, or both", null);
        }
        return api.patch(path, JsonMapper.shared().writeValueAsBytes(body));
    }

    private static <T> T value(String option, ValueType<T> kind, String text) {
        return kind.read().apply(text).orElseThrow(() -> new CommandFailed(Main.WRONG, option + " is not " + kind.rule()
                + ": for instance " + kind.example() + ", or " + CONFIGURED, null));
    }

    @Override
    void print(JsonNode answer, String name, Terminal to) {
        JsonNode limits = answer.path("limits");
        JsonNode configured = limits.path("configured");
        JsonNode override = limits.path("override");
        to.out().println("Room " + name + " admits by "
                + RoomCommand.limits(override.isObject() ? override : configured) + " within a second; configured is "
                + RoomCommand.limits(configured) + ".");
    }
}
