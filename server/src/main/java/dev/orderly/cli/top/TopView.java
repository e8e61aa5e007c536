package dev.orderly.cli.top;

import dev.orderly.cli.terminal.TextTable;
import dev.orderly.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import tools.jackson.databind.JsonNode;

/**
 * Queues, rooms and nodes on one screen, drawn from the answers of the API.
 *
 * @param server address of the API
 * @param now the moment of the answers
 * @param answers {@code queues}, {@code rooms} and {@code nodes} as the API lists them
 */
public record TopView(String server, Instant now, JsonNode answers) {
    private static final AttributedStyle PLAIN = AttributedStyle.DEFAULT;
    private static final AttributedStyle HEAD = AttributedStyle.BOLD;
    private static final AttributedStyle FAINT = AttributedStyle.DEFAULT.faint();
    private static final AttributedStyle ALARM = AttributedStyle.DEFAULT.foreground(AttributedStyle.RED);
    private static final AttributedStyle NOTICE = AttributedStyle.DEFAULT.foreground(AttributedStyle.YELLOW);

    /** A row of a table and how it is drawn. */
    private record Row(AttributedStyle style, List<String> cells) {
        Row(AttributedStyle style, String... cells) {
            this(style, List.of(cells));
        }
    }

    /**
     * The lines of the screen. Queues get what rooms and nodes leave, and each table says how many rows did not fit.
     *
     * @param height the most lines, at least 3
     */
    public List<AttributedString> lines(TopOrder order, int width, int height) {
        List<Row> rooms = rooms();
        List<Row> queues = queues(order);
        List<Row> nodes = nodes();
        int free = Math.max(0, height - 1 - 2 * 3); // a title; a blank line and a head for each table
        int forNodes = Math.min(nodes.size(), Math.max(1, free / 4));
        int forRooms = Math.min(rooms.size(), Math.max(1, free / 3));
        List<AttributedString> lines = new ArrayList<>();
        lines.add(line(title(order), HEAD, width));
        add(lines, width, queues, Math.max(1, free - forNodes - forRooms), "QUEUE", "OLDEST", "WAITING", "DELAYED",
                "RUNNING", "DEAD", "PER SECOND", "DRAINED IN", "STATE");
        add(lines, width, rooms, forRooms, "ROOM", "MODE", "WAITING", "AT THE DOOR", "INSIDE", "FREE", "PER MINUTE",
                "WAIT");
        add(lines, width, nodes, forNodes, "NODE", "HOST", "VERSION", "STATE", "RUNNING", "UP", "REPORT");
        return lines.subList(0, Math.min(lines.size(), height));
    }

    private String title(TopOrder order) {
        return "orderly top   " + server + "   " + now.truncatedTo(ChronoUnit.SECONDS) + "   queues by " + order.text();
    }

    private static void add(List<AttributedString> lines, int width, List<Row> rows, int most, String... head) {
        if (rows.isEmpty()) {
            return;
        }
        boolean fits = rows.size() <= most;
        List<Row> shown = rows.subList(0, fits ? rows.size() : Math.max(0, most - 1));
        TextTable table = new TextTable(head);
        shown.forEach(row -> table.row(row.cells.toArray(String[]::new)));
        lines.add(AttributedString.EMPTY);
        List<String> texts = table.lines();
        lines.add(line(texts.getFirst(), HEAD, width));
        for (int i = 0; i < shown.size(); i++) {
            lines.add(line(texts.get(i + 1), shown.get(i).style, width));
        }
        if (!fits) {
            lines.add(line("and " + (rows.size() - shown.size()) + " more", FAINT, width));
        }
    }

    private static AttributedString line(String text, AttributedStyle style, int width) {
        return new AttributedString(text, style).columnSubSequence(0, width);
    }

    private List<Row> queues(TopOrder order) {
        return items("queues").sorted(order.comparator()).map(queue -> {
            JsonNode jobs = queue.path("jobs");
            String oldest = queue.path("oldestPushedAt").asString("");
            List<String> states = new ArrayList<>();
            if (queue.path("paused").asBoolean(false)) {
                states.add("paused");
            }
            if (!queue.path("handled").asBoolean(false)) {
                states.add("no handler here");
            }
            if (jobs.path("haltedGroups").asLong(0) > 0) {
                states.add(number(jobs, "haltedGroups") + " groups halted");
            }
            AttributedStyle style = jobs.path("dead").asLong(0) > 0 ? ALARM : states.isEmpty() ? PLAIN : NOTICE;
            return new Row(style, TextTable.text(queue, "queue"), oldest.isEmpty() ? "-" : age(Instant.parse(oldest)),
                    number(jobs, "waiting"), number(jobs, "delayed"), number(jobs, "running"), number(jobs, "dead"),
                    String.format(Locale.ROOT, "%.1f", queue.path("drainedPerSecond").asDouble(0)),
                    TextTable.duration(queue, "drainTime"), String.join(", ", states));
        }).toList();
    }

    private List<Row> rooms() {
        return items("rooms").map(room -> {
            String slowed = TextTable.text(room, "slowed");
            boolean free = slowed.equals("no") || slowed.equals("-");
            JsonNode estimate = room.path("estimate");
            return new Row(free ? PLAIN : NOTICE, TextTable.text(room, "room"), TextTable.text(room, "mode"),
                    number(room, "waiting"),
                    number(room, "door"), number(room, "active"), number(room, "free"),
                    number(room.path("admitted"), "last60s"),
                    range(estimate) + (free ? "" : ", slowed by " + slowed));
        }).toList();
    }

    private static String range(JsonNode estimate) {
        return estimate.path("low").isNull() || estimate.path("low").isMissingNode()
                ? "unknown"
                : TextTable.duration(estimate, "low") + " to " + TextTable.duration(estimate, "high");
    }

    private List<Row> nodes() {
        return items("nodes").map(node -> {
            String state = TextTable.text(node, "state");
            boolean silent = state.equals("silent");
            return new Row(silent ? ALARM : state.equals("stopping") ? NOTICE : PLAIN,
                    TextTable.text(node, "node") + (node.path("self").asBoolean(false) ? " *" : ""),
                    TextTable.text(node, "host"),
                    TextTable.text(node, "version"), state, number(node, "running"),
                    age(Instant.parse(node.path("startedAt").asString(now.toString()))),
                    TextTable.duration(node, "reportAge") + " ago");
        }).toList();
    }

    private Stream<JsonNode> items(String list) {
        return StreamSupport.stream(answers.path(list).spliterator(), false);
    }

    private static String number(JsonNode node, String name) {
        long number = node.path(name).asLong(0);
        return number < 10_000 ? Long.toString(number) : String.format(Locale.ROOT, "%,d", number);
    }

    private String age(Instant since) {
        return DurationText.rounded(Duration.between(since, now));
    }
}
