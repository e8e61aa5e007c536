package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Listed;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.room.Beacon;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The scheduled openings of a room of the file. */
final class OpeningConfig {
    static final KeySpec.Key<String> OPENS = new KeySpec.Key<>("opens", RoomValueTypes.zonedTime(),
            new Absent.Refused(), "The moment from which visitors enter.");
    static final KeySpec.Key<Duration> LOBBY = new KeySpec.Key<>("lobby", ValueTypes.duration("0s", "24h", "30m"),
            new Absent.Means("0s"), "The time before it from which visitors take places in line.");
    static final KeySpec.Key<String> CLOSES = new KeySpec.Key<>("closes", RoomValueTypes.zonedTime(),
            new Absent.Depends("no end"), "The moment from which nobody new enters; visitors inside stay.");
    static final KeySpec.Key<Long> STOCK = new KeySpec.Key<>("stock", ValueTypes.count(1, 1_000_000_000, "5000"),
            new Absent.Depends("unknown"),
            "About how many visitors there is something for; more who wait are told so.");
    static final KeySpec.Key<Boolean> DRAW = new KeySpec.Key<>("draw", ValueTypes.flag(), new Absent.Means("false"),
            "Whether the places of the lobby are drawn, in a way that everybody can check.");
    static final KeySpec.Key<String> BEACON = new KeySpec.Key<>("beacon",
            RoomValueTypes.text(300, "Lottery of 1 March 2027"),
            new Absent.Depends("none"),
            "A public value that enters the draw: the address of a round of drand, which the server fetches, or words"
                    + " that name another draw, whose value an operator types.");
    static final KeySpec.Key<String> BEACON_AT = new KeySpec.Key<>("beacon-at", RoomValueTypes.zonedTime(),
            new Absent.Depends("none"), "The moment from which the value is known; not before the opening.");
    static final Listed OPENINGS = new Listed("openings", List.of(OPENS, LOBBY, CLOSES, STOCK, DRAW, BEACON, BEACON_AT),
            "Windows in which visitors enter; outside of them the room is closed, or open with `between: open`.");
    static final KeySpec.Key<Between> BETWEEN = new KeySpec.Key<>("between", ValueTypes.choice(Between.class),
            new Absent.Means("closed"),
            "The room before each lobby, and after the last opening: closed, or open as a room without openings.");

    /** A room outside of its openings. */
    enum Between {
        CLOSED, OPEN
    }

    private OpeningConfig() {}

    static Openings read(CheckedSection at) {
        List<CheckedSection> items = at.items(OPENINGS);
        if (items.isEmpty()) {
            if (at.has(BETWEEN)) {
                at.report(BETWEEN, "It says what the room is between its openings, and it has none",
                        "add openings, or remove between");
            }
            return Openings.NONE;
        }
        List<Opening> windows = items.stream().flatMap(item -> opening(item).stream()).toList();
        try {
            return windows.size() < items.size()
                    ? Openings.NONE // what is invalid was reported
                    : new Openings(windows, at.value(BETWEEN).orElse(Between.CLOSED) == Between.OPEN);
        } catch (IllegalArgumentException e) {
            at.report(OPENINGS, "Its openings contradict each other", String.valueOf(e.getMessage()));
            return Openings.NONE;
        }
    }

    private static Optional<Opening> opening(CheckedSection at) {
        Optional<ZonedDateTime> opens = time(at, OPENS);
        Optional<ZonedDateTime> closes = time(at, CLOSES);
        if (opens.isEmpty() || (at.has(CLOSES) && closes.isEmpty())) {
            return Optional.empty();
        }
        try {
            return beacon(at).map(beacon -> new Opening(opens.get(), at.value(LOBBY).orElse(Duration.ZERO),
                    closes.orElse(null), at.value(STOCK).map(Math::toIntExact).orElse(null),
                    at.value(DRAW).orElse(false), beacon.orElse(null)));
        } catch (IllegalArgumentException e) {
            at.report("The opening is none", String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** The beacon, if there is one; empty if it is invalid, which was reported. */
    private static Optional<Optional<Beacon>> beacon(CheckedSection at) {
        if (!at.has(BEACON) && !at.has(BEACON_AT)) {
            return Optional.of(Optional.empty());
        }
        Optional<ZonedDateTime> known = time(at, BEACON_AT);
        Optional<String> source = at.value(BEACON);
        if (!at.has(BEACON) || !at.has(BEACON_AT)) {
            at.report(at.has(BEACON) ? BEACON : BEACON_AT, "A beacon has a name and a moment",
                    "give both beacon and beacon-at");
        }
        if (known.isEmpty() || source.isEmpty()) {
            return Optional.empty();
        }
        try {
            Beacon beacon = new Beacon(source.get(), known.get().toInstant());
            beacon.round();
            return Optional.of(Optional.of(beacon));
        } catch (IllegalArgumentException e) {
            at.report(BEACON, "It is no beacon whose value can be fetched", String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static Optional<ZonedDateTime> time(CheckedSection at, KeySpec.Key<String> key) {
        return at.value(key).flatMap(text -> {
            try {
                return Optional.of(Opening.parseTime(text));
            } catch (IllegalArgumentException e) {
                at.report(key, "There is no such time", String.valueOf(e.getMessage()));
                return Optional.empty();
            }
        });
    }

    /** Their part of the room's line in the log. */
    static Stream<String> inForce(Openings openings) {
        return openings.isEmpty()
                ? Stream.of()
                : Stream.concat(openings.windows().stream().map(opening -> "opens " + Opening.text(opening.opens())
                        + " lobby " + UnitText.text(opening.lobby())
                        + (opening.closes() == null ? "" : " closes " + Opening.text(opening.closes()))
                        + (opening.stock() == null ? "" : " stock " + opening.stock())
                        + (opening.draw() ? " draw" : "")),
                        Stream.of("between " + (openings.openBetween() ? "open" : "closed")));
    }
}
