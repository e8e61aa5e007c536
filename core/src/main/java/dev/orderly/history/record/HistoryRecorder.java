package dev.orderly.history.record;

import dev.orderly.history.HistoryFigure;
import dev.orderly.history.HistoryFigures;
import dev.orderly.history.HistoryPart;
import dev.orderly.history.HistorySubject;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts what this node does for each queue and room since the last cut. An observation costs a look-up and one or two
 * additions in memory; it never blocks and never reaches the store. Thread-safe.
 *
 * <p>Counted are the first {@value #SUBJECTS_MAX} queues, and the first {@value #SUBJECTS_MAX} rooms and tiers of rooms
 * since the start; further ones have no history. Not counted, since reports of upkeep name no queue: dead letters by
 * crashes and failures by ended leases. Both show in the count of dead letters.
 */
public final class HistoryRecorder implements JobObserver, RoomObserver {
    /** The most queues, and the most rooms with their tiers, that are counted. */
    public static final int SUBJECTS_MAX = 500;

    private final Map<QueueName, SubjectCounters> queues = new ConcurrentHashMap<>();
    private final Map<Visitors, SubjectCounters> rooms = new ConcurrentHashMap<>();
    /** Counts what has no history. */
    private final SubjectCounters dropped = new SubjectCounters();

    /**
     * The visitors of a room, or of a tier of it.
     *
     * @param tier null for all
     */
    private record Visitors(RoomName room, @Nullable String tier) {
        HistorySubject subject() {
            return tier == null ? HistorySubject.of(room) : HistorySubject.of(room, tier);
        }
    }

    @Override
    public void pushed(QueueName queue, PushResult result) {
        if (result instanceof PushResult.Accepted) {
            of(queue).count(HistoryFigure.PUSHED);
        }
    }

    @Override
    public void claimed(ClaimedJob job, Duration age) {
        SubjectCounters counters = of(job.queue());
        if (job.attempt().number() == 1) {
            counters.addTime(HistoryFigure.WAITS, HistoryFigure.WAIT_MILLIS, age.toMillis());
        } else {
            counters.count(HistoryFigure.STARTED_AGAIN);
        }
    }

    @Override
    public void ran(QueueName queue, Duration run) {
        of(queue).addTime(HistoryFigure.RUNS, HistoryFigure.RUN_MILLIS, run.toMillis());
    }

    @Override
    public void settled(Settlement settlement, SettleResult result) {
        if (result == SettleResult.ACCEPTED) {
            SubjectCounters counters = of(settlement.attempt().queue());
            switch (settlement.outcome()) {
                case AttemptOutcome.Done _ -> counters.count(HistoryFigure.DONE);
                case AttemptOutcome.Retry _ -> failed(counters, HistoryFigure.RETRIED);
                case AttemptOutcome.Dead _ -> failed(counters, HistoryFigure.DEAD);
                case AttemptOutcome.Cancelled _ -> counters.count(HistoryFigure.CANCELLED);
                case AttemptOutcome.Unread _ -> {
                    // another node may read it
                }
                case AttemptOutcome.Snooze _,AttemptOutcome.Throttle _,AttemptOutcome.GiveBack _ -> {
                    // the job goes on, and nothing failed
                }
                case AttemptOutcome.Leased _,AttemptOutcome.Awaiting _ -> {
                    // the job goes on, and nothing failed
                }
            }
        }
    }

    private static void failed(SubjectCounters counters, HistoryFigure then) {
        counters.count(HistoryFigure.FAILED);
        counters.count(then);
    }

    @Override
    public void arrived(RoomName room) {
        arrived(room, null);
    }

    @Override
    public void arrived(RoomName room, @Nullable String tier) {
        observe(room, tier, counters -> counters.count(HistoryFigure.ARRIVALS));
    }

    @Override
    public void invited(RoomName room, String tier) {
        observe(room, tier, counters -> counters.count(HistoryFigure.INVITED));
    }

    @Override
    public void entered(RoomName room, Duration waited) {
        entered(room, null, waited);
    }

    @Override
    public void entered(RoomName room, @Nullable String tier, Duration waited) {
        observe(room, tier, counters -> {
            counters.count(HistoryFigure.ADMITTED);
            counters.addTime(HistoryFigure.ENTRY_WAITS, HistoryFigure.WAITED_MILLIS, waited.toMillis());
        });
    }

    @Override
    public void compared(RoomName room, AnnouncedWait wait) {
        compared(room, null, wait);
    }

    @Override
    public void compared(RoomName room, @Nullable String tier, AnnouncedWait wait) {
        observe(room, tier, counters -> compared(counters, wait));
    }

    /** Counts an observation for the room, and for the tier if there is one. */
    private void observe(RoomName room, @Nullable String tier, Consumer<SubjectCounters> observation) {
        observation.accept(of(room));
        if (tier != null) {
            observation.accept(of(room, tier));
        }
    }

    private static void compared(SubjectCounters counters, AnnouncedWait wait) {
        counters.count(HistoryFigure.ANNOUNCED);
        if (wait.isKept()) {
            counters.count(HistoryFigure.KEPT);
        }
        counters.add(HistoryFigure.ANNOUNCED_MILLIS, wait.middle().toMillis());
        counters.add(HistoryFigure.FOLLOWED_MILLIS, wait.waited().toMillis());
    }

    @Override
    public void becameAbsent(RoomName room, int visitors) {
        of(room).add(HistoryFigure.BECAME_ABSENT, visitors);
    }

    /** The counters of a queue. */
    SubjectCounters of(QueueName queue) {
        return counters(queues, queue);
    }

    /** The counters of a room. */
    SubjectCounters of(RoomName room) {
        return counters(rooms, new Visitors(room, null));
    }

    private SubjectCounters of(RoomName room, String tier) {
        return counters(rooms, new Visitors(room, tier));
    }

    /** The bound may be exceeded by as many as are added at the same moment. */
    private <N> SubjectCounters counters(Map<N, SubjectCounters> known, N name) {
        SubjectCounters found = known.get(name);
        if (found != null) {
            return found;
        }
        return known.size() < SUBJECTS_MAX ? known.computeIfAbsent(name, _ -> new SubjectCounters()) : dropped;
    }

    /**
     * The figures since the last cut, as those of a minute; subjects without figures are left out. Called by one thread
     * at a time.
     */
    List<HistoryPart> cut(Instant minute) {
        List<HistoryPart> parts = new ArrayList<>();
        queues.forEach((name, counters) -> add(parts, HistorySubject.of(name), minute, counters));
        rooms.forEach((visitors, counters) -> add(parts, visitors.subject(), minute, counters));
        return parts;
    }

    private static void add(List<HistoryPart> parts, HistorySubject subject, Instant minute,
            SubjectCounters counters) {
        HistoryFigures figures = counters.cut();
        if (!figures.isEmpty()) {
            parts.add(new HistoryPart(subject, minute, figures));
        }
    }
}
