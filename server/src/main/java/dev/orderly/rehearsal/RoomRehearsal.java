package dev.orderly.rehearsal;

import dev.orderly.rehearsal.RehearsalReport.Slot;
import dev.orderly.rehearsal.RehearsalReport.TierWaits;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.govern.Governor;
import dev.orderly.room.state.RoomStateMachine;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.TierShares;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A crowd in a room: the rules and the governor of production, second by second in virtual time, behind one gate.
 * Visitors who wait are connected, so that they enter in the second in which their turn comes. Nobody leaves the room
 * by a click: a pass ends with its idle time. Visitors of a tier that the room does not have are in the first line.
 * Bounds of addresses, {@code health} and {@code backlog} play no part.
 */
public final class RoomRehearsal {
    /** A rehearsal that takes longer is of no use to anybody. */
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration FOR_GOOD = Duration.ofDays(365);
    private static final GateId GATE = new GateId("rehearsal");

    private final RoomOptions options;
    private final RehearsalCrowd crowd;
    private final Instant begin;
    private final RoomStateMachine room = new RoomStateMachine(new RoomName("rehearsal"));
    private final Visitors visitors;
    /** The tiers of the crowd, null for those that the room does not have. */
    private final List<@Nullable String> own;
    /** The lines by number. */
    private final List<Line> lines;
    private final List<RehearsalReport.Minute> minutes = new ArrayList<>();
    private RoomState state;
    private Instant now;
    /** The end of the window in which the crowd comes, if the room has openings and that one ends. */
    private final @Nullable Instant close;
    private int came;
    private int present;
    private int entered;
    private double used;
    private long contended;

    /** A line, with its visitors in the order of places. */
    private static final class Line {
        private final int[] visitors;
        /** Called visitors who are present, in the order of places. */
        private final Deque<Integer> door = new ArrayDeque<>();
        private int length;
        /** Places up to these were reported, and looked at after their call. */
        private int reported;
        private int called;

        Line(int most) {
            visitors = new int[most];
        }
    }

    /** What is drawn for each visitor, in the order of arrivals, and how long each waited. */
    private static final class Visitors {
        private final long[] arrivesAt;
        private final boolean[] absent;
        private final int[] passSeconds;
        private final int[] waited;
        private final long[] places;
        /** The number of the tier in the names of the crowd, from 1; 0 for none. */
        private final int[] tiers;

        private Visitors(int count) {
            arrivesAt = new long[count];
            absent = new boolean[count];
            passSeconds = new int[count];
            waited = new int[count];
            places = new long[count];
            tiers = new int[count];
        }

        static Visitors of(RehearsalCrowd crowd, TokenLifetimes lives) {
            SplittableRandom random = new SplittableRandom(crowd.seed());
            Visitors all = new Visitors(crowd.visitors());
            switch (crowd) {
                case RehearsedCrowd described -> all.draw(described, lives, random);
                case RecordedCrowd recorded -> all.replay(recorded, lives, random);
            }
            return all;
        }

        private void draw(RehearsedCrowd crowd, TokenLifetimes lives, SplittableRandom random) {
            long span = crowd.over().toMillis();
            for (int n = 0; n < arrivesAt.length; n++) {
                boolean rushes = crowd.arrivals() == RehearsedCrowd.Arrivals.RUSH && random.nextBoolean();
                arrivesAt[n] = (long) (random.nextDouble() * span / (rushes ? 10 : 1));
                absent[n] = random.nextDouble() < crowd.absent();
                double stay = crowd.stay().toMillis() * random.nextDouble(0.5, 1.5);
                passSeconds[n] = pass(stay, lives, random);
            }
            Arrays.sort(arrivesAt);
            drawTiers(crowd);
        }

        /** By a chance of their own, so that visitors come and stay as without tiers. */
        private void drawTiers(RehearsedCrowd crowd) {
            SplittableRandom random = new SplittableRandom(~crowd.seed());
            for (int n = 0; n < tiers.length && !crowd.shares().isEmpty(); n++) {
                double drawn = random.nextDouble();
                for (int tier = 0; tier < crowd.shares().size() && tiers[n] == 0; tier++) {
                    drawn -= crowd.shares().get(tier).share();
                    tiers[n] = drawn < 0 ? tier + 1 : 0;
                }
            }
        }

