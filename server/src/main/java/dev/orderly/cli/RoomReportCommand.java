package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.schema.UnitText;
import dev.orderly.history.RoomReport;
import dev.orderly.text.VisibleText;
import dev.orderly.time.Time;
import dev.orderly.web.report.RoomReportPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What happened in a room. */
@Command(name = "report",
        description = "Show what happened in a room in a span of time, over all gates: arrivals, entries, waits,"
                + " refusals, and its tiers.",
        footer = {"  orderly room report sale --from 6h",
                "  orderly room report sale --from 2027-03-01T10:00 --to 2027-03-01T14:00 --html monday.html"})
final class RoomReportCommand extends NamedCommand {
    @Option(names = "--from", paramLabel = "TIME",
            description = "The begin: a day and a time such as 2027-03-01T10:00, with an offset if it is not that of"
                    + " this machine's time zone, or how long ago, such as 6h; a day before the end if not given.")
    private @Nullable String from;
    @Option(names = "--to", paramLabel = "TIME", description = "The end, as --from; now if not given.")
    private @Nullable String to;
    @Option(names = "--html", paramLabel = "FILE",
            description = "Write it as one page with pictures that needs no network; replaces the file.")
    private @Nullable Path html;
    @Option(names = "--csv", paramLabel = "FILE", description = "Write its course as a table; replaces the file.")
    private @Nullable Path csv;

    RoomReportCommand(Terminal terminal) {
        super(terminal, RoomCommand.BASE);
    }

    @Override
    JsonNode ask(ApiClient api, String path) {
        Map<String, String> query = new LinkedHashMap<>();
        if (from != null) {
            query.put("since", moment("--from", from).toString());
        }
        if (to != null) {
            query.put("until", moment("--to", to).toString());
        }
        JsonNode answer = api.get(path + "/report", query);
        write(html, answer, RoomReportPage::html);
        write(csv, answer, RoomReportPage::csv);
        return answer;
    }

    @Override
    void print(JsonNode answer, String called, Terminal terminal) {
        RoomReportPage page = page(answer);
        terminal.out().println(VisibleText.of(page.title()));
        TextTable facts = new TextTable("", "");
        page.facts().forEach(facts::row);
        facts.print(terminal.out());
        if (!page.report().tiers().isEmpty()) {
            terminal.out().println();
            TextTable tiers = new TextTable(RoomReportPage.TIER_HEADING.toArray(String[]::new));
            page.tiers().forEach(tier -> tiers.row(tier.toArray(String[]::new)));
            tiers.print(terminal.out());
        }
    }

    private static RoomReportPage page(JsonNode answer) {
        return new RoomReportPage(JsonMapper.shared().treeToValue(answer, RoomReport.class), ZoneId.systemDefault());
    }

    private static void write(@Nullable Path file, JsonNode answer, Function<RoomReportPage, String> form) {
        try {
            if (file != null) {
                Files.writeString(file, form.apply(page(answer)));
            }
        } catch (IOException e) {
            throw new CommandFailedException("The report cannot be written to " + file + ": " + e
                    + "; name a file in a folder that exists and is writable", e);
        }
    }

    private static Instant moment(String option, String text) {
        try {
            return UnitText.duration(text).map(ago -> Time.system().now().minus(ago))
                    .orElseGet(() -> text.length() <= 19
                            ? LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant()
                            : OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException _) {
            throw new CommandFailedException(Main.WRONG, option + " is " + text
                    + ": use a day and a time such as 2027-03-01T10:00, or how long ago, such as 6h", null);
        }
    }
}
