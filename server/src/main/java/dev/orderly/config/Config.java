package dev.orderly.config;

import dev.orderly.http.api.LocalUsers;
import dev.orderly.http.gateway.TrustedProxies;
import dev.orderly.job.UpkeepRequest.Retention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole configuration, checked: every rule that can be checked without starting holds. Paths are absolute.
 *
 * @param jobs what concerns the jobs
 * @param site what stands behind the edge, and its rooms
 * @param apiUsers of this machine that the API serves
 * @param users null if there are none
 * @param live of no meaning without users
 */
public record Config(StoreConfig store, Path secretFile, Listener edge, Listener admin, LocalUsers apiUsers, Jobs jobs,
        Site site,
        @Nullable UserConfig users, LiveConfig live, LogFormat log) {
    /**
     * The part about jobs.
     *
     * @param stopGrace how long a stop waits for running jobs
     * @param claimBytes the most payload of running jobs
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
     * What visitors come for.
     *
     * @param origins empty if routes are all there is
     * @param limits what clients may take
     */
    public record Site(List<dev.orderly.http.gateway.Origin> origins, TrustedProxies trusted,
            List<RoomConfig> rooms, EdgeLimits limits) {
        public Site {
            origins = List.copyOf(origins);
            rooms = List.copyOf(rooms);
        }
    }
}