        private void replay(RecordedCrowd crowd, TokenLifetimes lives, SplittableRandom random) {
            int n = 0;
            List<String> names = crowd.tiers();
            for (RecordedCrowd.Visit visit : crowd.visits()) {
                arrivesAt[n] = Duration.between(crowd.first(), visit.arrival()).toMillis();
                absent[n] = visit.isAbsent();
                tiers[n] = visit.tier() == null ? 0 : names.indexOf(visit.tier()) + 1;
                double stay = Math.max(0, visit.stay().toMillis());
                passSeconds[n++] = pass(stay, lives, random);
            }
        }

        /** A pass is renewed in its second half only, so it ends between half of its idle time and all of it. */
        private static int pass(double stay, TokenLifetimes lives, SplittableRandom random) {
            double idle = lives.passIdle().toMillis() * random.nextDouble(0.5, 1);
            double longest = lives.longestPass().toMillis();
            return (int) Math.max(1, Math.min(stay + idle, longest) / 1_000);
        }
    }

    /** Waits by place are the same in any order, so a rehearsal draws none. */
    private static Openings withoutDraws(Openings openings) {
        return openings.isEmpty()
                ? openings
                : new Openings(openings.windows().stream()
                        .map(each -> new Opening(each.opens(), each.lobby(), each.closes(), each.stock())).toList(),
                        openings.openBetween());
    }

    private RoomRehearsal(RoomOptions options, RehearsalCrowd crowd, Instant begin) {
        this.options = options.withOpenings(withoutDraws(options.openings()));
        this.crowd = crowd;
        this.begin = begin;
        this.now = begin;
        this.visitors = Visitors.of(crowd, options.stay());
        List<String> known = options.tiers().all().stream().map(Tier::name).toList();
        this.own = new ArrayList<>();
        crowd.tiers().forEach(tier -> own.add(known.contains(tier) ? tier : null));
        this.lines = Stream.generate(() -> new Line(crowd.visitors())).limit(options.tiers().all().size() + 1L)
                .toList();
        this.close = options.openings().windows().stream().map(Opening::closes).flatMap(Stream::ofNullable)
                .map(ZonedDateTime::toInstant).filter(begin::isBefore).findFirst().orElse(null);
        this.state = room.sync(new GateReport(GATE, 0, 0, List.of()), now);
    }

    /**
     * Runs until everybody who waits has entered, or the window of the room's openings ends.
     *
     * @param begin the moment of the first arrival, which decides about limits by the clock
     * @throws TooLongException if that takes longer than seven days
     */
    public static RehearsalReport run(RoomOptions options, RehearsalCrowd crowd, Instant begin) {
        return new RoomRehearsal(options, crowd, begin).run();
    }

