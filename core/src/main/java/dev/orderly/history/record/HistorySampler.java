package dev.orderly.history.record;

import dev.orderly.history.HistoryFigure;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.JobViews;
import dev.orderly.room.RoomState;
import dev.orderly.room.crowd.PlaceBand;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomRefusals;
import java.time.Duration;
import java.time.Instant;

/** Reads what is not counted: depths of queues from the store, states of rooms from this gate's memory. */
public final class HistorySampler {
    private final HistoryRecorder recorder;
    private final JobViews queues;
    private final RoomEngine rooms;

    public HistorySampler(HistoryRecorder recorder, JobViews queues, RoomEngine rooms) {
        this.recorder = recorder;
        this.queues = queues;
        this.rooms = rooms;
    }

    HistoryRecorder recorder() {
        return recorder;
    }

    /**
     * Reads all queues. Blocks.
     *
     * @throws dev.orderly.store.StoreException if the store does not answer
     */
    void readQueues(Instant now) {
        for (QueueView view : queues.queues()) {
            SubjectCounters counters = recorder.of(view.queue());
            counters.peak(HistoryFigure.WAITING, view.waiting());
            counters.peak(HistoryFigure.DELAYED, view.delayed());
            counters.peak(HistoryFigure.RUNNING, view.running() + view.leased());
            counters.peak(HistoryFigure.DEAD_LETTERS, view.dead());
            Instant oldest = view.oldestPushedAt();
            counters.peak(HistoryFigure.OLDEST_MILLIS, oldest == null ? 0 : Duration.between(oldest, now).toMillis());
        }
    }

    /** Reads all rooms of this gate from memory. Called by the thread that cuts. */
    void readRooms() {
        rooms.rooms().forEach(this::read);
    }

    private void read(Room room) {
        SubjectCounters counters = recorder.of(room.name());
        RoomState state = room.state();
        counters.peak(HistoryFigure.IN_LINE, state.waiting());
        counters.peak(HistoryFigure.DOOR, state.load().door());
        counters.peak(HistoryFigure.INSIDE, state.load().active());
        counters.peak(HistoryFigure.NO_SHOWS, state.called() - state.pace().admitted() - state.load().door());
        state.limits().mostPasses().ifPresent(most -> counters.peak(HistoryFigure.CAPACITY, most));
        long others = 0;
        for (RoomRefusals.Cause cause : RoomRefusals.Cause.values()) {
            long count = room.visits().refusals().total(cause).count();
            counters.total(HistoryFigure.refused(cause), count);
            others += cause == RoomRefusals.Cause.TOKEN ? 0 : count;
        }
        counters.total(HistoryFigure.REFUSED, others);
        for (PlaceBand band : PlaceBand.values()) {
            counters.total(HistoryFigure.places(band), room.visits().places().total(band));
        }
    }
}
