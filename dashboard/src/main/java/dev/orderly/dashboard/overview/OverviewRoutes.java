package dev.orderly.dashboard.overview;

import dev.orderly.Orderly;
import dev.orderly.access.Role;
import dev.orderly.dashboard.chart.Trends;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.dashboard.queue.QueueRow;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.node.NodeStatus;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.web.message.Response;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** The routes of the overview. */
public final class OverviewRoutes {
    private static final int QUEUES_MAX = 15;

    private final PageContext context;
    private final Orderly orderly;
    private final RoomEngine rooms;
    private final Supplier<List<String>> faults;
    private final Trends trends;

    /** @param faults present faults of certificates, as sentences; must not block */
    public OverviewRoutes(PageContext context, Orderly orderly, RoomEngine rooms, Supplier<List<String>> faults,
            Trends trends) {
        this.context = context;
        this.orderly = orderly;
        this.rooms = rooms;
        this.faults = faults;
        this.trends = trends;
    }

    public List<DashboardRoute> routes() {
        return List.of(new DashboardRoute("GET", "/", Role.VIEWER, this::overview));
    }

    private Response overview(DashboardRequest request) {
        List<NodeStatus> nodes = orderly.nodes();
        List<Room> declared = rooms.rooms();
        Attention attention = new Attention(context.time().now());
        attention.outages(context.store(), declared.stream().map(Room::name).toList());
        List<QueueStatus> queues = context.store().fromJobs(() -> orderly.jobs().queues()).orElse(null);
        if (queues != null) {
            attention.queues(queues);
        }
        attention.rooms(declared.stream().map(Room::state).toList());
        attention.nodes(nodes);
        attention.schedules(context.store().fromJobs(() -> orderly.schedules().views()).orElse(List.of()));
        attention.faults(faults.get());
        List<QueueStatus> shown = queues == null
                ? List.of()
                : queues.stream().sorted(Comparator.comparing((QueueStatus queue) -> queue.view()
                        .oldestPushedAt(), Comparator.nullsLast(Comparator.naturalOrder()))).limit(QUEUES_MAX).toList();
        return context.page(request, new OverviewPage(attention.items(),
                declared.stream().map(room -> RoomSummary.of(room, trends, context.store())).toList(),
                queues == null ? null : QueueRow.of(shown, trends),
                queues == null ? 0 : queues.size() - shown.size(), nodes));
    }
}
