package dev.orderly.room.gate;

import dev.orderly.flow.Batcher;
import dev.orderly.room.RoomName;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/**
 * Combines the requests of many visitors of one room into few calls of the store. Never blocks: a request beyond the
 * bound fails at once with {@link java.util.concurrent.RejectedExecutionException}, a failed call of the store with
 * {@link StoreException}.
 */
final class StoreBatches {
    private static final int BATCH = 1_024;
    private static final int WAITING = 65_536;

    private final Batcher<JoinRequest, JoinResult> joins;
    private final Batcher<AdmissionRequest, AdmissionResult> admissions;
    private final Batcher<RenewalRequest, Boolean> renewals;
    private final Batcher<Departure, Boolean> departures;

    /** @param executor runs the batches */
    StoreBatches(RoomName room, RoomStore store, Time time, Executor executor) {
        joins = batcher(time, executor, (batch, now) -> store.join(room, batch, now));
        admissions = batcher(time, executor, (batch, now) -> store.admit(room, batch, now));
        renewals = batcher(time, executor, (batch, now) -> store.renew(room, batch, now));
        departures = batcher(time, executor, (batch, now) -> {
            store.depart(room, batch, now);
            return batch.stream().map(_ -> true).toList();
        });
    }

    CompletableFuture<JoinResult> join(JoinRequest request) {
        return joins.offer(request);
    }

    CompletableFuture<AdmissionResult> admit(AdmissionRequest request) {
        return admissions.offer(request);
    }

    CompletableFuture<Boolean> renew(RenewalRequest renewal) {
        return renewals.offer(renewal);
    }

    CompletableFuture<Boolean> depart(Departure departure) {
        return departures.offer(departure);
    }

    void close(Duration patience) {
        joins.close(patience);
        admissions.close(patience);
        renewals.close(patience);
        departures.close(patience);
    }

    private static <I, O> Batcher<I, O> batcher(Time time, Executor executor,
            BiFunction<List<I>, Instant, List<O>> call) {
        return new Batcher<>(new Batcher.Bounds<>(BATCH, WAITING, _ -> 1), batch -> call.apply(batch, time.now()),
                executor);
    }
}
