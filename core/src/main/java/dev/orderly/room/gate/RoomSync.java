package dev.orderly.room.gate;

import dev.orderly.room.HealthPolicy;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
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
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a gate and the store tell each other of a room: the gate reports who is present and hears the state, and governs the
 * room unless another gate does. Every method blocks and is called by one thread.
 */
final class RoomSync {
    private static final Logger LOG = LoggerFactory.getLogger(RoomSync.class);
    private static final Duration LEASE = Duration.ofSeconds(3);
    /** A room that had waiting visitors when this gate began calls nobody for this long, so that they can come back. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final GateId gate;
    private final RoomStore store;
    private final Time time;
    private final RoomCache cache;
    private final Outage outage;
    private final RoomSignals signals;
    private final CachedSignal backlog;
    private final @Nullable HealthLimit health;
    private final Instant begun;
    private boolean settling;
    private boolean governed;
    /** The most visitors the site bears, as last measured. */
    private int bearable = Integer.MAX_VALUE;

    /** @param executor asks the signals, which may block */
    RoomSync(GateContext context, RoomCache cache, RoomSignals signals, Executor executor) {
        this.gate = context.gate();
        this.store = context.store();
        this.time = context.time();
        this.cache = cache;
        this.outage = cache.outage();
        this.signals = signals;
        this.backlog = new CachedSignal("Room " + cache.name() + ": its backlog", signals.backlog(), time, executor);
        HealthPolicy policy = cache.options().health();
        this.health = policy == null ? null : new HealthLimit(policy, cache.options().limits().capacity());
        this.begun = time.now();
        this.settling = cache.state().line().crowded();
    }

    /** How well the backlog that slows the room is known. */
    SignalHealth backlogSignal() {
        return backlog.health();
    }

    /**
     * Reports who is present and hears the state. Ends an outage.
     *
     * @throws StoreException if the store does not answer
     */
    void report() {
        record();
        boolean away = outage.isOn();
        if (away) {
            cache.presence().reportAgain(); // the store may have forgotten what it heard
        }
        sync();
        if (away) {
            outage.end();
            sync(); // the line went on meanwhile: up to where it is known now
        }
    }

    /** Measures how many visitors the site bears. Once a second. */
    void measure() {
        RoomState state = cache.state();
        if (health != null) {
            bearable = health.tick(signals.traffic().take(), state.load().active(),
                    state.limitsSet(cache.options()).capacity());
        }
    }

    /**
     * Does a governor's step. The first one sets limits and horizon; a second one follows at once, which covers the
     * horizon and calls.
     *
     * @throws StoreException if the store does not answer
     */
    void govern() {
        step();
        if (!governed) {
            governed = true;
            sync();
            step();
        }
    }

    /** Tells the store that this gate lets nobody in from now on: the store keeps no places for it. */
    void leave() {
        if (outage.isOn()) {
            return;
        }
        try {
            store.sync(cache.name(), news(GateLease.NONE), time.now());
        } catch (RuntimeException e) { // whatever the store has, the other rooms are left too
            LOG.debug("Room {}: the store was not told that this gate stops", cache.name(), e);
        }
    }

    /** Before anything else: whoever was let in during an outage counts, and whoever came on a used-up ticket is out. */
    private void record() {
        List<AdmissionRequest> unrecorded = outage.unrecorded();
        if (unrecorded.isEmpty()) {
            return;
        }
        List<AdmissionResult> results = store.admit(cache.name(), unrecorded, time.now());
        List<Departure> uncounted = IntStream.range(0, results.size())
                .filter(i -> results.get(i) instanceof AdmissionResult.Spent).mapToObj(unrecorded::get)
                .map(claim -> new Departure(claim.visitor(), claim.epoch(), claim.place(),
                        claim.passUntil().plus(TokenLifetimes.REVIVABLE)))
                .toList();
        if (!uncounted.isEmpty()) {
            store.depart(cache.name(), uncounted, time.now());
            uncounted.forEach(each -> cache.ended(each.visitor()));
        }
        outage.recorded(unrecorded);
    }

    private void sync() {
        GateLease lease = outage.renewedLease();
        RoomState heard = store.sync(cache.name(), news(lease), time.now());
        outage.granted(lease);
        cache.hear(heard);
    }

    private GateReport news(GateLease lease) {
        RoomState known = cache.state();
        Instant now = time.now();
        settling &= now.isBefore(begun.plus(SETTLING));
        long covered = settling ? known.line().cursor() : known.line().horizon();
        return new GateReport(gate, known.epoch(), covered, cache.presence().pending(known, now), lease);
    }

    private void step() {
        Instant now = time.now();
        RoomOptions options = cache.options();
        Governor.Step step = Governor.tick(cache.state(), options, new Governor.Signals(bearable, backlog.value()));
        store.govern(cache.name(), new GovernorStep(gate, now.plus(LEASE), step.limits(), step.slowed(), step.door(),
                step.horizon(), now.minus(options.stay().ticket())), now).ifPresent(cache::hear);
    }
}
