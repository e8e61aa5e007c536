package dev.orderly.room;

import dev.orderly.text.LocalizedText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A room at one moment, as gates remember it and operators see it.
 *
 * @param message shown on the waiting page; null for none
 * @param limits the limits in force
 * @param slowed why the limits in force are tighter than those set
 * @param override limits that an operator set instead of the configured ones; null if none
 * @param voided visitors whose tokens are void before they expire, with the moment until which each is listed
 * @param moved the visitors of {@code voided} whose places other devices took over
 * @param openings changes of the configured openings by operators
 * @param draws the draws of openings, without the seeds of those that are not made yet
 * @param tiers the lines of tiers, by number from 1; {@code line} is that of all other visitors
 * @param at the moment of this state
 */
public record RoomState(RoomName room, long epoch, RoomMode mode, @Nullable LocalizedText message, Line line, Load load,
        Pace pace, Limits limits, SlowdownReason slowed, @Nullable Limits override, Map<VisitorId, Instant> voided,
        Set<VisitorId> moved, List<OpeningChange> openings, DrawLedger draws, List<TierLine> tiers,
        Instant at) {
    public RoomState {
        voided = Map.copyOf(voided);
        moved = Set.copyOf(moved);
        openings = List.copyOf(openings);
        tiers = List.copyOf(tiers);
    }

    /** A state without changes of openings and without draws. */
    public RoomState(RoomName room, long epoch, RoomMode mode, @Nullable LocalizedText message, Line line, Load load,
            Pace pace, Limits limits, SlowdownReason slowed, @Nullable Limits override,
            Map<VisitorId, Instant> voided, Set<VisitorId> moved, Instant at) {
        this(room, epoch, mode, message, line, load, pace, limits, slowed, override, voided, moved, List.of(),
                DrawLedger.NONE, List.of(), at);
    }

    /** This state with lines of tiers, whose visitors the load counts too. */
    public RoomState withTiers(List<TierLine> lines) {
        return new RoomState(room, epoch, mode, message, line, load, pace, limits, slowed, override, voided, moved,
                openings, draws, lines, at);
    }

    /**
     * This state as visitors of the line of a place see it: with that line, and its visitors at the door. A line that
     * is not known yet is empty.
     */
    public RoomState seenFrom(long place) {
        int number = Tiers.line(place);
        if (number == 0 && tiers.isEmpty()) {
            return this;
        }
        int door = number == 0
                ? load.door - tiers.stream().mapToInt(TierLine::door).sum()
                : tier(place).map(TierLine::door).orElse(0);
        int known = number == 0
                ? load.known - tiers.stream().mapToInt(TierLine::known).sum()
                : tier(place).map(TierLine::known).orElse(0);
        return new RoomState(room, epoch, mode, message, lineOf(place),
                new Load(load.active, load.free, Math.max(0, door), Math.max(0, known), load.granted, load.gates), pace,
                limits, slowed, override, voided, moved, openings, draws, tiers, at);
    }

    /** The line of a place; empty, if it is not known yet. */
    public Line lineOf(long place) {
        if (Tiers.line(place) == 0) {
            return line;
        }
        long start = Tiers.start(Tiers.line(place));
        return tier(place).map(TierLine::line).orElseGet(() -> new Line(start, start, start, false));
    }

    /** The line of the tier of a place; empty for the first line, and for one that is not known yet. */
    public Optional<TierLine> tier(long place) {
        int number = Tiers.line(place);
        return number == 0 || number > tiers.size() ? Optional.empty() : Optional.of(tiers.get(number - 1));
    }

    /** The name of the tier of a place; null for the first line, and for one that is not known yet. */
    public @Nullable String tierName(long place) {
        return tier(place).map(TierLine::name).orElse(null);
    }

    /** The number of a place that its visitor sees; that of a tier's line with the name of the tier before it. */
    public String ticketNumber(long place) {
        String number = Long.toString(Tiers.number(place));
        return tier(place).map(tier -> tier.name + " " + number).orElse(number);
    }

    /** The place before the next one of the line of a tier: of the first line without a tier, or without its line. */
    public long end(@Nullable String tier) {
        return tiers.stream().filter(each -> each.name.equals(tier)).map(each -> each.line.length).findFirst()
                .orElse(line.length);
    }

    /** The first line and those of the tiers, by number. */
    public Stream<Line> lines() {
        return Stream.concat(Stream.of(line), tiers.stream().map(TierLine::line));
    }

    /** Places called, of all lines. */
    public long called() {
        return lines().mapToLong(each -> Tiers.number(each.cursor)).sum();
    }

    /** Places not yet called, of all lines. */
    public long waiting() {
        return line.waiting() + tiers.stream().mapToLong(each -> each.line.waiting()).sum();
    }

    /** What the openings of the room mean at a moment; null for a room without openings. */
    public @Nullable OpeningStatus opening(RoomOptions options, Instant now) {
        return options.openings().isEmpty() ? null : options.openings().at(openings, now).with(draws);
    }

    /** The limits set by an operator; without these, the configured limits. */
    public Limits limitsSet(RoomOptions options) {
        return override == null ? limitsConfigured(options) : override;
    }

    /** The configured limits at the moment of this state, see {@link RoomOptions#timetable}. */
    public Limits limitsConfigured(RoomOptions options) {
        return options.timetable().at(options.limits(), at);
    }

    /** The next change of the limits set, by the clock; empty if there is none, or if an operator set the limits. */
    public Optional<LimitTimetable.Change> nextLimits(RoomOptions options) {
        return override == null ? options.timetable().next(options.limits(), at) : Optional.empty();
    }

    /** Whether the visitor's tokens are void, whatever their expiry. */
    public boolean isVoid(VisitorId visitor) {
        return !voided.isEmpty() && voided.containsKey(visitor);
    }

    /**
     * The line of the epoch.
     *
     * @param length the last place issued
     * @param cursor the highest place called; at most {@code length}
     * @param horizon gates report present visitors with places up to this one
     * @param crowded whether visitors were known to wait
     */
    public record Line(long length, long cursor, long horizon, boolean crowded) {
        /** Places not yet called. */
        public long waiting() {
            return length - cursor;
        }
    }

    /**
     * The line of a tier.
     *
     * @param number of the line, from 1: {@link Tiers#line} of its places
     * @param share of a hundred admissions
     * @param line its places, with the number of the line in each
     * @param door called visitors who are present
     * @param known present visitors known to the store
     * @param admitted admissions since the epoch began
     * @param turn what the line was served, as the store counts it, less what the first line was served
     */
    public record TierLine(int number, String name, int share, Line line, int door, int known, long admitted,
            long turn) {}

    /**
     * The use of the room.
     *
     * @param active places inside that are taken: live passes, and reservations for passes that ended while a gate was
     *     out of reach
     * @param free admissions that could be granted at once
     * @param door called visitors who are present
     * @param known present visitors known to the store, including those at the door
     * @param granted visitors whom an operator admitted and who have not entered yet
     * @param gates gates that reported lately
     */
    public record Load(int active, int free, int door, int known, int granted, int gates) {}

    /** Admissions and called places in the last 10 and 60 seconds, and admissions since the epoch began. */
    public record Pace(int admitted10, int admitted60, int called10, int called60, long admitted) {}
}
