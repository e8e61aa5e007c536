package dev.orderly.cli;

import dev.orderly.cli.terminal.RefreshingScreen;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.top.TopOrder;
import dev.orderly.cli.top.TopView;
import dev.orderly.config.schema.UnitText;
import dev.orderly.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Draws queues, rooms and nodes again and again, until a key ends it. */
@Command(name = "top", description = "Watch queues, rooms and nodes on a screen that refreshes. Keys: q ends, s sorts,"
        + " p pauses, any other key refreshes. Without a terminal it prints one picture and ends.",
        footer = {"  orderly top", "  orderly top --every 5s --sort dead", "  orderly top --once"})
final class TopCommand implements Callable<Integer> {
    private static final Duration SHORTEST = Duration.ofMillis(250);
    /** Size of a picture that is printed into a file or a pipe. */
    private static final int PRINTED_WIDTH = 200;
    private static final int PRINTED_HEIGHT = 1_000;
    private static final int CONTROL_C = 3;

    private final Terminal terminal;
    private final Time time;
    private final Screens screens;

    @Option(names = "--every", paramLabel = "TIME", description = "Time between two pictures, 250ms or more; 2s if not"
            + " given.")
    private String every = "2s";
    @Option(names = "--sort", paramLabel = "ORDER", description = "First order of the queues: age, waiting, dead or"
            + " name; age if not given.")
    private TopOrder order = TopOrder.AGE;
    @Option(names = "--once", description = "Print one picture and end.")
    private boolean once;
    @Mixin
    private ApiOptions server = new ApiOptions();

    /** Opens the terminal of the process. */
    @FunctionalInterface
    interface Screens {
        org.jline.terminal.Terminal open() throws IOException;
    }

    TopCommand(Terminal terminal) {
        this(terminal, Time.system(),
                () -> TerminalBuilder.builder().system(true).nativeSignals(true).build());
    }

    TopCommand(Terminal terminal, Time time, Screens screens) {
        this.terminal = terminal;
        this.time = time;
        this.screens = screens;
    }

    @Override
    public Integer call() throws IOException {
        Duration wait = UnitText.duration(every).filter(value -> value.compareTo(SHORTEST) >= 0)
                .orElseThrow(() -> new CommandFailedException(Main.WRONG, "--every is \"" + every
                        + "\": use a time of 250ms or more, such as 2s", null));
        try (ApiClient api = server.client(terminal.environment())) {
            ObjectNode first = answers(api);
            server.show(first, terminal, shown -> {
                if (once || !terminal.interactive()) {
                    picture(api, shown).lines(order, PRINTED_WIDTH, PRINTED_HEIGHT)
                            .forEach(line -> terminal.out().println(line));
                } else {
                    watch(api, shown, wait);
                }
            });
        }
        return Main.OK;
    }

    private void watch(ApiClient api, JsonNode first, Duration wait) {
        try (org.jline.terminal.Terminal opened = screens.open();
                RefreshingScreen screen = new RefreshingScreen(opened)) {
            TopView view = picture(api, first);
            String note = "";
            boolean paused = false;
            while (true) {
                screen.draw(screenOf(view, screen, paused ? "paused: p goes on" : note));
                int key = screen.key(wait);
                switch (key) {
                    case 'q', CONTROL_C, RefreshingScreen.END_OF_INPUT -> {
                        return;
                    }
                    case 's' -> order = order.next();
                    case 'p' -> paused = !paused;
                    default -> {
                        // any other key refreshes at once
                    }
                }
                if (!paused && key != 's') {
                    try {
                        view = picture(api, ApiOptions.visible(answers(api)));
                        note = "";
                    } catch (CommandFailedException failed) {
                        note = String.valueOf(failed.getMessage());
                    }
                }
            }
        } catch (IOException e) {
            throw new CommandFailedException("The terminal cannot be used (" + e + "): print one picture with --once",
                    e);
        }
    }

    private List<AttributedString> screenOf(TopView view, RefreshingScreen screen, String note) {
        int width = screen.width();
        if (note.isEmpty()) {
            return view.lines(order, width, screen.height());
        }
        List<AttributedString> lines = new ArrayList<>(view.lines(order, width, screen.height() - 1));
        lines.add(1, new AttributedString(note, AttributedStyle.DEFAULT.foreground(AttributedStyle.YELLOW))
                .columnSubSequence(0, width));
        return lines;
    }

    private TopView picture(ApiClient api, JsonNode answers) {
        return new TopView(api.base(), time.now(), answers);
    }

    private static ObjectNode answers(ApiClient api) {
        ObjectNode all = JsonMapper.shared().createObjectNode();
        all.set("queues", api.get(QueueCommand.BASE, Map.of()).path("queues"));
        all.set("rooms", api.get(RoomCommand.BASE, Map.of()).path("rooms"));
        all.set("nodes", api.get(NodeCommand.BASE, Map.of()).path("nodes"));
        return all;
    }
}
