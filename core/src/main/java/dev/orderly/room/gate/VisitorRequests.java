package dev.orderly.room.gate;

import dev.orderly.flow.GroupCommitter;
import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.LobbyRecords;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomStore;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.Ticket;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import dev.orderly.trace.LogContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of single visitors of one room to the store, and what the gate remembers of the answers. Requests of many
 * visitors are combined into few calls of the store. Thread-safe, never blocks: a request beyond the bound fails at
 * once with {@link RejectedExecutionException}, a failed call of the store with {@link StoreException}.
 */
final class VisitorRequests {
    private static final Logger LOG = LoggerFactory.getLogger(VisitorRequests.class);
    private static final int COMMIT_MAX = 1_024;
    private static final int WAITING = 65_536;

    private final RoomCache cache;
    private final Outage outage;
    private final TokenIssuer issuer;
    private final Time time;
    private final GroupCommitter<JoinRequest, JoinResult> joins;
    private final GroupCommitter<Asked, Answered> admissions;
    private final GroupCommitter<RenewalRequest, Boolean> renewals;
    private final GroupCommitter<MoveRequest, Boolean> moves;
    private final GroupCommitter<Departure, Boolean> departures;
    private final GroupCommitter<LobbyRecords.NewLeaf, Boolean> leaves;

    /**
     * A request for an admission that waits for its group commit: presence counts from the call of the store.
     *
     * @param poll the likely poll interval of the visitor
     */
    private record Asked(Ticket ticket, AdmissionRequest.Kind kind, Instant passUntil, Duration poll) {
        AdmissionRequest request(Instant presentUntil) {
            return new AdmissionRequest(ticket.visitor(), ticket.epoch(), ticket.place(), presentUntil, passUntil,
                    kind);
        }
    }

    private record Answered(AdmissionRequest request, AdmissionResult result) {}

    /** @param executor runs the group commits */
    VisitorRequests(GateContext context, RoomCache cache, TokenIssuer issuer, Executor executor) {
        this.cache = cache;
        this.outage = cache.outage();
        this.issuer = issuer;
        this.time = context.time();
        RoomName room = cache.name();
        RoomStore store = context.store();
        joins = committer(executor, (items, now) -> store.join(room, items, now));
        admissions = committer(executor, (items, now) -> {
            List<AdmissionRequest> requests = items.stream()
                    .map(asked -> asked.request(cache.presentUntil(asked.poll(), now))).toList();
            List<AdmissionResult> results = store.admit(room, requests, now);
            return IntStream.range(0, results.size())
                    .mapToObj(n -> new Answered(requests.get(n), results.get(n))).toList();
        });
        renewals = committer(executor, (items, now) -> store.renew(room, items, now));
        moves = committer(executor, (items, now) -> {
            try {
                return store.move(room, items, now);
            } catch (StoreException.OutcomeUnknown _) {
                return store.move(room, items, now); // the same answer, if the first call was carried out
            }
        });
        leaves = committer(executor, (items, now) -> store.replaceLeaves(room, items, now));
        departures = committer(executor, (items, now) -> {
            store.depart(room, items, now);
            return items.stream().map(_ -> true).toList();
        });
    }

    private <I, O> GroupCommitter<I, O> committer(Executor executor, BiFunction<List<I>, Instant, List<O>> call) {
        return new GroupCommitter<>(time, new GroupCommitter.Bounds<>(COMMIT_MAX, WAITING, _ -> 1),
                items -> call.apply(items, time.now()),
                executor);
    }

    /** Waits for the answers of pending requests; later requests are refused. */
    void close(Duration patience) {
        joins.close(patience);
        admissions.close(patience);
        renewals.close(patience);
        moves.close(patience);
        departures.close(patience);
        leaves.close(patience);
    }

    CompletableFuture<JoinResult> join(JoinRequest request) {
        return joins.offer(request);
    }

    /** Replaces the leaf of a ticket in the lobby. */
    CompletableFuture<Boolean> replaceLeaf(Ticket ticket, String leaf) {
        return leaves.offer(new LobbyRecords.NewLeaf(ticket.epoch(), ticket.issued(), leaf));
    }

    /** Requests an admission for a visitor who does not take the pass yet. */
    CompletableFuture<AdmissionResult> admitKept(Ticket ticket) {
        return admit(ticket, AdmissionRequest.Kind.UNTAKEN, issuer.untaken(time.now()));
    }

    /** Requests an admission. Never fails: without an answer of the store the visitor waits. */
    CompletableFuture<AdmissionResult> admit(Ticket ticket, AdmissionRequest.Kind kind, Instant passUntil) {
        PendingAnswers.Pending pending = cache.answers().begin(ticket, time.now());
        return admissions.offer(new Asked(ticket, kind, passUntil, cache.poll(ticket))).handle((answered, failure) -> {
            cache.answers().end(pending, time.now());
            if (failure != null) {
                failed(failure);
                return new AdmissionResult.Waits(true, 0);
            }
            if (answered.result() instanceof AdmissionResult.Entered) {
                outage.entered(answered.request());
            } else if (answered.result() instanceof AdmissionResult.Waits) {
                cache.presence().reported(ticket, answered.request().presentUntil());
            }
            return answered.result();
        });
    }

    /** @param revive whether the pass may have ended */
    CompletableFuture<Boolean> renew(Pass pass, Instant until, boolean revive) {
        return renewals.offer(new RenewalRequest(pass.visitor(), pass.epoch(), pass.place(), until, revive));
    }

    /** Gives the place of a ticket to another visitor. */
    CompletableFuture<Boolean> move(Ticket ticket, VisitorId to) {
        Instant passes = issuer.passesVoidUntil(time.now());
        Instant voidUntil = ticket.expiresAt().isAfter(passes) ? ticket.expiresAt() : passes;
        return moves.offer(new MoveRequest(ticket.visitor(), ticket.epoch(), ticket.place(), to, voidUntil));
    }

    /** Ends a stay or gives back a place. False if the store did not answer. */
    CompletionStage<Boolean> depart(VisitorId visitor, long epoch, long place) {
        return depart(visitor, epoch, place, issuer.passesVoidUntil(time.now()));
    }

    /** Gives back a ticket of a lobby, whose place is not known: its visitor is void until the ticket ends. */
    CompletionStage<Boolean> departLobby(Ticket ticket) {
        Instant passes = issuer.passesVoidUntil(time.now());
        return depart(ticket.visitor(), ticket.epoch(), 0,
                ticket.expiresAt().isAfter(passes) ? ticket.expiresAt() : passes);
    }

    private CompletionStage<Boolean> depart(VisitorId visitor, long epoch, long place, Instant voidUntil) {
        return departures.offer(new Departure(visitor, epoch, place, voidUntil)).handle((done, failure) -> {
            if (failure == null) {
                cache.ended(visitor);
            } else {
                failed(failure);
            }
            return failure == null;
        });
    }

    /** Handles a request that the store did not answer, or that exceeded the bound of its queue. */
    void failed(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        try (LogContext _ = LogContext.ofRoom(cache.name().value())) {
            switch (cause) {
                case StoreException lost -> outage.begin(lost, 1);
                case RejectedExecutionException _ -> LOG.debug("Room {}: {}", cache.name(), cause.getMessage());
                default -> LOG.error("A call for room {} failed", cache.name(), cause);
            }
        }
    }
}
