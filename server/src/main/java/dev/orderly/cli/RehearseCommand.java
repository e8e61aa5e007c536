package dev.orderly.cli;

import dev.orderly.cli.terminal.Terminal;
import dev.orderly.cli.terminal.TextTable;
import dev.orderly.config.RoomConfig;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.schema.UnitText;
import dev.orderly.rehearsal.RecordedCrowd;
import dev.orderly.rehearsal.RehearsalChart;
import dev.orderly.rehearsal.RehearsalCrowd;
import dev.orderly.rehearsal.RehearsalReport;
import dev.orderly.rehearsal.RehearsalReport.Minute;
import dev.orderly.rehearsal.RehearsalReport.Slot;
import dev.orderly.rehearsal.RehearsedCrowd;
import dev.orderly.rehearsal.RoomRehearsal;
import dev.orderly.rehearsal.VisitorRecording;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.text.DurationText;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Lets a simulated crowd wait in a room of a configuration. */
@Command(name = "rehearse",
        description = "Let a simulated crowd wait in a room of a configuration, in virtual time: how long the line"
                + " gets, how long visitors wait, when it is empty. Needs no server and changes nothing.",
        footer = {"  orderly rehearse --visitors 100000 --over 10m --stay 4m --absent 20%%",
                "  orderly rehearse --visitors 20000 --over 30m --stay 5m --against larger.yaml --svg sale.svg",
                "  orderly rehearse --visitors 20000 --over 30m --stay 5m --p95-below 30m && echo fine",
                "  orderly rehearse --replay log/visitors.log --stay 4m"})
