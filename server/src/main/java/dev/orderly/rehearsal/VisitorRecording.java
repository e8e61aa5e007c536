package dev.orderly.rehearsal;

import dev.orderly.config.schema.UnitText;
import dev.orderly.rehearsal.RecordedCrowd.Visit;
import dev.orderly.room.RoomName;
import dev.orderly.room.Tiers;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a recorded day: the visitor log of the server, or lines with an arrival and perhaps a stay. In memory is what a
 * million visitors need at most, whatever the length of the file.
 */
public final class VisitorRecording {
    private static final int LINE_MAX = 64 << 10;
    private static final Duration STAY_MAX = Duration.ofDays(1);
    private static final Duration SPAN_MAX = Duration.ofDays(6);
    private static final long YEAR_9999 = 253_402_300_799L;
    private static final int GZIP = GZIPInputStream.GZIP_MAGIC;
    private static final String MARK = "\uFEFF";
    private static final String TIER = "tier=";
    private static final String FORM = "use a time, and behind commas the stay or absent, and the tier, such"
            + " as 2027-03-01T10:00:00Z,4m,tier=members";

    private final String name;
    private final RoomName room;
    private final @Nullable Duration stay;
    private final SplittableRandom random;
    private final List<Visit> visits = new ArrayList<>();
    /** Visitors of the visitor log. */
    private final Map<Place, Logged> logged = new HashMap<>();
    private final Map<String, String> tiers = new HashMap<>();
    private long line;
    private long lost;

