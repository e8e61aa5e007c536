package dev.orderly.testkit.sim;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.PlaceUse;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.store.VisitorRecord;
import dev.orderly.store.StoreException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The store as one gate reaches it: every answer is reported to the referee, and may be lost afterwards. */
final class GateStore implements RoomStore {
    private final Depot depot;
    private final Referee referee;
    private Runnable onFailure = () -> {};
    private boolean cutOff;

    GateStore(Depot depot, Referee referee) {
        this.depot = depot;
        this.referee = referee;
    }

    void onFailure(Runnable what) {
        onFailure = what;
    }

    /** Sets whether this gate alone cannot reach the store. */
    void cutOff(boolean value) {
        cutOff = value;
    }

    /** The gate has died, and its unreported admissions with it. */
    void died(Gate gate) {
        referee.died(gate);
    }

    private <T> T call(Supplier<T> work) {
        Depot.Trouble trouble = cutOff ? Depot.Trouble.BEFORE : depot.trouble();
        if (trouble == Depot.Trouble.BEFORE) {
            onFailure.run();
            throw new StoreException.Unavailable("The simulated store is away", null);
        }
        T answer = work.get();
        if (trouble == Depot.Trouble.AFTER) {
            onFailure.run();
            throw new StoreException.OutcomeUnknown("The answer of the simulated store is lost", null);
        }
        return answer;
    }

    @Override
    public boolean isShared() {
        return depot.isShared();
    }

    @Override
    public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
        return call(() -> {
            List<JoinResult> results = depot.rooms().join(room, joins, now);
            for (int i = 0; i < results.size(); i++) {
                JoinResult result = results.get(i);
                referee.holders.joined(joins.get(i), result);
                if (result instanceof JoinResult.Entered(_, long place, Instant until)) {
                    referee.entered(joins.get(i).visitor(), place, referee.millis(until));
                }
            }
            return results;
        });
    }

    @Override
    public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> claims, Instant now) {
        return call(() -> {
            List<AdmissionResult> results = depot.rooms().admit(room, claims, now);
            claims.stream().filter(claim -> claim.kind() == AdmissionRequest.Kind.RECORDED)
                    .forEach(claim -> referee.recorded(claim.visitor()));
            IntStream.range(0, claims.size()).boxed()
                    .sorted(Comparator.comparingLong((Integer i) -> claims.get(i).place())).forEach(i -> {
                        if (results.get(i) instanceof AdmissionResult.Entered(Instant until)) {
                            AdmissionRequest claim = claims.get(i);
                            referee.entered(claim.visitor(), claim.place(), referee.millis(until));
                            if (claim.kind() != AdmissionRequest.Kind.UNTAKEN) {
                                referee.usedUp(claim.visitor());
                            }
                        }
                    });
            return results;
        });
    }

    @Override
    public List<Boolean> renew(RoomName room, List<RenewalRequest> renewals, Instant now) {
        return call(() -> {
            List<Boolean> results = depot.rooms().renew(room, renewals, now);
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i)) {
                    referee.renewed(renewals.get(i).visitor(), referee.millis(renewals.get(i).until()));
                }
            }
            return results;
        });
    }

    @Override
    public List<Boolean> move(RoomName room, List<MoveRequest> moves, Instant now) {
        return call(() -> depot.rooms().move(room, moves, now));
    }

    @Override
    public void depart(RoomName room, List<Departure> departures, Instant now) {
        call(() -> {
            depot.rooms().depart(room, departures, now);
            departures.stream().filter(each -> each.epoch() == referee.epoch())
                    .forEach(each -> referee.departed(each.visitor(), each.place()));
            return departures;
        });
    }

    @Override
    public RoomState sync(RoomName room, GateReport report, Instant now) {
        return call(() -> watched(depot.rooms().sync(room, report, now)));
    }

    @Override
    public Optional<RoomState> govern(RoomName room, GovernorStep step, Instant now) {
        return call(() -> {
            Optional<RoomState> state = depot.rooms().govern(room, step, now);
            state.ifPresent(after -> {
                watched(after);
                referee.governed(step.limits());
            });
            return state;
        });
    }

    @Override
    public RoomState change(RoomName room, RoomChange change, Instant now) {
        return call(() -> {
            RoomState state = depot.rooms().change(room, change, now);
            referee.changed(change);
            return watched(state);
        });
    }

    @Override
    public List<Boolean> replaceLeaves(RoomName room, List<NewLeaf> leaves, Instant now) {
        return call(() -> depot.rooms().replaceLeaves(room, leaves, now));
    }

    @Override
    public byte[] leaves(RoomName room, long from, int most, Instant now) {
        return call(() -> depot.rooms().leaves(room, from, most, now));
    }

    @Override
    public VisitorRecord find(RoomName room, VisitorId visitor, Instant now) {
        return call(() -> depot.rooms().find(room, visitor, now));
    }

    @Override
    public PlaceUse use(RoomName room, long place, Instant now) {
        return call(() -> depot.rooms().use(room, place, now));
    }

    @Override
    public PresentPlaces present(RoomName room, int line, int most, Instant now) {
        return call(() -> depot.rooms().present(room, line, most, now));
    }

    @Override
    public List<RoomState> rooms(Instant now) {
        return call(() -> depot.rooms().rooms(now));
    }

    private RoomState watched(RoomState state) {
        state.lines().forEach(line -> referee.stands(line.length(), line.cursor()));
        return state;
    }
}
