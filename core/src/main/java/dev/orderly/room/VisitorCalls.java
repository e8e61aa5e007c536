package dev.orderly.room;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of the store for single visitors of one room, and what the gate remembers of the answers. Thread-safe. */
final class VisitorCalls {
    private static final Logger LOG = LoggerFactory.getLogger(VisitorCalls.class);

    private final RoomCache cache;
    private final Outage outage;
    private final Calls calls;
    private final Issuer issuer;
    private final Time time;

    VisitorCalls(RoomCache cache, Calls calls, Issuer issuer, Time time) {
        this.cache = cache;
        this.outage = cache.outage();
        this.calls = calls;
        this.issuer = issuer;
        this.time = time;
    }

    CompletableFuture<JoinResult> join(VisitorId visitor, Instant presentUntil, Instant passUntil) {
        return calls.join(new Join(visitor, presentUntil, passUntil));
    }

    /** For a visitor who is not there to take the pass. */
    CompletableFuture<ClaimResult> claimKept(Ticket ticket) {
        return claim(ticket, Claim.Kind.KEPT, issuer.untaken(time.now()));
    }

    /** Never fails: a visitor for whom there is no answer waits. */
    CompletableFuture<ClaimResult> claim(Ticket ticket, Claim.Kind kind, Instant passUntil) {
        Instant presentUntil = cache.presentUntil(cache.poll(ticket));
        Claim claim = new Claim(ticket.visitor(), ticket.epoch(), ticket.place(), presentUntil, passUntil,
                kind);
        return calls.claim(claim).handle((result, failure) -> {
            if (failure != null) {
                failed(failure);
                return new ClaimResult.Waits(true, 0);
            }
            if (result instanceof ClaimResult.Entered) {
                outage.entered(claim);
            } else if (result instanceof ClaimResult.Waits) {
                cache.presence().reported(ticket, presentUntil);
            }
            return result;
        });
    }

    /** @param revive whether the pass may have ended */
    CompletableFuture<Boolean> renew(Pass pass, Instant until, boolean revive) {
        return calls.renew(new Renewal(pass.visitor(), pass.epoch(), pass.place(), until, revive));
    }

    /** False if the store did not answer. */
    CompletionStage<Boolean> depart(VisitorId visitor, long epoch, long place) {
        Instant voidUntil = issuer.passesVoidUntil(time.now());
        return calls.depart(new Departure(visitor, epoch, place, voidUntil)).handle((done, failure) -> {
            if (failure == null) {
                cache.ended(visitor);
            } else {
                failed(failure);
            }
            return failure == null;
        });
    }

    /** The store did not answer, or the call was one too many. */
    void failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        switch (cause) {
            case StoreException lost -> outage.begin(lost, 1);
            case RejectedExecutionException _ -> LOG.debug("Room {}: {}", cache.name(), cause.getMessage());
            default -> LOG.error("A call for room {} failed", cache.name(), cause);
        }
    }
}
