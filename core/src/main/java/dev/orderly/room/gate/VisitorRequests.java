package dev.orderly.room.gate;

import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.Ticket;
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
final class VisitorRequests {
    private static final Logger LOG = LoggerFactory.getLogger(VisitorRequests.class);

    private final RoomCache cache;
    private final Outage outage;
    private final StoreBatches calls;
    private final TokenIssuer issuer;
    private final Time time;

    VisitorRequests(RoomCache cache, StoreBatches calls, TokenIssuer issuer, Time time) {
        this.cache = cache;
        this.outage = cache.outage();
        this.calls = calls;
        this.issuer = issuer;
        this.time = time;
    }

    CompletableFuture<JoinResult> join(VisitorId visitor, Instant presentUntil, Instant passUntil) {
        return calls.join(new JoinRequest(visitor, presentUntil, passUntil));
    }

    /** For a visitor who is not there to take the pass. */
    CompletableFuture<AdmissionResult> claimKept(Ticket ticket) {
        return claim(ticket, AdmissionRequest.Kind.KEPT, issuer.untaken(time.now()));
    }

    /** Never fails: a visitor for whom there is no answer waits. */
    CompletableFuture<AdmissionResult> claim(Ticket ticket, AdmissionRequest.Kind kind, Instant passUntil) {
        Instant presentUntil = cache.presentUntil(cache.poll(ticket));
        AdmissionRequest claim = new AdmissionRequest(ticket.visitor(), ticket.epoch(), ticket.place(), presentUntil,
                passUntil,
                kind);
        return calls.claim(claim).handle((result, failure) -> {
            if (failure != null) {
                failed(failure);
                return new AdmissionResult.Waits(true, 0);
            }
            if (result instanceof AdmissionResult.Entered) {
                outage.entered(claim);
            } else if (result instanceof AdmissionResult.Waits) {
                cache.presence().reported(ticket, presentUntil);
            }
            return result;
        });
    }

    /** @param revive whether the pass may have ended */
    CompletableFuture<Boolean> renew(Pass pass, Instant until, boolean revive) {
        return calls.renew(new RenewalRequest(pass.visitor(), pass.epoch(), pass.place(), until, revive));
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
