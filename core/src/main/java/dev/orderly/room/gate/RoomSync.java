package dev.orderly.room.gate;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.Tiers;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.govern.CachedSignal;
import dev.orderly.room.govern.Governor;
import dev.orderly.room.govern.HealthLimit;
import dev.orderly.room.govern.SignalHealth;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.TierShares;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange between a gate and the store about a room: the gate reports present visitors and takes over the state,
 * and governs the room unless another gate does. Every method blocks and is called by one thread.
 */
final class RoomSync {
    private static final Logger LOG = LoggerFactory.getLogger(RoomSync.class);
    private static final Duration LEASE = Duration.ofSeconds(3);
    /**
     * After this gate has started, a room that had waiting visitors calls no places for this long, so that the visitors
     * can come back.
     */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /** Most visitors taken over from other gates: those who enter next. */
    private static final int SHARED_MOST = 2_048;

    private final GateId gate;
    private final RoomStore store;
    private final Time time;
    private final RoomCache cache;
    private final Outage outage;
    private final RoomSignals signals;
    private final DrawSteps draws;
    private final CachedSignal backlog;
    private final @Nullable HealthLimit health;
    private final Instant begun;
    private volatile boolean settling;
    private boolean governed;
    private boolean wasClosed;
    private volatile boolean governs;
    /** Most visitors whom the origin bears, as last measured. */
    private int bearable = Integer.MAX_VALUE;

    /** @param executor reads the signals, which may block */
    RoomSync(GateContext context, RoomCache cache, RoomSignals signals, Executor executor) {
        this.gate = context.gate();
        this.store = context.store();
        this.time = context.time();
        this.cache = cache;
        this.outage = cache.outage();
        this.signals = signals;
        this.draws = new DrawSteps(context, cache);
        this.backlog = new CachedSignal("Room " + cache.name() + ": its backlog", signals.backlog(), time, executor);
        HealthPolicy policy = cache.options().health();
        this.health = policy == null ? null : new HealthLimit(policy, cache.options().limits().capacity());
        this.begun = time.now();
        this.settling = mayWait(cache.state());
    }

    /** Whether visitors may wait whom this gate does not know. The store does not know those of a lobby with a draw. */
    private static boolean mayWait(RoomState state) {
        return state.line().crowded() || (!state.draws().draws().isEmpty() && state.line().waiting() > 0);
    }

    OriginTraffic traffic() {
        return signals.traffic();
    }

    /** Whether the room waits, after a restart, for reports of present visitors. */
    boolean isSettling() {
        return settling && time.now().isBefore(begun.plus(SETTLING));
    }

    /** How fresh the value of the backlog signal is. */
    SignalHealth backlogSignal() {
        return backlog.health();
    }

    /**
     * Reports present visitors and takes over the state. Ends an outage.
     *
     * @throws StoreException if the store does not answer
     */
    void report() {
        record();
        boolean away = outage.isOn();
        if (away) {
            cache.presence().reportAgain(); // the store may have lost earlier reports
        }
        sync();
        if (away) {
            outage.end();
            sync(); // reports up to the horizon of the state just received
        }
    }

    /**
     * Takes over which visitors other gates have seen.
     *
     * @throws StoreException if the store does not answer
     */
    void share() {
        share(0);
        cache.state().tiers().forEach(tier -> share(tier.number()));
    }

    private void share(int line) {
        RoomState state = cache.state().seenFrom(Tiers.start(line));
        if (state.load().gates() <= 1) {
            cache.share(line, null);
        } else if (state.load().known() == 0) {
            cache.share(line, PresentPlaces.of(state.epoch(), state.line().horizon(), List.of(), SHARED_MOST));
        } else {
            cache.share(line, store.present(cache.name(), line, SHARED_MOST, time.now()));
        }
    }

    /** Measures how many visitors the origin bears. Called once a second. */
    void measure() {
        RoomState state = cache.state();
        if (health != null) {
            bearable = health.tick(signals.traffic().take(), state.load().active(),
                    state.limitsSet(cache.options()).capacity());
        }
    }

    /**
     * Makes a governor step. The first step, and the first after an opening has begun, sets limits and horizon; a
     * second follows at once, which reports up to the horizon and calls.
     *
     * @throws StoreException if the store does not answer
     */
    void govern() {
        draws.proceed(governs);
        boolean opened = step();
        if (!governed || opened) {
            governed = true;
            sync();
            step();
        }
    }

    /** Reports that this gate admits no visitors from now on, so that the store keeps no places for it. */
    void leave() {
        if (outage.isOn()) {
            return;
        }
        try {
            store.sync(cache.name(), newReport(GateLease.NONE), time.now());
        } catch (RuntimeException e) { // a failure must not keep the gate from leaving its other rooms
            LOG.debug("Room {}: the stop of this gate could not be reported to the store", cache.name(), e);
        }
    }

    /**
     * Records admissions of an outage before anything else: they count in the store, and visitors who entered on a
     * used-up ticket are revoked.
     */
    private void record() {
        List<AdmissionRequest> unrecorded = outage.unrecorded();
        if (unrecorded.isEmpty()) {
            return;
        }
        List<AdmissionResult> results = store.admit(cache.name(), unrecorded, time.now());
        List<Departure> uncounted = IntStream.range(0, results.size())
                .filter(i -> results.get(i) instanceof AdmissionResult.Spent).mapToObj(unrecorded::get)
                .map(request -> new Departure(request.visitor(), request.epoch(), request.place(),
                        request.passUntil().plus(TokenLifetimes.REVIVABLE)))
                .toList();
        if (!uncounted.isEmpty()) {
            store.depart(cache.name(), uncounted, time.now());
            uncounted.forEach(each -> cache.ended(each.visitor()));
        }
        outage.recorded(unrecorded);
    }

    private void sync() {
        GateLease lease = outage.renewedLease();
        RoomState state = store.sync(cache.name(), newReport(lease), time.now());
        outage.granted(lease);
        cache.update(state);
    }

    private GateReport newReport(GateLease lease) {
        RoomState known = cache.state();
        Instant now = time.now();
        settling = settling && now.isBefore(begun.plus(SETTLING));
        List<Long> covered = known.lines().map(line -> settling ? line.cursor() : line.horizon()).toList();
        return new GateReport(gate, known.epoch(), known.draws().drawn(), covered.getFirst(),
                cache.presence().pending(known, now), lease, covered.subList(1, covered.size()));
    }

    /** Whether an opening has begun since the last step. */
    private boolean step() {
        Instant now = time.now();
        RoomOptions options = cache.options();
        boolean closed = cache.closed(cache.state().at()) != null;
        boolean opened = wasClosed && !closed;
        wasClosed = closed;
        RoomState state = cache.state();
        Governor.Step step = Governor.tick(state, options, new Governor.Signals(bearable, backlog.value()));
        Optional<RoomState> after = store.govern(cache.name(),
                new GovernorStep(gate, now.plus(LEASE), step.limits(), step.slowed(), step.door(),
                        step.horizon(), now.minus(options.stay().ticket()),
                        TierShares.of(state, options.tiers(), step.horizon() - state.line().cursor())),
                now);
        governs = after.isPresent();
        after.ifPresent(cache::update);
        return opened;
    }

    /** Whether this gate had the governor's lease at its last step. */
    boolean governs() {
        return governs;
    }
}
