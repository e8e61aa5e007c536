package dev.orderly.config;

import dev.orderly.about.ConfigValue;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.web.edge.TrustedProxies;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A valid configuration: every rule that can be checked without a start holds. Paths are absolute.
 *
 * @param jobs queues, routes, schedules and their limits
 * @param site origins and rooms behind the edge
 * @param metrics the listener of metrics and health checks; null for none
 * @param access access to the API
 * @param users null if no users are configured
 * @param live without effect if no users are configured
 * @param values every key with the value from which all this was read
 */
public record Config(StoreConfig store, Path secretFile, ListenAddress edge, ListenAddress admin,
        @Nullable ListenAddress metrics, AccessConfig access, Jobs jobs, Site site,
        @Nullable UserConfig users, LiveConfig live, LogFormat log, Telemetry telemetry, List<ConfigValue> values) {
    public Config {
        values = List.copyOf(values);
    }

    /**
     * What the server tells about itself.
     *
     * @param traces null for none
     * @param alerts null for none
     * @param history how long the figures of hours are kept; zero for no history
     */
    public record Telemetry(VisitorLogConfig visitorLog, @Nullable TraceConfig traces,
            @Nullable AlertConfig alerts, Duration history) {}

    /**
     * The settings of jobs.
     *
     * @param stopGrace wait of a stop for running jobs
     * @param claimBytes upper bound for the payload of running jobs
     * @param reports whether the public listener takes reports of workers
     * @param redaction the masked keys of payloads, results and params
     */
    public record Jobs(List<QueueConfig> queues, List<RouteConfig> routes, List<ScheduleConfig> schedules,
            Retention keep, Duration stopGrace, long claimBytes, WorkerReports reports, Redaction redaction) {
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
     * @param https beside the TLS of the edge
     * @param drain time from SIGTERM until the edge closes, in which it serves and is not ready
     * @param warmUp longest time of the requests that a node with rooms makes to itself at its start; zero for none
     * @param proxyProtocol whether the connections of trusted proxies begin with a header that names the client
     */
    public record Site(List<dev.orderly.http.gateway.Origin> origins, TrustedProxies trusted,
            List<RoomConfig> rooms, EdgeLimits limits, @Nullable Integer eventLoops, Https https,
            boolean proxyProtocol, Duration drain, Duration warmUp) {
        public Site {
            origins = List.copyOf(origins);
            rooms = List.copyOf(rooms);
        }

        /** The hosts that origins and rooms name. */
        public Set<String> hosts() {
            Set<String> hosts = new TreeSet<>();
            origins.forEach(origin -> hosts.addAll(origin.hosts()));
            rooms.forEach(room -> hosts.addAll(room.match().hosts()));
            return hosts;
        }
    }

    /**
     * The way from plain HTTP to TLS.
     *
     * @param redirectPort a listener that sends clients to the edge; null for none
     * @param hsts for which browsers use TLS only; null for no such demand
     */
    public record Https(@Nullable Integer redirectPort, @Nullable Duration hsts) {
        public static final Https NONE = new Https(null, null);
    }

    /** The settings by which jobs are shown to operators. */
    public JobPresentation presentation() {
        return new JobPresentation(jobs.redaction, telemetry.traces == null ? null : telemetry.traces.link());
    }

    /** Lines for an operator about settings that are valid and have a fault. Blocks on the files of certificates. */
    public List<String> warnings(Instant now) {
        List<String> warnings = new ArrayList<>();
        if (edge.tls() != null) {
            warnings.addAll(edge.tls().warnings(site.hosts(), now));
        }
        if (admin.tls() != null) {
            warnings.addAll(admin.tls().warnings(access.hosts(), now));
        }
        return warnings;
    }
}
