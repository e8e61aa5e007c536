package dev.orderly.rehearsal;

import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.govern.Governor;
import dev.orderly.room.state.RoomStateMachine;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A crowd in a room: the rules and the governor of production, second by second in virtual time, behind one gate.
 * Visitors who wait are connected, so that they enter in the second in which their turn comes. Nobody leaves the room
 * by a click: a pass ends with its idle time. Bounds of addresses, {@code health} and {@code backlog} play no part.
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
    /** Called visitors who are present, in the order of places. */
    private final Deque<Integer> door = new ArrayDeque<>();
    private final List<RehearsalReport.Minute> minutes = new ArrayList<>();
    private RoomState state;
    private Instant now;
    /** The end of the window in which the crowd comes, if the room has openings and that one ends. */
    private final @Nullable Instant close;
    /** Places up to these were reported, and looked at after their call. */
    private long reported;
    private long called;
    private int came;
    private int present;
    private int entered;
    private double used;
    private long contended;

    /**
     * What is drawn for each visitor, in the order of arrivals, and how long each waited; the place is the number + 1.
     */
    private static final class Visitors {
        private final long[] arrivesAt;
        private final boolean[] absent;
        private final int[] passSeconds;
        private final int[] waited;

        private Visitors(int count) {
            arrivesAt = new long[count];
            absent = new boolean[count];
            passSeconds = new int[count];
            waited = new int[count];
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
        }

        private void replay(RecordedCrowd crowd, TokenLifetimes lives, SplittableRandom random) {
            int n = 0;
            for (RecordedCrowd.Visit visit : crowd.visits()) {
                arrivesAt[n] = Duration.between(crowd.first(), visit.arrival()).toMillis();
                absent[n] = visit.isAbsent();
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
        return new RehearsalReport(crowd, RehearsalReport.Slot.all(visitors.arrivesAt, visitors.absent, visitors.waited,
                crowd), minutes, contended == 0 ? null : used / contended, present + crowd.visitors() - came);
    }

    /** Who comes before places are given takes one with the first of them. */
    private void join(long second) {
        if (!options.openings().at(List.of(), now).givesPlaces()) {
            return;
        }
        List<JoinRequest> joins = new ArrayList<>();
        int first = came;
        while (came < crowd.visitors() && visitors.arrivesAt[came] < (second + 1) * 1_000) {
            joins.add(new JoinRequest(id(came), presentUntil(came), passUntil(came)));
            came++;
        }
        List<JoinResult> results = room.join(joins, now);
        for (int n = 0; n < results.size(); n++) {
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
        long covered = Math.min(state.line().horizon(), came);
        List<Presence> presences = new ArrayList<>();
        for (; reported < covered; reported++) {
            if (waits((int) reported)) {
                presences.add(new Presence(reported + 1, now.plus(FOR_GOOD)));
            }
        }
        state = room.sync(new GateReport(GATE, state.epoch(), state.line().horizon(), presences), now);
        Governor.Step step = Governor.tick(state, options, Governor.Signals.FINE);
        state = room.govern(new GovernorStep(GATE, now.plus(LEASE), step.limits(), step.slowed(), step.door(),
                step.horizon(), now.minus(options.stay().ticket())), now).orElse(state);
        for (; called < state.line().cursor(); called++) {
            if (waits((int) called)) {
                door.add((int) called);
            }
        }
    }

    private void admit() {
        List<Integer> next = door.stream().limit(Math.max(1, state.load().free())).toList();
        List<AdmissionResult> results = room.admit(next.stream()
                .map(n -> new AdmissionRequest(id(n), state.epoch(), n + 1L, presentUntil(n), passUntil(n),
                        AdmissionRequest.Kind.TAKEN))
                .toList(), now);
        for (int n = 0; n < results.size(); n++) {
            if (results.get(n) instanceof AdmissionResult.Entered) {
                int visitor = next.get(n);
                door.removeFirstOccurrence(visitor);
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
