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

/** Requests of single visitors of one room to the store, and what the gate remembers of the answers. Thread-safe. */
final class VisitorRequests {
    private static final Logger LOG = LoggerFactory.getLogger(VisitorRequests.class);

    private final RoomCache cache;
    private final Outage outage;
    private final StoreBatches batches;
    private final TokenIssuer issuer;
    private final Time time;

    VisitorRequests(RoomCache cache, StoreBatches batches, TokenIssuer issuer, Time time) {
        this.cache = cache;
        this.outage = cache.outage();
        this.batches = batches;
        this.issuer = issuer;
        this.time = time;
    }

    CompletableFuture<JoinResult> join(VisitorId visitor, Instant presentUntil, Instant passUntil) {
        return batches.join(new JoinRequest(visitor, presentUntil, passUntil));
    }

    /** Requests an admission for a visitor who does not take the pass yet. */
    CompletableFuture<AdmissionResult> admitKept(Ticket ticket) {
        return admit(ticket, AdmissionRequest.Kind.KEPT, issuer.untaken(time.now()));
    }

    /** Requests an admission. Never fails: without an answer of the store the visitor waits. */
    CompletableFuture<AdmissionResult> admit(Ticket ticket, AdmissionRequest.Kind kind, Instant passUntil) {
        Instant presentUntil = cache.presentUntil(cache.poll(ticket));
        AdmissionRequest request = new AdmissionRequest(ticket.visitor(), ticket.epoch(), ticket.place(), presentUntil,
                passUntil, kind);
        return batches.admit(request).handle((result, failure) -> {
            if (failure != null) {
                failed(failure);
                return new AdmissionResult.Waits(true, 0);
            }
            if (result instanceof AdmissionResult.Entered) {
                outage.entered(request);
            } else if (result instanceof AdmissionResult.Waits) {
                cache.presence().reported(ticket, presentUntil);
            }
            return result;
        });
    }

    /** @param revive whether the pass may have ended */
    CompletableFuture<Boolean> renew(Pass pass, Instant until, boolean revive) {
        return batches.renew(new RenewalRequest(pass.visitor(), pass.epoch(), pass.place(), until, revive));
    }

    /** Ends a stay or gives back a place. False if the store did not answer. */
    CompletionStage<Boolean> depart(VisitorId visitor, long epoch, long place) {
        Instant voidUntil = issuer.passesVoidUntil(time.now());
        return batches.depart(new Departure(visitor, epoch, place, voidUntil)).handle((done, failure) -> {
            if (failure == null) {
                cache.ended(visitor);
            } else {
                failed(failure);
            }
            return failure == null;
        });
    }

    /** Handles a request that the store did not answer, or that exceeded the bound of its batch queue. */
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
