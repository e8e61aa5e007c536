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

/** What the store is asked for single visitors of one room, and what the gate remembers of the answers. Thread-safe. */
final class VisitorCalls {
    private static final Logger LOG = LoggerFactory.getLogger(VisitorCalls.class);

    private final RoomLine line;
    private final Time time;
    private final Calls calls;
    private final Issuer issuer;
    private final Runnable freed;

    /** @param freed is told when a visitor left, as the store knows */
    VisitorCalls(RoomLine line, Time time, Calls calls, Issuer issuer, Runnable freed) {
        this.line = line;
        this.time = time;
        this.calls = calls;
        this.issuer = issuer;
        this.freed = freed;
    }

    CompletableFuture<JoinResult> join(Join join) {
        return calls.join(join);
    }

    /** For a visitor who is not there to take the pass. */
    CompletableFuture<ClaimResult> claimKept(Ticket ticket) {
        return claim(ticket, Claim.Kind.KEPT, issuer.untaken(time.now()));
    }

    /** Never fails: who gets no answer waits. */
    CompletableFuture<ClaimResult> claim(Ticket ticket, Claim.Kind kind, Instant passUntil) {
        Instant presentUntil = line.presentUntil(line.poll(ticket));
        Claim claim = new Claim(ticket.visitor(), ticket.epoch(), ticket.place(), presentUntil, passUntil,
                kind);
        return calls.claim(claim).handle((result, failure) -> {
            if (failure != null) {
                failed(failure);
                return new ClaimResult.Waits(true, 0);
            }
            if (result instanceof ClaimResult.Entered) {
                line.coasting().entered(claim, time.now());
            } else if (result instanceof ClaimResult.Waits) {
                line.told(ticket, presentUntil);
            }
            return result;
        });
    }

    /** False if the store did not answer. */
    CompletionStage<Boolean> depart(VisitorId visitor, long epoch, long place, Instant voidUntil) {
        return calls.depart(new Departure(visitor, epoch, place, voidUntil)).handle((done, failure) -> {
            if (failure == null) {
                line.ended(visitor);
                freed.run();
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
            case StoreException lost -> line.lost(lost, 1);
            case RejectedExecutionException _ -> LOG.debug("Room {}: {}", line.name, cause.getMessage());
            default -> LOG.error("A call for room {} failed", line.name, cause);
        }
    }
}