    /** The room lets in too few. */
    public static final class TooLongException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLongException(int entered, int left) {
            super("After " + LONGEST.toDays() + " days " + entered + " visitors have entered and " + left
                    + " wait: rehearse fewer visitors, shorter stays, or larger limits");
        }
    }

    private RehearsalReport run() {
        govern(); // as a gate begins: the first step sets limits and horizon, the next one calls
        for (long second = 0; came < crowd.visitors() || present > 0; second++) {
            now = begin.plusSeconds(second);
            if (close != null && !now.isBefore(close)) {
                break;
            }
            if (second > LONGEST.toSeconds()) {
                throw new TooLongException(entered, present + crowd.visitors() - came);
            }
            join(second);
            govern();
            admit();
            room.drain();
            measure(second);
        }
        minutes.add(new RehearsalReport.Minute(Duration.between(begin, now), present, entered));
        return new RehearsalReport(crowd, slots(_ -> true), minutes, contended == 0 ? null : used / contended,
                present + crowd.visitors() - came, tiers());
    }

    private List<Slot> slots(IntPredicate of) {
        return Slot.all(visitors.arrivesAt, visitors.waited, crowd, n -> !visitors.absent[n] && of.test(n));
    }

    private List<TierWaits> tiers() {
        List<TierWaits> waits = new ArrayList<>();
        own.stream().filter(Objects::nonNull)
                .forEach(tier -> waits.add(new TierWaits(tier, slots(n -> Objects.equals(tier, tier(n))))));
        if (!waits.isEmpty()) {
            waits.add(new TierWaits(null, slots(n -> tier(n) == null)));
        }
        return waits;
    }

    /** The tier of a visitor in this room. */
    private @Nullable String tier(int visitor) {
        int number = visitors.tiers[visitor];
        return number == 0 ? null : own.get(number - 1);
    }

    /** Who comes before places are given takes one with the first of them. */
    private void join(long second) {
        if (!options.openings().at(List.of(), now).givesPlaces()) {
            return;
        }
        List<JoinRequest> joins = new ArrayList<>();
        int first = came;
        while (came < crowd.visitors() && visitors.arrivesAt[came] < (second + 1) * 1_000) {
            joins.add(new JoinRequest(id(came), presentUntil(came), passUntil(came), null, tier(came)));
            came++;
        }
        List<JoinResult> results = room.join(joins, now);
        for (int n = 0; n < results.size(); n++) {
            long place = results.get(n).place();
            Line line = lines.get(Tiers.line(place));
            line.visitors[line.length++] = first + n;
            visitors.places[first + n] = place;
            if (results.get(n) instanceof JoinResult.Entered) {
                entered++;
            } else if (!visitors.absent[first + n]) {
                visitors.waited[first + n] = -1;
                present++;
            }
        }
    }

    /** Reports who is present up to the horizon, and calls. */
    private void govern() {
        List<Presence> presences = new ArrayList<>();
        List<Long> horizons = state.lines().map(RoomState.Line::horizon).toList();
        for (int number = 0; number < horizons.size(); number++) {
            Line line = lines.get(number);
            long covered = Math.min(Tiers.number(horizons.get(number)), line.length);
            for (; line.reported < covered; line.reported++) {
                int visitor = line.visitors[line.reported];
                if (waits(visitor)) {
                    presences.add(new Presence(visitors.places[visitor], now.plus(FOR_GOOD)));
                }
            }
        }
        state = room.sync(new GateReport(GATE, state.epoch(), 0, horizons.getFirst(), presences, GateLease.NONE,
                horizons.subList(1, horizons.size())), now);
        Governor.Step step = Governor.tick(state, options, Governor.Signals.FINE);
        state = room.govern(new GovernorStep(GATE, now.plus(LEASE), step.limits(), step.slowed(), step.door(),
                step.horizon(), now.minus(options.stay().ticket()),
                TierShares.of(state, options.tiers(), step.horizon() - state.line().cursor())), now).orElse(state);
        List<Long> cursors = state.lines().map(RoomState.Line::cursor).toList();
        for (int number = 0; number < cursors.size(); number++) {
            Line line = lines.get(number);
            for (; line.called < Tiers.number(cursors.get(number)); line.called++) {
                int visitor = line.visitors[line.called];
                if (waits(visitor)) {
                    line.door.add(visitor);
                }
            }
        }
    }

    private void admit() {
        int most = Math.max(1, state.load().free());
        List<Integer> next = lines.stream().flatMap(line -> line.door.stream().limit(most)).toList();
        List<AdmissionResult> results = room.admit(next.stream()
                .map(n -> new AdmissionRequest(id(n), state.epoch(), visitors.places[n], presentUntil(n), passUntil(n),
                        AdmissionRequest.Kind.TAKEN))
                .toList(), now);
        for (int n = 0; n < results.size(); n++) {
            if (results.get(n) instanceof AdmissionResult.Entered) {
                int visitor = next.get(n);
                lines.get(Tiers.line(visitors.places[visitor])).door.removeFirstOccurrence(visitor);
                visitors.waited[visitor] = (int) Math.max(0, Duration.between(begin, now).toSeconds()
                        - visitors.arrivesAt[visitor] / 1_000);
                present--;
                entered++;
            }
        }
    }

    private void measure(long second) {
        Limits limits = state.limits();
        if (limits.capacity() != null && limits.capacity() > 0 && present > 0) {
            used += Math.min(1, room.state(now).load().active() / (double) limits.capacity());
            contended++;
        }
        if (second % 60 == 0) {
            minutes.add(new RehearsalReport.Minute(Duration.ofSeconds(second), present, entered));
        }
    }

    private boolean waits(int visitor) {
        return visitors.waited[visitor] < 0;
    }

    private static VisitorId id(int visitor) {
        return new VisitorId(visitor, ~visitor);
    }

    private Instant presentUntil(int visitor) {
        return now.plus(visitors.absent[visitor] ? PollPolicy.presence(options.poll().least()) : FOR_GOOD);
    }

    private Instant passUntil(int visitor) {
        return now.plusSeconds(visitors.passSeconds[visitor]);
    }
}
