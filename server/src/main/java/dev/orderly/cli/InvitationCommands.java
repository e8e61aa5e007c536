package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.schema.UnitText;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands on invitations to the tiers of a room. */
final class InvitationCommands {
    private InvitationCommands() {}

    /** Issues a series. */
    @Command(name = "invite",
            description = "Issue invitations to a tier of a room, as CSV. Each code gives one place, once"
                    + " over all nodes. The codes are secrets and are shown once; nothing stores them.",
            footer = {"  orderly room invite sale --tier press --count 500 --expires 24h > codes.csv",
                    "  orderly room invite sale --tier press --count 500 --expires 24h --page"
                            + " https://shop.example/tickets > codes.csv",
                    "  orderly room invite sale --tier press --expires 7d --user ann@example.com"})
    static final class Invite extends NamedCommand {
        @Option(names = "--tier", paramLabel = "TIER", required = true,
                description = "A tier of the room that has invitations: true.")
        private String tier = "";
        @Option(names = "--count", paramLabel = "N", description = "How many, 1 to 10000; 1 if not given.")
        private int count = 1;
        @Option(names = "--expires", paramLabel = "TIME", required = true,
                description = "How long they are good, such as 24h or 7d: 1m to 90d.")
        private String expires = "";
        @Option(names = "--user", paramLabel = "ID",
                description = "The only user who may redeem them, by the id in the tokens of users.")
        private @Nullable String user;
        @Option(names = "--page", paramLabel = "URL",
                description = "A page of the site that the room protects, to which links lead. Without it, links begin"
                        + " with the path.")
        private @Nullable String page;

        Invite(Terminal terminal) {
            super(terminal, RoomCommand.BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            Duration life = UnitText.duration(expires).orElseThrow(() -> new CommandFailedException(Main.WRONG,
                    "--expires is not a time with its unit (m, h, d): for instance 24h", null));
            URI site = page == null ? null : site(page);
            ObjectNode body = RoomCommand.body().put("tier", tier).put("count", count).put("expires", life.toString());
            ObjectNode issued = (ObjectNode) RoomCommand.post(api, path + "/invitations",
                    user == null ? body : body.put("user", user));
            return issued.put("link", link(issued, site));
        }

        private static URI site(String text) {
            try {
                URI site = new URI(text);
                if (("https".equals(site.getScheme()) || "http".equals(site.getScheme())) && site.getHost() != null) {
                    return site;
                }
            } catch (URISyntaxException _) {
                // said below
            }
            throw new CommandFailedException(Main.WRONG, "--page is no address of a page: for instance"
                    + " https://shop.example/tickets", null);
        }

        /** What comes before the code: a fragment, which no log of a server gets. */
        private static String link(JsonNode issued, @Nullable URI site) {
            String path = "/.orderly/rooms/" + TextTable.text(issued, "room") + "/invitation";
            if (site == null) {
                return path + "#";
            }
            String query = site.getRawQuery() == null ? "" : "?" + site.getRawQuery();
            String back = (site.getRawPath().isEmpty() ? "/" : site.getRawPath()) + query;
            return site.getScheme() + "://" + site.getRawAuthority() + path + "?back="
                    + URLEncoder.encode(back, StandardCharsets.UTF_8) + "#";
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("code,link,expires");
            answer.path("codes").forEach(code -> to.out().println(code.asString() + "," + TextTable.text(answer, "link")
                    + code.asString() + "," + TextTable.text(answer, "expires")));
            to.err().println(answer.path("codes").size() + " invitations to tier " + TextTable.text(answer, "tier")
                    + ", series " + TextTable.text(answer, "series") + ". How many were used: orderly room invitations "
                    + name + " " + TextTable.text(answer, "series"));
        }
    }

    /** Shows a series. */
    @Command(name = "invitations",
            description = "Show how many invitations of a series gave a place, or revoke the rest.",
            footer = {"  orderly room invitations sale 0123456789ab",
                    "  orderly room invitations sale 0123456789ab --revoke"})
    static final class Invitations extends NamedCommand {
        @Parameters(index = "1", paramLabel = "SERIES", description = "The id that was shown when they were issued.")
        private String series = "";
        @Option(names = "--revoke", description = "Let them give no more places. Places that they gave stay.")
        private boolean revoke;

        Invitations(Terminal terminal) {
            super(terminal, RoomCommand.BASE);
        }

        @Override
        JsonNode ask(ApiClient api, String path) {
            String of = path + "/invitations/" + ApiClient.encoded(series);
            return revoke ? api.delete(of) : api.get(of, Map.of());
        }

        @Override
        void print(JsonNode answer, String name, Terminal to) {
            to.out().println("Series " + TextTable.text(answer, "series") + " of room " + name + ": "
                    + TextTable.text(answer, "used") + " used"
                    + (answer.path("revoked").asBoolean() ? ", the others revoked." : "."));
        }
    }
}
