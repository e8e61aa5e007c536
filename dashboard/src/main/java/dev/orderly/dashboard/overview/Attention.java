package dev.orderly.dashboard.overview;

import dev.orderly.dashboard.page.Figures;
import dev.orderly.dashboard.page.StoreState;
import dev.orderly.job.QueueView;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.node.NodeStatus;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.SlowdownReason;
import dev.orderly.schedule.ScheduleView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What needs attention, by rules about the present state; the urgent things first. */
final class Attention {
    private static final Duration LATE = Duration.ofMinutes(1);

    private final Instant now;
    private final List<AttentionItem> items = new ArrayList<>();

    Attention(Instant now) {
        this.now = now;
    }

    List<AttentionItem> items() {
        return items.stream().sorted(Comparator.comparing(item -> !item.urgent())).toList();
    }

    /** What an outage means for what is on the page; the outage itself is above every page. */
    void outages(StoreState store, List<RoomName> rooms) {
        store.ofRooms().ifPresent(outage -> rooms.forEach(room -> items.add(new AttentionItem(true,
                room + (outage.part().shared() ? " lets nobody new in" : " lets visitors in at its last rate"),
                "Its store does not answer; its figures are those of " + Figures.utc(outage.since()),
                "/rooms/" + room))));
        store.ofJobs().ifPresent(outage -> items.add(new AttentionItem(true, "Queues and schedules cannot be read",
                "Pushes are refused, and nothing is claimed; handlers that run go on for a while", "/queues")));
    }

    void queues(List<QueueStatus> queues) {
        for (QueueStatus status : queues) {
            QueueView view = status.view();
            String path = "/queues/" + view.queue();
            if (view.halted() > 0) {
                items.add(new AttentionItem(true, Figures.of(view.halted(), "group") + " of " + view.queue()
                        + " halted", "A dead letter stops each of them; redrive or cancel it", path + "/groups"));
            }
            if (view.dead() > 0) {
                items.add(new AttentionItem(true, Figures.of(view.dead(), "dead letter") + " in " + view.queue(),
                        "They do not run again by themselves: redrive or delete them", path + "/dead")
                        .counting("dead:" + view.queue(), view.dead()));
            }
            if (view.paused()) {
                items.add(new AttentionItem(view.waiting() > 0, view.queue() + " is paused",
                        Figures.of(view.waiting(), "job") + " waiting until it is resumed", path));
            }
        }
    }

    void rooms(List<RoomState> rooms) {
        for (RoomState room : rooms) {
            String path = "/rooms/" + room.room();
            switch (room.mode()) {
                case HOLD -> items.add(new AttentionItem(room.waiting() > 0, room.room() + " is held",
                        "Nobody new enters; " + Figures.of(room.waiting(), "visitor") + " in line", path));
                case REJECT, DRAIN -> items.add(new AttentionItem(false, room.room() + " turns visitors away",
                        "Its mode is " + room.mode().name().toLowerCase(java.util.Locale.ROOT), path));
                case OPEN, SHADOW -> items.add(new AttentionItem(false, room.room() + " lets everybody pass",
                        "Its mode is " + room.mode().name().toLowerCase(java.util.Locale.ROOT), path));
                case AUTO -> {
                    if (room.slowed() != SlowdownReason.NO) {
                        items.add(new AttentionItem(true, room.room() + " admits fewer visitors",
                                room.slowed() == SlowdownReason.HEALTH
                                        ? "The site behind it is slow or fails"
                                        : "Work that visitors cause piles up",
                                path));
                    }
                }
            }
        }
    }

    void nodes(List<NodeStatus> nodes) {
        nodes.stream().filter(NodeStatus::silent).forEach(node -> items.add(new AttentionItem(true,
                "A node on " + node.report().host() + " is silent",
                "Its last report is " + Figures.duration(node.age()) + " old; its jobs were given back", "/nodes")));
    }

    void schedules(List<ScheduleView> schedules) {
        for (ScheduleView view : schedules) {
            Instant skipped = view.lastSkipped();
            if (view.next() != null && view.next().plus(LATE).isBefore(now)) {
                items.add(new AttentionItem(true, view.name() + " missed its run", "It was due "
                        + Figures.between(view.next(), now) + " ago", "/schedules"));
            } else if (skipped != null && (view.last() == null || skipped.isAfter(view.last()))) {
                items.add(new AttentionItem(false, view.name() + " skipped its last run",
                        "The run before had not ended", "/schedules"));
            }
        }
    }

    void faults(List<String> faults) {
        faults.forEach(fault -> items.add(new AttentionItem(true, "A certificate needs attention", fault, "/about")));
    }
}
