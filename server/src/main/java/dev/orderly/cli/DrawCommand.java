package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.room.Beacon;
import dev.orderly.room.Draw;
import dev.orderly.room.Draw.Lobby;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.draw.DrawOrder;
import dev.orderly.room.draw.LobbyTree;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands on draws, which need no server. */
@Command(name = "draw", synopsisSubcommandLabel = "COMMAND", description = "Check the draws of openings.",
        footer = "  orderly draw verify https://shop.example/.orderly/rooms/sale/draw")
final class DrawCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int COUNT_MAX = 50_000_000;

    private DrawCommand() {}

    static CommandLine with(Terminal terminal) {
        return new CommandLine(new DrawCommand()).addSubcommand("verify", new Verify(terminal));
    }

    @Command(name = "verify",
            description = "Check a published draw: that its seed is the one committed to before the lobby, and with a"
                    + " receipt, that the ticket is among those of the root and has the place that was drawn.",
            footer = {"  orderly draw verify https://shop.example/.orderly/rooms/sale/draw",
                    "  orderly draw verify draw.json --receipt receipt.json"})
    static final class Verify implements Callable<Integer> {
        private final Terminal terminal;
        @Parameters(index = "0", paramLabel = "FILE|URL", description = "The draw.")
        private String draw = "";
        @Option(names = "--receipt", paramLabel = "FILE|URL", description = "A receipt of that draw.")
        private @Nullable String receipt;

        Verify(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() {
            JsonNode published = read(draw);
            if (!published.path("seed").isString()) {
                throw new CommandFailedException("The draw has no seed yet: check it again after the draw", null);
            }
            try {
                check(published, receipt == null ? null : read(receipt));
            } catch (IllegalArgumentException | ArithmeticException e) {
                throw new CommandFailedException("The draw or the receipt has a value that is none: " + e.getMessage()
                        + ". Name the JSON as the server answered it", e);
            }
            return Main.OK;
        }

        private void check(JsonNode published, @Nullable JsonNode held) {
            String seed = text(published, "seed");
            String root = text(published, "root");
            int count = published.path("count").asInt(-1);
            Beacon beacon = published.path("beaconSource").isString()
                    ? new Beacon(text(published, "beaconSource"), moment(published, "beaconAt"))
                    : null;
            if (count < 0 || count > COUNT_MAX) {
                throw new IllegalArgumentException("count " + published.path("count"));
            }
            String rules = text(published, "rules");
            expect(rules.equals(Draw.RULES) || rules.equals(Draw.RULES_OF_TIERS),
                    "The rules are not those that this program knows");
            expect(text(published, "commitment").equals(Draw.commitment(new RoomName(text(published, "room")),
                    moment(published, "opens"), rules, beacon, seed)),
                    "The commitment of before the lobby is not that of this seed");
            List<Lobby> lobby = lobby(published, count);
            expect(rules.equals(Draw.RULES_OF_TIERS) == published.has("tiers")
                    && lobby.stream().mapToLong(Lobby::count).sum() == count,
                    "The tickets of the tiers are not " + count + " together, or not of these rules");
            terminal.out().println("The seed is the one committed to before the lobby.");
            if (held != null) {
                long index = held.path("index").asLong(-1);
                expect(index >= 0 && index < count, "The receipt has index " + index + " of " + count);
                Lobby line = lobby.stream().filter(each -> each.has(index)).findFirst().orElseThrow();
                receipt(held, index, published, line, DrawOrder.of(seed, root,
                        beacon == null ? null : text(published, "beacon"), line.base() + 1, (int) line.count()));
            }
        }

        /** The tickets of each line, by their indices; of a draw without tiers one line. */
        private static List<Lobby> lobby(JsonNode published, int count) {
            List<Lobby> lines = new ArrayList<>();
            long first = 0;
            for (JsonNode line : published.path("tiers")) {
                long size = line.path("count").asLong(-1);
                if (size < 0 || size > count) {
                    throw new IllegalArgumentException("count " + line.path("count"));
                }
                lines.add(new Lobby(text(line, "name"), first - 1, size));
                first += size;
            }
            return published.has("tiers") ? lines : List.of(new Lobby("", -1, count));
        }

        private void receipt(JsonNode held, long index, JsonNode published, Lobby line, DrawOrder order) {
            long count = published.path("count").asLong();
            String leaf = text(held, "leaf");
            List<String> path = held.path("path").valueStream().map(JsonNode::asString).toList();
            VisitorId ticket = VisitorId.parse(text(held, "ticket")).orElseThrow(
                    () -> new IllegalArgumentException("ticket " + held.path("ticket")));
            expect(leaf.equals(LobbyTree.leaf(ticket, text(held, "nonce"), line.tier())),
                    "The leaf is not that of the ticket, its nonce and its tier");
            expect(LobbyTree.root(index, count, leaf, path).equals(text(published, "root")),
                    "The ticket is not among those of the root");
            long place = order.place((int) (index - line.base() - 1)) + 1L;
            expect(held.path("place").asLong(-1) == place, "The receipt has place " + held.path("place")
                    + ", and the drawn one is " + place);
            terminal.out().println("The ticket is number " + index + " of " + count
                    + " in the root, and its drawn place is " + place
                    + (line.tier().isEmpty() ? "." : " of tier " + line.tier() + "."));
        }

        private static void expect(boolean held, String fault) {
            if (!held) {
                throw new CommandFailedException(fault + ": the draw is not what it says, or the file was changed",
                        null);
            }
        }

        private static String text(JsonNode json, String name) {
            JsonNode value = json.path(name);
            if (!value.isString()) {
                throw new IllegalArgumentException("no " + name);
            }
            return value.stringValue();
        }

        private static Instant moment(JsonNode json, String name) {
            return java.time.format.DateTimeFormatter.ISO_INSTANT.parse(text(json, name), Instant::from);
        }

        private static JsonNode read(String from) {
            try {
                return JsonMapper.shared().readTree(from.startsWith("http://") || from.startsWith("https://")
                        ? fetched(URI.create(from))
                        : Files.readString(Path.of(from)));
            } catch (IOException | JacksonException | IllegalArgumentException e) {
                throw new CommandFailedException(from + " cannot be read: " + e.getMessage()
                        + ". Name a file or an address with the JSON of a draw or a receipt", e);
            }
        }

        private static String fetched(URI address) throws IOException {
            try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
                HttpResponse<String> answer = client.send(HttpRequest.newBuilder(address).timeout(PATIENCE)
                        .header("Accept", "application/json").build(), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() != 200) {
                    throw new IOException("the answer is " + answer.statusCode());
                }
                return answer.body();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }
}
