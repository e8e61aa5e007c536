package dev.orderly.testkit.sim;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Runs a {@link Scenario} on one thread and virtual time: the engines, gates and store of production, with random
 * visitors and faults, the same for the same seed. A {@link Referee} checks all answers.
 *
 * <p>Jumps of the wall clock and restarts of gates exclude each other in one run.
 */
public final class RoomSimulation {
    private static final int SAMPLE = 250;
    private static final byte[] SECRET = "a secret that is only simulated...".getBytes(StandardCharsets.US_ASCII);

    private final Scenario scenario;
    private final Agenda agenda;
    private final Referee referee;
    private final Crowd crowd;
    private final AnnouncedWaits waits;
    private final Depot depot;
    private final List<Gate> gates = new ArrayList<>();
    private boolean full;
    private long contended;
    private double used;
    private long ratedFrom = -1;
    private long rated;
    private double rateUsed;

    private RoomSimulation(Scenario scenario) {
        this.scenario = scenario;
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(scenario.seed());
        agenda = new Agenda(random);
        referee = new Referee(agenda, scenario.limits(), scenario.gates() > 1, scenario.opens(), scenario.drawn());
        depot = new Depot(agenda, scenario.flaws().store(), scenario.gates() > 1);
        RoomTokens tokens = new RoomTokens(TokenKeys.of(List.of(SECRET)));
        waits = new AnnouncedWaits(agenda);
        crowd = new Crowd(scenario, agenda, referee, waits, gates, tokens);
        for (int n = 0; n < scenario.gates(); n++) {
            gates.add(new Gate(n, agenda, tokens, scenario, new GateStore(depot, referee)));
        }
    }

    /**
     * Runs until every visitor has been inside or has given up.
     *
     * @throws BrokenPromise if a promise of rooms does not hold
     */
    public static Report run(Scenario scenario) {
        return new RoomSimulation(scenario).run();
    }

    private Report run() {
        gates.forEach(Gate::start);
        agenda.in(2_000, crowd::gather);
        if (scenario.guests().invited() > 0) {
            agenda.in(1_000, crowd.guests()::invite);
        }
        if (scenario.faults() != Scenario.Faults.NONE) {
            new Troubles(agenda, scenario, depot, gates, crowd).brew();
        }
        agenda.in(SAMPLE, this::sample);
        try {
            long longest = longest();
            while (!crowd.allOver() && agenda.failure() == null) {
                agenda.next();
                if (agenda.now() > longest) {
                    agenda.fail(new IllegalStateException("Never got in: " + crowd.left()));
                }
            }
        } catch (RuntimeException e) {
            agenda.fail(e);
        }
        Throwable failure = agenda.failure();
        if (failure != null) {
            throw new BrokenPromise(failure.getMessage() + "\nSeed " + scenario.seed() + ", at " + agenda.now()
                    + " ms, after:\n" + agenda.story(), failure);
        }
        return new Report(crowd.came(), referee.admitted(), crowd.noShows(), agenda.now() / 1_000,
                contended == 0 ? 1 : used / contended, rated == 0 ? 1 : rateUsed / rated,
                gates.stream().mapToInt(Gate::absent).sum(), waits.report(), agenda.fingerprint());
    }

    /** Four times the expected duration, and the time of the faults. */
    private long longest() {
        Scenario.Crowd sizes = scenario.crowd();
        Limits limits = scenario.limits();
        double each = Math.max(
                limits.capacity() == null
                        ? 0
                        : (sizes.inside().toMillis() + scenario.stay().passIdle().toMillis())
                                / (double) limits.capacity(),
                limits.rate() == null ? 0 : 1_000 / limits.rate().perSecond());
        return (long) (4 * each * sizes.count()) + 4 * sizes.arriving().toMillis() + 600_000
                + scenario.opens().toMillis();
    }

    // ---- what is measured

    private void sample() {
        Limits limits = scenario.limits();
        int waiting = crowd.waiting();
        if (limits.capacity() != null) {
            double share = referee.active() / (double) limits.capacity();
            full |= share >= 0.95;
            if (full && waiting > 0) {
                contended++;
                used += Math.min(1, share);
            }
        }
        if (limits.rate() != null) {
            sampleRate(waiting, limits.rate());
        }
        agenda.in(SAMPLE, this::sample);
    }

    /** Admissions of a period are lost if a visitor waited for them. */
    private void sampleRate(int waiting, Rate rate) {
        if (waiting == 0) {
            ratedFrom = -1;
        } else if (ratedFrom < 0) {
            ratedFrom = agenda.now() + rate.period().toMillis();
        } else if (agenda.now() > ratedFrom) {
            rated++;
            rateUsed += 1 - Math.min(waiting, referee.left(rate)) / (double) rate.admissions();
        }
    }
}
