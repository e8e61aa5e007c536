package dev.orderly.cli;

import dev.orderly.cli.RehearsalText.Rehearsed;
import dev.orderly.cli.terminal.Terminal;
import dev.orderly.config.RoomConfig;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.schema.UnitText;
import dev.orderly.rehearsal.RecordedCrowd;
import dev.orderly.rehearsal.RehearsalChart;
import dev.orderly.rehearsal.RehearsalCrowd;
import dev.orderly.rehearsal.RehearsedCrowd;
import dev.orderly.rehearsal.RoomRehearsal;
import dev.orderly.rehearsal.TierShare;
import dev.orderly.rehearsal.VisitorRecording;
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
import java.util.stream.Collectors;
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
                    + " the server, or lines with the time of an arrival and, behind a comma, the stay (4m) or absent,"
                    + " and tier=members.")
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
    @Option(names = "--tier", paramLabel = "TIER=SHARE",
            description = "The share of the visitors that belongs to a tier, such as members=20%%, for each tier once;"
                    + " that of the tier in the configuration if not given.")
    private Map<String, String> tiers = Map.of();
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

    @Override
    public Integer call() {
        Duration most = bound == null ? null : time("--p95-below", bound, Duration.ofDays(7));
        RehearsedCrowd described = replay == null ? described() : null;
        RoomConfig chosen = chosen(file, room);
        RehearsalCrowd crowd = described == null ? recorded(chosen.name()) : described.withShares(shares(chosen));
        List<Rehearsed> rehearsed = new ArrayList<>(List.of(rehearse(file, chosen, crowd)));
        if (against != null) {
            rehearsed.add(rehearse(against, chosen(against, chosen.name().value()), crowd));
        }
        sayTiersOfNone(rehearsed);
        String title = title(rehearsed.getFirst().room(), crowd);
        if (json) {
            terminal.out().println(JsonMapper.shared().writeValueAsString(
                    Map.of("rehearsals", rehearsed.stream().map(RehearsalText::json).toList())));
        } else {
            new RehearsalText(title, rehearsed).print(terminal.out());
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

    private List<TierShare> shares(RoomConfig chosen) {
        Map<String, Double> shares = new LinkedHashMap<>();
        chosen.options().tiers().all().forEach(tier -> shares.put(tier.name(), tier.share() / 100.0));
        tiers.forEach((tier, share) -> shares.put(tier, UnitText.share(share)
                .orElseThrow(() -> wrong("--tier is " + tier + "=" + share + ": use a share of 0% to 100%, such as "
                        + tier + "=20%"))));
        if (shares.values().stream().mapToDouble(Double::doubleValue).sum() > 1.000_001) {
            throw wrong("The visitors of the tiers are more than all: lower a share of --tier, or name one for each of "
                    + String.join(", ", shares.keySet()));
        }
        return shares.entrySet().stream().map(each -> new TierShare(each.getKey(), each.getValue())).toList();
    }

    /** A tier of the crowd that no room has is a wrong name; one that a single room has not is not. */
    private void sayTiersOfNone(List<Rehearsed> rehearsed) {
        for (String tier : rehearsed.getFirst().report().crowd().tiers()) {
            List<String> without = rehearsed.stream().filter(each -> each.report().tier(tier).isEmpty())
                    .map(Rehearsed::name).toList();
            if (without.size() == rehearsed.size() && tiers.containsKey(tier)) {
                throw wrong("--tier names " + tier + ", which is no tier of room " + rehearsed.getFirst().room().name()
                        + ": use the name of a tier in " + String.join(" or ", without));
            }
            without.forEach(name -> terminal.err().println("Visitors of tier " + tier + " have no tier in " + name
                    + ", and wait in its first line"));
        }
    }

    /** @param name of the room whose lines count */
    private RecordedCrowd recorded(RoomName name) {
        if (visitors != null || over != null || arrivals != null || absent != null || !tiers.isEmpty()) {
            throw wrong("A recorded day says who comes and who is absent: leave out --visitors, --over, --arrivals,"
                    + " --absent and --tier beside --replay");
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
            case RecordedCrowd recorded ->
                RehearsalText.text(recorded.over()) + " as recorded from " + recorded.first() + " on";
        };
        return String.format(Locale.ROOT, "Room %s: %,d visitors within %s, %s never come back", room.name(),
                crowd.visitors(), how, UnitText.shareText(Math.round(crowd.absent() * 1_000) / 1_000.0));
    }

    private void draw(String title, List<Rehearsed> rehearsed) {
        if (svg != null) {
            try {
                Files.writeString(svg, RehearsalChart.svg(title, rehearsed.stream()
                        .map(each -> new RehearsalChart.Line(each.name(), each.report())).toList()));
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
            int shutOut = each.report().shutOut();
            int all = each.all().waits().size() + shutOut;
            long late = shutOut + each.all().waits().stream().filter(waited -> waited.compareTo(most) >= 0).count();
            if (late > all / 20) {
                terminal.err().println(shutOut > 0
                        ? String.format(Locale.ROOT,
                                "%s: %,d of %,d wait for %s or longer, or are shut out at the close",
                                each.name(), late, all, DurationText.of(most))
                        : each.name() + ": 95 % wait up to " + RehearsalText.text(wait) + ", which is not below "
                                + DurationText.of(most));
                result = Main.FAILED;
            }
        }
        return result;
    }
}
