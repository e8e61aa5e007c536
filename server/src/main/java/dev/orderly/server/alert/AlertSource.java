package dev.orderly.server.alert;

import dev.orderly.Orderly;
import dev.orderly.config.AlertConfig;
import dev.orderly.config.schema.UnitText;
import dev.orderly.http.alert.AlertKind;
import dev.orderly.http.alert.Observed;
import dev.orderly.job.QueueView;
import dev.orderly.node.NodeStatus;
import dev.orderly.room.RoomState;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.store.StoreException;
import dev.orderly.store.StorePart;
import dev.orderly.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** What a server observes for its alerts. Blocks on the store. */
public final class AlertSource implements Function<Instant, Observed> {
    private static final Duration LATE = Duration.ofMinutes(1);

    private final AlertConfig config;
    private final Orderly orderly;
    private final RoomEngine rooms;
    private final Supplier<Map<String, List<String>>> certificates;

    /** @param certificates present faults of certificates, by listener; must not block */
    public AlertSource(AlertConfig config, Orderly orderly, RoomEngine rooms,
            Supplier<Map<String, List<String>>> certificates) {
        this.config = config;
        this.orderly = orderly;
        this.rooms = rooms;
        this.certificates = certificates;
    }

    @Override
    public Observed apply(Instant now) {
        Observed observed = new Observed();
        rooms(observed);
        if (config.tells(AlertKind.STORE_AWAY)) {
            observed.knows(AlertKind.STORE_AWAY);
            orderly.stores().outages().stream().filter(outage -> outage.part().content() == StorePart.Content.ROOMS)
                    .forEach(outage -> observed.holds(AlertKind.STORE_AWAY, "rooms",
                            "The store of rooms does not answer: " + outage.reason()));
        }
        try {
            queues(observed, now);
            schedules(observed, now);
        } catch (StoreException e) {
            if (config.tells(AlertKind.STORE_AWAY)) {
                observed.holds(AlertKind.STORE_AWAY, "jobs", "The store of jobs does not answer: " + e.getMessage());
            }
        }
        if (config.tells(AlertKind.CERTIFICATE)) {
            observed.knows(AlertKind.CERTIFICATE);
            certificates.get().forEach((listener, faults) -> {
                if (!faults.isEmpty()) {
                    observed.holds(AlertKind.CERTIFICATE, listener, String.join(" ", faults));
                }
            });
        }
        if (config.tells(AlertKind.NODE_GONE)) {
            observed.knows(AlertKind.NODE_GONE);
            orderly.nodes().stream().filter(NodeStatus::silent).forEach(node -> observed.holds(
                    AlertKind.NODE_GONE, node.report().node().value(), "The node on " + node.report().host()
                            + " has not reported for " + DurationText.rounded(node.age()) + "."));
        }
        return observed;
    }

    private void rooms(Observed observed) {
        Duration most = config.longestWait();
        if (config.tells(AlertKind.ROOM_QUEUEING)) {
            observed.knows(AlertKind.ROOM_QUEUEING);
        }
        if (most != null) {
            observed.knows(AlertKind.ROOM_WAIT);
        }
        for (Room room : rooms.rooms()) {
            RoomState state = room.state();
            if (config.tells(AlertKind.ROOM_QUEUEING) && (state.line().crowded() || state.waiting() > 0)) {
                observed.holds(AlertKind.ROOM_QUEUEING, room.name().value(), state.load().known()
                        + " visitors wait in room " + room.name() + ".");
            }
            Duration low = room.forNewcomer().low();
            if (most != null && low != null && low.compareTo(most) > 0) {
                observed.holds(AlertKind.ROOM_WAIT, room.name().value(), "A visitor who joins room " + room.name()
                        + " now waits at least " + UnitText.text(low.truncatedTo(ChronoUnit.SECONDS))
                        + ", more than " + UnitText.text(most) + ".");
            }
        }
    }

    private void queues(Observed observed, Instant now) {
        Duration oldest = config.oldestJob();
        boolean letters = config.tells(AlertKind.QUEUE_DEAD);
        if (!letters && oldest == null) {
            return;
        }
        List<QueueView> views = orderly.jobs().queues().stream().map(status -> status.view()).toList();
        if (letters) {
            observed.knows(AlertKind.QUEUE_DEAD);
            views.forEach(view -> observed.dead(view.queue().value(), view.dead()));
        }
        if (oldest != null) {
            observed.knows(AlertKind.QUEUE_AGE);
            views.stream().filter(view -> view.oldestPushedAt() != null
                    && view.oldestPushedAt().plus(oldest).isBefore(now)).forEach(view -> observed.holds(
                            AlertKind.QUEUE_AGE, view.queue().value(), "The oldest waiting job of queue "
                                    + view.queue() + " is older than " + UnitText.text(oldest) + "; " + view.waiting()
                                    + " wait" + (view.paused() ? ", and the queue is paused." : ".")));
        }
    }

    private void schedules(Observed observed, Instant now) {
        if (config.tells(AlertKind.SCHEDULE_UNDECLARED)) {
            observed.knows(AlertKind.SCHEDULE_UNDECLARED);
            orderly.engines().schedules().undeclaredLately()
                    .forEach(name -> observed.holds(AlertKind.SCHEDULE_UNDECLARED, name.value(),
                            "Schedule " + name + " is declared by no live node, so that nobody fires it."));
        }
        if (!config.tells(AlertKind.SCHEDULE_MISSED)) {
            return;
        }
        List<ScheduleView> views = orderly.schedules().views();
        observed.knows(AlertKind.SCHEDULE_MISSED);
        for (ScheduleView view : views) {
            Instant skipped = view.lastSkipped();
            if (view.next() != null && view.next().plus(LATE).isBefore(now)) {
                observed.holds(AlertKind.SCHEDULE_MISSED, view.name().value(),
                        "Schedule " + view.name() + " has pushed no job for " + view.next() + ".");
            } else if (skipped != null && (view.last() == null || skipped.isAfter(view.last()))) {
                observed.holds(AlertKind.SCHEDULE_MISSED, view.name().value(), "Schedule " + view.name() + " skipped "
                        + skipped + ", since its last run had not ended.");
            }
        }
    }
}