    /** The file is no such record. */
    public static final class InvalidException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        InvalidException(String message) {
            super(message);
        }
    }

    /**
     * A place in the line of a tier.
     *
     * @param tier empty for none
     */
    private record Place(String tier, long number) {}

    /** What the lines of a place say. */
    private static final class Logged {
        private Instant first;
        private @Nullable Instant inside;
        private @Nullable Instant last;
        private boolean cameBack;

        Logged(Instant at) {
            first = at;
        }

        void add(Instant at, boolean permitted) {
            first = at.isBefore(first) ? at : first;
            if (permitted) {
                inside = inside == null || at.isBefore(inside) ? at : inside;
                last = last == null || at.isAfter(last) ? at : last;
            }
        }
    }

    private VisitorRecording(Path file, RoomName room, @Nullable Duration stay, long seed) {
        this.name = String.valueOf(file.getFileName());
        this.room = room;
        this.stay = stay;
        this.random = new SplittableRandom(seed);
    }

    /**
     * Reads a file, also one that is compressed by gzip, as rotated logs are.
     *
     * @param room whose lines of a visitor log count
     * @param stay the mean of the stays that the file does not say; null if it has to say all
     * @throws InvalidException naming the line, the rule and the remedy
     */
    public static RecordedCrowd read(Path file, RoomName room, @Nullable Duration stay, long seed) throws IOException {
        VisitorRecording recording = new VisitorRecording(file, room, stay, seed);
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file));
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(unpacked(bytes), StandardCharsets.UTF_8))) {
            for (String text = recording.next(lines); text != null; text = recording.next(lines)) {
                // Editors of some systems begin a file with a byte order mark.
                boolean marked = recording.line == 1 && text.startsWith(MARK);
                recording.add((marked ? text.substring(1) : text).strip());
            }
        }
        return recording.crowd(seed);
    }

    private static InputStream unpacked(InputStream bytes) throws IOException {
        bytes.mark(2);
        int magic = bytes.read() | bytes.read() << 8;
        bytes.reset();
        return magic == GZIP ? new GZIPInputStream(bytes) : bytes;
    }

    private @Nullable String next(BufferedReader lines) throws IOException {
        line++;
        StringBuilder text = new StringBuilder();
        int sign = lines.read();
        if (sign < 0) {
            return null;
        }
        for (; sign >= 0 && sign != '\n'; sign = lines.read()) {
            if (text.length() == LINE_MAX) {
                throw wrong("it is longer than " + LINE_MAX + " characters: " + FORM);
            }
            text.append((char) sign);
        }
        return text.toString();
    }

    private void add(String text) {
        if (text.startsWith("{")) {
            addLogged(text);
        } else if (!text.isEmpty() && !text.startsWith("#")) {
            visits.add(visit(text));
        }
        if (visits.size() + logged.size() > RehearsalCrowd.VISITORS_MAX) {
            throw wrong("it is of visitor number " + (RehearsalCrowd.VISITORS_MAX + 1) + ": a rehearsal has "
                    + RehearsalCrowd.VISITORS_MAX + " at most, so leave lines out");
        }
    }

    private Visit visit(String text) {
        int comma = text.indexOf(',');
        Instant arrival = time(comma < 0 ? text : text.substring(0, comma).strip());
        String rest = comma < 0 ? "" : text.substring(comma + 1).strip();
        int last = rest.lastIndexOf(',') + 1;
        String tier = rest.substring(last).strip();
        if (!tier.startsWith(TIER)) {
            return new Visit(arrival, stay(rest), null);
        }
        return new Visit(arrival, stay(last == 0 ? "" : rest.substring(0, last - 1).strip()), named(tier));
    }

    private Duration stay(String text) {
        if (text.equals("absent")) {
            return Visit.ABSENT;
        }
        return text.isEmpty()
                ? unknown(line)
                : UnitText.duration(text).filter(value -> value.compareTo(STAY_MAX) <= 0)
                        .orElseThrow(() -> wrong(text + " is no stay of up to 1d: " + FORM));
    }

    /** One text for all visitors of a tier. */
    private String named(String tier) {
        String known = tier.substring(TIER.length()).strip();
        return tiers.computeIfAbsent(known, _ -> {
            if (!Tiers.Tier.isName(known)) {
                throw wrong(tier + " names no tier: " + FORM);
            }
            return known;
        });
    }

    private Instant time(String text) {
        try {
            Instant at = Instant.parse(text);
            if (at.getEpochSecond() < 0 || at.getEpochSecond() > YEAR_9999) {
                throw wrong(text + " is none of the years 1970 to 9999: " + FORM);
            }
            return at;
        } catch (DateTimeException _) {
            throw wrong((text.length() <= 60 ? text : text.substring(0, 60)) + " is no time with its zone: " + FORM);
        }
    }

    /** A line of the visitor log; other rooms and requests without a place are none of this crowd. */
    private void addLogged(String text) {
        JsonNode entry;
        try {
            entry = JsonMapper.shared().readTree(text);
        } catch (JacksonException _) {
            throw wrong("it is cut off, or no line of a visitor log: remove it");
        }
        lost += entry.path("lost").asLong(0);
        JsonNode place = entry.path("place");
        if (entry.path("room").asString("").equals(room.value()) && place.isIntegralNumber()
                && place.canConvertToLong()) {
            Instant at = time(entry.path("time").asString(""));
            String tier = entry.path("tier").asString("");
            Place of = new Place(tier.isEmpty() ? "" : named(TIER + tier), place.asLong());
            Logged known = logged.get(of);
            if (known == null) {
                known = new Logged(at);
                logged.put(of, known);
            } else {
                known.cameBack = true;
            }
            known.add(at, entry.path("permitted").asBoolean(false));
        }
    }

    private RecordedCrowd crowd(long seed) {
        logged.forEach((place, each) -> visits.add(new Visit(each.first, stayOf(place.number, each),
                place.tier.isEmpty() ? null : place.tier)));
        if (visits.isEmpty()) {
            throw new InvalidException(name + " has no visitor with a place in room " + room + ": record with"
                    + " visitor-log: { requests: all }, or write lines: " + FORM);
        }
        RecordedCrowd crowd = new RecordedCrowd(visits, lost, seed);
        if (crowd.over().compareTo(SPAN_MAX) > 0) {
            throw new InvalidException("The visitors of " + name + " come within " + crowd.over().toDays()
                    + " days: leave lines out until it is " + SPAN_MAX.toDays() + " days at most");
        }
        return crowd;
    }

    private Duration stayOf(long place, Logged visitor) {
        if (visitor.inside != null && visitor.last != null) {
            Duration inside = Duration.between(visitor.inside, visitor.last);
            return inside.compareTo(STAY_MAX) <= 0 ? inside : STAY_MAX;
        }
        return visitor.cameBack ? unknownOf("the visitor of place " + place + " did not enter") : Visit.ABSENT;
    }

    private Duration unknown(long number) {
        return unknownOf("line " + number + " has none");
    }

    /** As those of a crowd that is described: from half of the mean to one and a half times. */
    private Duration unknownOf(String why) {
        return Optional.ofNullable(stay).map(mean -> Duration.ofMillis((long) (mean.toMillis()
                * random.nextDouble(0.5, 1.5)))).orElseThrow(() -> new InvalidException(name
                        + " does not say all stays, " + why + ": add --stay, such as --stay 4m"));
    }

    private InvalidException wrong(String what) {
        return new InvalidException(name + ", line " + line + ": " + what);
    }
}
