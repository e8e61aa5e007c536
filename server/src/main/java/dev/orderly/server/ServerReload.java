package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.config.Config;
import dev.orderly.config.RouteConfig;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.http.EdgeHandlers;
import dev.orderly.http.EdgeServer;
import dev.orderly.http.Routes;
import dev.orderly.http.api.ConfigReload;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.job.PushRefusedException;
import dev.orderly.store.StoreException;
import dev.orderly.web.user.Authenticator;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over a changed configuration while the server runs: certificates, routes, origins, rooms and their pages,
 * settings of queues, and queues, rooms and schedules that are new. Checks all of it first; a configuration that is
 * refused changes nothing. Thread-safe: one reload runs at a time.
 */
final class ServerReload implements ConfigReload {
    private static final Logger LOG = LoggerFactory.getLogger(ServerReload.class);

    private final Supplier<ConfigResult> source;
    private final Parts parts;
    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile Config inForce;

    /** The parts of a server that a reload changes. */
    record Parts(Orderly orderly, ConfiguredJobs jobs, EdgeRooms rooms, EdgeUsers users, EdgeServer edge,
            Authenticator authenticator, ListenerCertificates certificates, Tracing tracing) {}

    /** @param source reads the configuration anew */
    ServerReload(Config first, Supplier<ConfigResult> source, Parts parts) {
        this.inForce = first;
        this.source = source;
        this.parts = parts;
    }

    @Override
    public Result reload() {
        if (!busy.compareAndSet(false, true)) {
            return new Result.Refused(List.of("Another reload is under way: repeat it when that has ended"));
        }
        try {
            Result result = switch (source.get()) {
                case ConfigResult.Invalid(List<ConfigProblem> problems) -> new Result.Refused(
                        problems.stream().map(ConfigProblem::toString).toList());
                case ConfigResult.Valid(Config config) -> apply(config);
            };
            log(result);
            return result;
        } finally {
            busy.set(false);
        }
    }

    private Result apply(Config config) {
        ConfigChange change = ConfigChange.between(inForce, config);
        try {
            take(change.next());
        } catch (StoreException | StartFailedException | PushRefusedException | IllegalArgumentException e) {
            return new Result.Refused(List.of(String.valueOf(e.getMessage())));
        }
        inForce = change.next();
        config.jobs().routes().forEach(route -> route.warning().ifPresent(LOG::warn));
        return new Result.Applied(change.changed(), change.restart());
    }

    /** The configuration in force. */
    Config inForce() {
        return inForce;
    }

    /** The routes of a configuration whose queues are declared. */
    static Routes routes(Config config, Orderly orderly, Authenticator users) {
        return new Routes(config.jobs().routes().stream().map(RouteConfig::route).toList(), orderly.engines().jobs(),
                users);
    }

    /** The handlers of a configuration, with the demand for TLS and with traces. */
    static EdgeHandlers handlers(Config config, EdgeHandlers handlers, Tracing tracing) {
        EdgeHandlers traced = tracing.isOn() ? handlers.withTraces(tracing.tracer()) : handlers;
        Duration hsts = config.site().https().hsts();
        return hsts == null ? traced : traced.withStrictTransport(hsts);
    }

    /** What can fail comes first: a new room without a gate and a new queue without jobs change nothing. */
    private void take(Config next) {
        Gateway gateway = parts.rooms().gateway(next.site());
        parts.certificates().change(next.edge(), next.site().hosts());
        EdgeHandlers rooms = parts.rooms().declare(next.site().rooms());
        parts.jobs().declareQueues(next.jobs());
        parts.jobs().declareSchedules(next.jobs().schedules());
        parts.edge().change(routes(next, parts.orderly(), parts.authenticator()), gateway,
                handlers(next, parts.jobs().withReports(next, parts.users().with(rooms)), parts.tracing()));
        parts.rooms().change(next.site().rooms());
        parts.jobs().changeQueues(next.jobs().queues());
    }

    private static void log(Result result) {
        switch (result) {
            case Result.Applied(List<String> changed, List<String> restart) -> {
                LOG.info("The configuration was read again; changed: {}", shown(changed));
                if (!restart.isEmpty()) {
                    LOG.warn("In force only after a restart: {}", shown(restart));
                }
            }
            case Result.Refused(List<String> problems) -> LOG.error(
                    "The configuration was read again and is refused; nothing was changed\n{}",
                    String.join("\n", problems));
        }
    }

    private static String shown(List<String> keys) {
        return keys.isEmpty() ? "nothing" : String.join(", ", keys);
    }
}