final class RehearseCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(names = "--config", paramLabel = "FILE", defaultValue = "orderly.yaml",
            description = "The configuration; ${DEFAULT-VALUE} if not given.")
    private Path file = Path.of("");
    @Option(names = "--against", paramLabel = "FILE",
            description = "Another configuration with a room of this name, for the same crowd.")
    private @Nullable Path against;
    @Option(names = "--room", paramLabel = "ROOM",
            description = "The room; not needed if the configuration has one.")
    private @Nullable String room;
    @Option(names = "--replay", paramLabel = "FILE",
            description = "Visitors as they came on a recorded day, instead of --visitors and --over: a visitor log of"
                    + " the server, or lines with the time of an arrival and, behind a comma, the stay (4m) or absent.")
    private @Nullable Path replay;
    @Option(names = "--visitors", paramLabel = "N", description = "Visitors, 1 to 1000000.")
    private @Nullable Integer visitors;
    @Option(names = "--over", paramLabel = "TIME",
            description = "The time over which they arrive, 1s to 1d, such as 10m.")
    private @Nullable String over;
    @Option(names = "--arrivals", paramLabel = "HOW",
            description = "even; or rush: half of them in the first tenth of that time. even if not given.")
    private RehearsedCrowd.@Nullable Arrivals arrivals;
    @Option(names = "--stay", paramLabel = "TIME",
            description = "Their mean time inside, from the first request to the last, 1s to 1d. Stays vary from half"
                    + " of it to one and a half times; then the pass is idle until it ends (pass-idle). Of a recorded"
                    + " day, for visitors whose stay it does not say.")
    private @Nullable String stay;
    @Option(names = "--absent", paramLabel = "SHARE",
            description = "The share that takes a place and never comes back, 0%% to 99%%; 0%% if not given.")
    private @Nullable String absent;
    @Option(names = "--begin", paramLabel = "TIME",
            description = "When the first arrive, such as 2027-03-01T10:00, in the time zone of the room's openings or"
                    + " limits by the clock; if not given, with the next lobby, else as recorded, or now.")
    private @Nullable String begin;
    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
            description = "The same seed is the same crowd; ${DEFAULT-VALUE} if not given.")
    private long seed;
    @Option(names = "--p95-below", paramLabel = "TIME",
            description = "Exit with 1 unless 95 %% of the visitors wait less than this.")
    private @Nullable String bound;
    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the line and the waits; replaces the file.")
    private @Nullable Path svg;
    @Option(names = "--json", description = "Print the result as JSON; times in seconds.")
    private boolean json;

    RehearseCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** @param name as it was given */
    private record Rehearsed(String name, RoomConfig room, RehearsalReport report) {
        Slot all() {
            return report.everybody();
        }
    }

    @Override
    public Integer call() {
        Duration most = bound == null ? null : time("--p95-below", bound, Duration.ofDays(7));
        RehearsedCrowd described = replay == null ? described() : null;
        RoomConfig chosen = chosen(file, room);
        RehearsalCrowd crowd = described == null ? recorded(chosen.name()) : described;
        List<Rehearsed> rehearsed = new ArrayList<>(List.of(rehearse(file, chosen, crowd)));
        if (against != null) {
            rehearsed.add(rehearse(against, chosen(against, chosen.name().value()), crowd));
        }
        String title = title(rehearsed.getFirst().room, crowd);
        if (json) {
            terminal.out().println(JsonMapper.shared().writeValueAsString(
                    Map.of("rehearsals", rehearsed.stream().map(RehearseCommand::json).toList())));
        } else {
            print(title, rehearsed);
        }
        draw(title, rehearsed);
        return most == null ? Main.OK : judged(rehearsed, most);
    }

    // ---- what is asked for

    private RehearsedCrowd described() {
        if (visitors == null || over == null || stay == null) {
            throw wrong("A crowd is missing: describe it with --visitors, --over and --stay, or name a recorded day"
                    + " with --replay");
        }
        if (visitors < 1 || visitors > RehearsalCrowd.VISITORS_MAX) {
            throw wrong("--visitors is " + visitors + ": use 1 to " + RehearsalCrowd.VISITORS_MAX);
        }
        String share = absent == null ? "0%" : absent;
        return new RehearsedCrowd(visitors, time("--over", over, Duration.ofDays(1)),
                arrivals == null ? RehearsedCrowd.Arrivals.EVEN : arrivals,
                time("--stay", stay, Duration.ofDays(1)), UnitText.share(share).filter(value -> value <= 0.99)
                        .orElseThrow(() -> wrong("--absent is " + share + ": use 0% to 99%, such as 20%")),
                seed);
    }

    /** @param name of the room whose lines count */
    private RecordedCrowd recorded(RoomName name) {
        if (visitors != null || over != null || arrivals != null || absent != null) {
            throw wrong("A recorded day says who comes and who is absent: leave out --visitors, --over, --arrivals and"
                    + " --absent beside --replay");
        }
        Path record = Objects.requireNonNull(replay);
        Duration usual = stay == null ? null : time("--stay", stay, Duration.ofDays(1));
        try {
            RecordedCrowd crowd = VisitorRecording.read(record, name, usual, seed);
            if (crowd.lost() > 0) {
                terminal.err().println(String.format(Locale.ROOT, "%s has lost %,d lines, so that the crowd was larger",
                        record, crowd.lost()));
            }
            return crowd;
        } catch (VisitorRecording.InvalidException e) {
            throw wrong(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CommandFailedException(Main.WRONG, "The recorded day " + record + " cannot be read: " + e
                    + "; name a readable file with --replay", e);
        }
    }

    private static Duration time(String option, String text, Duration most) {
        return UnitText.duration(text)
                .filter(value -> value.compareTo(Duration.ofSeconds(1)) >= 0 && value.compareTo(most) <= 0)
                .orElseThrow(() -> wrong(option + " is " + text + ": use a time of 1s to " + UnitText.text(most)
                        + ", such as 10m"));
    }

    private RoomConfig chosen(Path from, @Nullable String name) {
        List<RoomConfig> rooms = ConfigOption.read(new ConfigFile(from, terminal.environment()), from).site().rooms();
        return rooms.stream().filter(each -> name == null || each.name().value().equals(name)).findFirst()
                .filter(_ -> name != null || rooms.size() == 1)
                .orElseThrow(() -> wrong(unknown(from, name, rooms)));
    }

    private static CommandFailedException wrong(String message) {
        return new CommandFailedException(Main.WRONG, message, null);
    }

    private Rehearsed rehearse(Path from, RoomConfig chosen, RehearsalCrowd crowd) {
        try {
            Instant first = begin(chosen.options(), crowd);
            OpeningStatus opening = chosen.options().openings().at(List.of(), first);
            if (opening.opening() == null && !opening.admits()) {
                throw wrong(
                        "At " + first + " the last opening of room " + chosen.name() + " is over: add another one in "
                                + from + ", or name an earlier time with --begin");
            }
            return new Rehearsed(from.toString(), chosen, RoomRehearsal.run(chosen.options(), crowd, first));
        } catch (RoomRehearsal.TooLongException e) {
            throw new CommandFailedException("Room " + chosen.name() + " of " + from + ": " + e.getMessage(), e);
        }
    }

    private static String unknown(Path from, @Nullable String name, List<RoomConfig> rooms) {
        String known = rooms.stream().map(each -> each.name().value()).collect(Collectors.joining(", "));
        return rooms.isEmpty()
                ? from + " has no room: declare one in rooms"
                : name == null
                        ? from + " has the rooms " + known + ": choose one with --room"
                        : from + " has no room " + name + ": it has " + known;
    }

    /** In a room with openings the crowd comes with the next lobby, also one that was recorded at another time. */
    private Instant begin(RoomOptions options, RehearsalCrowd crowd) {
        Instant now = Time.system().now();
        Optional<Opening> opening = options.openings().windows().stream()
                .filter(each -> each.closes() == null || each.closes().toInstant().isAfter(now)).findFirst();
        if (begin == null) {
            return opening.map(Opening::lobbyFrom)
                    .orElse(crowd instanceof RecordedCrowd recorded ? recorded.first() : now);
        }
        try {
            return LocalDateTime.parse(begin)
                    .atZone(opening.map(each -> each.opens().getZone()).orElse(options.timetable().zone())).toInstant();
        } catch (DateTimeParseException e) {
            throw wrong("--begin is " + begin + ": use a day and a time, such as 2027-03-01T10:00");
        }
    }

    // ---- what is shown

    private static String title(RoomConfig room, RehearsalCrowd crowd) {
        String how = switch (crowd) {
            case RehearsedCrowd described -> DurationText.of(described.over())
                    + (described.arrivals() == RehearsedCrowd.Arrivals.RUSH ? " in a rush" : "") + ", stays of "
                    + DurationText.of(described.stay());
            case RecordedCrowd recorded -> text(recorded.over()) + " as recorded from " + recorded.first() + " on";
        };
        return String.format(Locale.ROOT, "Room %s: %,d visitors within %s, %s never come back", room.name(),
                crowd.visitors(), how, UnitText.shareText(Math.round(crowd.absent() * 1_000) / 1_000.0));
    }

    private void print(String title, List<Rehearsed> rehearsed) {
        terminal.out().println(title);
        terminal.out().println();
        TextTable facts = table("", rehearsed.stream().map(Rehearsed::name).toList());
        fact(facts, "limits", rehearsed, each -> limits(each.room));
        fact(facts, "wait p50", rehearsed, each -> text(each.all().quantile(0.5)));
        fact(facts, "wait p95", rehearsed, each -> text(each.all().quantile(0.95)));
        fact(facts, "longest wait", rehearsed, each -> text(each.all().quantile(1)));
        fact(facts, "longest line", rehearsed, each -> longest(each.report.longest()));
        fact(facts, "nobody waits", rehearsed, each -> "after " + text(each.report.end()));
        if (rehearsed.stream().anyMatch(each -> each.report.shutOut() > 0)) {
            fact(facts, "shut out at the close", rehearsed,
                    each -> String.format(Locale.ROOT, "%,d", each.report.shutOut()));
        }
        fact(facts, "use of the capacity", rehearsed, each -> each.report.used() == null
                ? "-"
                : Math.round(each.report.used() * 100) + " % while visitors wait");
        facts.print(terminal.out());
        terminal.out().println();
        List<String> columns = new ArrayList<>(List.of("VISITORS"));
        rehearsed.forEach(each -> columns.addAll(rehearsed.size() == 1
                ? List.of("WAIT P50", "WAIT P95")
                : List.of("P50 " + each.name, "P95 " + each.name)));
        TextTable slots = table("ARRIVED", columns);
        for (int n = 0; n < rehearsed.getFirst().report.slots().size(); n++) {
            Slot first = rehearsed.getFirst().report.slots().get(n);
            List<String> row = new ArrayList<>(List.of(text(first.from()) + " to " + text(first.to()),
                    String.format(Locale.ROOT, "%,d", first.waits().size())));
            for (Rehearsed each : rehearsed) {
                Slot slot = each.report.slots().get(n);
                row.addAll(List.of(text(slot.quantile(0.5)), text(slot.quantile(0.95))));
            }
            slots.row(row.toArray(String[]::new));
        }
        slots.print(terminal.out());
    }

    private static TextTable table(String first, List<String> others) {
        List<String> head = new ArrayList<>(List.of(first));
        head.addAll(others);
        return new TextTable(head.toArray(String[]::new));
    }

    private static void fact(TextTable table, String name, List<Rehearsed> rehearsed,
            Function<Rehearsed, String> value) {
        List<String> row = new ArrayList<>(List.of(name));
        rehearsed.forEach(each -> row.add(value.apply(each)));
        table.row(row.toArray(String[]::new));
    }

    private static String limits(RoomConfig room) {
        Limits limits = room.options().limits();
        return Stream.of(limits.mostPasses().map(most -> String.format(Locale.ROOT, "capacity %,d", most)),
                limits.mostAdmissions().map(rate -> "rate " + rate),
                Optional.of("pass-idle " + DurationText.of(room.options().stay().passIdle())))
                .flatMap(Optional::stream).collect(Collectors.joining(", "));
    }

    private static String longest(Minute minute) {
        return String.format(Locale.ROOT, "%,d after %s", minute.waiting(), text(minute.at()));
    }

    private static String text(Duration value) {
        return DurationText.rounded(value);
    }

    private static Map<String, Object> json(Rehearsed rehearsed) {
        RehearsalReport report = rehearsed.report;
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("config", rehearsed.name);
        all.put("room", rehearsed.room.name().value());
        all.put("waitP50", rehearsed.all().quantile(0.5).toSeconds());
        all.put("waitP95", rehearsed.all().quantile(0.95).toSeconds());
        all.put("longestWait", rehearsed.all().quantile(1).toSeconds());
        all.put("longestLine", report.longest().waiting());
        all.put("nobodyWaitsAfter", report.end().toSeconds());
        all.put("shutOut", report.shutOut());
        if (report.used() != null) {
            all.put("useOfCapacity", report.used());
        }
        all.put("arrivals", report.slots().stream().map(slot -> Map.of("from", slot.from().toSeconds(), "to",
                slot.to().toSeconds(), "visitors", slot.waits().size(), "waitP50", slot.quantile(0.5).toSeconds(),
                "waitP95",
                slot.quantile(0.95).toSeconds())).toList());
        all.put("minutes", report.minutes().stream().map(at -> Map.of("at", at.at().toSeconds(), "waiting",
                at.waiting(), "entered", at.entered())).toList());
        return all;
    }

    private void draw(String title, List<Rehearsed> rehearsed) {
        if (svg != null) {
            try {
                Files.writeString(svg, RehearsalChart.svg(title, rehearsed.stream()
                        .map(each -> new RehearsalChart.Line(each.name, each.report)).toList()));
            } catch (IOException e) {
                throw new CommandFailedException("The picture cannot be written to " + svg + ": " + e
                        + "; name a file in a folder that exists and is writable", e);
            }
        }
    }

    private int judged(List<Rehearsed> rehearsed, Duration most) {
        int result = Main.OK;
        for (Rehearsed each : rehearsed) {
            Duration wait = each.all().quantile(0.95);
            int shutOut = each.report.shutOut();
            int all = each.all().waits().size() + shutOut;
            long late = shutOut + each.all().waits().stream().filter(waited -> waited.compareTo(most) >= 0).count();
            if (late > all / 20) {
                terminal.err().println(shutOut > 0
                        ? String.format(Locale.ROOT,
                                "%s: %,d of %,d wait for %s or longer, or are shut out at the close",
                                each.name, late, all, DurationText.of(most))
                        : each.name + ": 95 % wait up to " + text(wait) + ", which is not below "
                                + DurationText.of(most));
                result = Main.FAILED;
            }
        }
        return result;
    }
}
