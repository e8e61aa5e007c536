package dev.orderly.config;

import dev.orderly.http.api.LocalUsers;
import dev.orderly.http.edge.TrustedProxies;
import dev.orderly.job.store.UpkeepRequest.Retention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A valid configuration: every rule that can be checked without a start holds. Paths are absolute.
 *
 * @param jobs queues, routes, schedules and their limits
 * @param site origins and rooms behind the edge
 * @param apiUsers users of this machine that the API serves
 * @param users null if no users are configured
 * @param live without effect if no users are configured
 */
public record Config(StoreConfig store, Path secretFile, ListenAddress edge, ListenAddress admin, LocalUsers apiUsers,
        Jobs jobs,
        Site site,
        @Nullable UserConfig users, LiveConfig live, LogFormat log) {
    /**
     * The settings of jobs.
     *
     * @param stopGrace wait of a stop for running jobs
     * @param claimBytes upper bound for the payload of running jobs
     */
    public record Jobs(List<QueueConfig> queues, List<RouteConfig> routes, List<ScheduleConfig> schedules,
            Retention keep, Duration stopGrace, long claimBytes) {
        public Jobs {
            queues = List.copyOf(queues);
            routes = List.copyOf(routes);
            schedules = List.copyOf(schedules);
        }
    }

    /**
     * The sites behind the edge, and the rooms that protect them.
     *
     * @param origins empty if there are only routes
     * @param limits upper bounds for clients of the edge
     * @param eventLoops threads that serve the connections of the edge; null for as many as cores
     */
    public record Site(List<dev.orderly.http.gateway.Origin> origins, TrustedProxies trusted,
            List<RoomConfig> rooms, EdgeLimits limits, @Nullable Integer eventLoops) {
        public Site {
            origins = List.copyOf(origins);
            rooms = List.copyOf(rooms);
        }
    }
}
