package dev.orderly.server;

import dev.orderly.about.ConfigValue;
import dev.orderly.config.Config;
import dev.orderly.config.ListenAddress;
import dev.orderly.config.QueueConfig;
import dev.orderly.config.RoomConfig;
import dev.orderly.config.ScheduleConfig;
import dev.orderly.config.TlsConfig;
import dev.orderly.room.RoomOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way from the configuration in force to a changed one without a restart.
 *
 * @param next the configuration in force afterwards: the changed one where it can change, otherwise as before
 * @param changed keys that differ and can change
 * @param restart keys that differ and need a restart
 */
record ConfigChange(Config next, List<String> changed, List<String> restart) {
    /** The keys of a room that wait for a restart; the others change while it runs. */
    private static final Set<String> ROOM_AFTER_RESTART = Stream.of(RoomConfig.PASS_IDLE.name(),
            RoomConfig.PASS_MAX.name(), RoomConfig.TICKET_TTL.name(), RoomConfig.POLL.name(),
            RoomConfig.HEALTH.name(), RoomConfig.BACKLOG.name()).collect(Collectors.toUnmodifiableSet());

    static ConfigChange between(Config from, Config to) {
        return new Comparison(from, to).result();
    }

    /** Compares part by part, and collects the keys. */
    private static final class Comparison {
        private final Config from;
        private final Config to;
        private final List<String> changed = new ArrayList<>();
        private final List<String> restart = new ArrayList<>();

        Comparison(Config from, Config to) {
            this.from = from;
            this.to = to;
        }

        ConfigChange result() {
            keep("store", config -> List.of(config.store().jobs(), config.store().rooms()));
            keep("backup", config -> config.store().backup());
            keep("secret-file", Config::secretFile);
            keep("edge.host", config -> config.edge().host());
            keep("edge.port", config -> config.edge().port());
            keep("edge.redirect-port", config -> config.site().https().redirectPort());
            keep("edge.proxy-protocol", config -> config.site().proxyProtocol());
            keep("edge.trusted-proxies", config -> config.site().trusted());
            keep("edge.limits", config -> config.site().limits());
            keep("edge.event-loops", config -> config.site().eventLoops());
            keep("edge.drain", config -> config.site().drain());
            keep("edge.warm-up", config -> config.site().warmUp());
            keep("admin.host", config -> config.admin().host());
            keep("admin.port", config -> config.admin().port());
            keep("admin.tls", config -> config.admin().tls());
            keep("metrics", Config::metrics);
            keep("admin", Config::access);
            keep("users", Config::users);
            keep("live", Config::live);
            keep("log", Config::log);
            keep("alerts", config -> config.telemetry().alerts());
            keep("traces", config -> config.telemetry().traces());
            keep("visitor-log", config -> config.telemetry().visitorLog());
            keep("keep", config -> config.jobs().keep());
            keep("keep.history", config -> config.telemetry().history());
            keep("stop-grace", config -> config.jobs().stopGrace());
            keep("claim-bytes", config -> config.jobs().claimBytes());
            keep("edge.public-url", config -> config.jobs().publicUrl());
            keep("redact", config -> config.jobs().redaction());
            Config.Site site = new Config.Site(take("edge.origin", config -> config.site().origins()),
                    from.site().trusted(), rooms(), from.site().limits(), from.site().eventLoops(), https(),
                    from.site().proxyProtocol(), from.site().drain(), from.site().warmUp());
            Config.Jobs jobs = new Config.Jobs(take("limits", config -> config.jobs().limits()), queues(),
                    take("routes", config -> config.jobs().routes()),
                    schedules(), from.jobs().keep(), from.jobs().stopGrace(), from.jobs().claimBytes(),
                    take("edge.worker-reports", config -> config.jobs().reports()), from.jobs().publicUrl(),
                    from.jobs().redaction());
            ListenAddress edge = edge();
            List<String> waiting = restart.stream().flatMap(this::keys).distinct().toList();
            return new ConfigChange(new Config(from.store(), from.secretFile(), edge, from.admin(),
                    from.metrics(), from.access(), jobs, site, from.users(), from.live(), from.log(),
                    from.telemetry(), values(waiting)), changed, waiting);
        }

        /**
         * The keys of a part that wait for a restart: those with another value. The part itself where all of it is new
         * or gone, and where the values do not show the difference, such as that of a masked password.
         */
        private Stream<String> keys(String part) {
            Map<String, ConfigValue> before = byKey(below(part, from));
            Map<String, ConfigValue> after = byKey(below(part, to));
            if (before.isEmpty() || after.isEmpty()) {
                return Stream.of(part);
            }
            List<String> keys = Stream.concat(before.keySet().stream(), after.keySet().stream()).distinct()
                    .filter(key -> waits(part, key) && !Objects.equals(value(before.get(key)), value(after.get(key))))
                    .toList();
            return keys.isEmpty() ? Stream.of(part) : keys.stream();
        }

        private static @Nullable String value(@Nullable ConfigValue value) {
            return value == null ? null : value.value();
        }

        private static List<ConfigValue> below(String part, Config config) {
            return config.values().stream().filter(value -> isBelow(part, value.key())).toList();
        }

        private static boolean isBelow(String part, String key) {
            return key.equals(part) || key.startsWith(part + ".") || key.startsWith(part + "[");
        }

        /** Whether a changed key of a part needs a restart: of a queue its handler does. */
        private static boolean waits(String part, String key) {
            return part.startsWith("queues.")
                    ? isBelow(part + "." + QueueConfig.HANDLER.name(), key)
                    : !part.startsWith("rooms.")
                            || ROOM_AFTER_RESTART.stream().anyMatch(each -> isBelow(part + "." + each, key));
        }

        /**
         * The values in force; a value that needs a restart stays as it was, with the one that is pending.
         *
         * @param waiting keys that need a restart, and parts all of whose keys do
         */
        private List<ConfigValue> values(List<String> waiting) {
            Map<String, ConfigValue> before = byKey(from.values());
            List<ConfigValue> next = new ArrayList<>();
            for (ConfigValue value : to.values()) {
                ConfigValue known = before.remove(value.key());
                if (waiting.stream().noneMatch(part -> isBelow(part, value.key()))) {
                    next.add(value);
                } else if (known != null) {
                    next.add(known.value().equals(value.value())
                            ? value
                            : known.withPending(value.value()));
                }
            }
            before.values().stream().filter(value -> waiting.stream().anyMatch(part -> isBelow(part, value.key())))
                    .forEach(value -> next.add(value.withPending("")));
            return next;
        }

        private static Map<String, ConfigValue> byKey(List<ConfigValue> values) {
            Map<String, ConfigValue> byKey = new LinkedHashMap<>();
            values.forEach(value -> byKey.put(value.key(), value));
            return byKey;
        }

        /** Files of certificates can change; whether there is TLS, and by which authority, cannot. */
        private ListenAddress edge() {
            TlsConfig before = from.edge().tls();
            TlsConfig after = to.edge().tls();
            if ((before == null) != (after == null)) {
                restart.add(after == null ? "edge.tls (switched off)" : "edge.tls (switched on)");
            } else if (before != null && after != null && !Objects.equals(before.acme(), after.acme())) {
                restart.add("edge.tls.acme");
            } else if (!Objects.equals(from.edge().tls(), to.edge().tls())) {
                changed.add("edge.tls");
                return from.edge().withTls(to.edge().tls());
            }
            return from.edge();
        }

        private Config.Https https() {
            Duration hsts = to.site().https().hsts();
            if (!Objects.equals(from.site().https().hsts(), hsts)) {
                changed.add("edge.hsts");
            }
            return new Config.Https(from.site().https().redirectPort(), hsts);
        }

        private void keep(String key, Function<Config, ? extends @Nullable Object> part) {
            if (!Objects.equals(part.apply(from), part.apply(to))) {
                restart.add(key);
            }
        }

        private <T> T take(String key, Function<Config, T> part) {
            if (!part.apply(from).equals(part.apply(to))) {
                changed.add(key);
            }
            return part.apply(to);
        }

        private List<RoomConfig> rooms() {
            return merged("rooms.", config -> config.site().rooms(), room -> room.name().value(),
                    !from.site().rooms().isEmpty(), Comparison::changeable);
        }

        /** A room with the settings that can change taken from the second. */
        private static RoomConfig changeable(RoomConfig before, RoomConfig after) {
            RoomOptions options = before.options().withLimits(after.options().limits())
                    .withTimetable(after.options().timetable()).withOpenings(after.options().openings())
                    .withAddresses(after.options().addresses())
                    .withOnFailure(after.options().onFailure()).withMove(after.options().move())
                    .withOnePerUser(after.options().onePerUser())
                    .withTiers(after.options().tiers()).withProofOfWork(after.options().proofOfWork());
            return new RoomConfig(before.name(), after.match(), options, before.backlog(), after.page(),
                    after.waitingStatus(), after.check(), after.signIn());
        }

        private List<QueueConfig> queues() {
            return merged("queues.", config -> config.jobs().queues(), queue -> queue.name().value(),
                    true, (before, after) -> new QueueConfig(before.name(), before.handler(), before.batch(),
                            after.options()));
        }

        private List<ScheduleConfig> schedules() {
            return merged("schedules.", config -> config.jobs().schedules(), schedule -> schedule.name().value(),
                    true, (before, _) -> before);
        }

        /**
         * The named parts in force afterwards: first the parts in force now, changed as far as possible, then new
         * parts.
         *
         * @param addable whether new parts need no restart
         * @param change the first part with the changes that need no restart
         */
        private <T> List<T> merged(String prefix, Function<Config, List<T>> parts, Function<T, String> name,
                boolean addable, BinaryOperator<T> change) {
            List<T> result = new ArrayList<>();
            for (T before : parts.apply(from)) {
                String key = prefix + name.apply(before);
                T after = named(parts.apply(to), name, name.apply(before)).findAny().orElse(null);
                T next = after == null ? before : change.apply(before, after);
                if (!next.equals(before)) {
                    changed.add(key);
                }
                if (!next.equals(after)) {
                    restart.add(key);
                }
                result.add(next);
            }
            for (T after : parts.apply(to)) {
                if (named(parts.apply(from), name, name.apply(after)).findAny().isEmpty()) {
                    (addable ? changed : restart).add(prefix + name.apply(after));
                    if (addable) {
                        result.add(after);
                    }
                }
            }
            return result;
        }

        private static <T> Stream<T> named(List<T> parts, Function<T, String> name, String wanted) {
            return parts.stream().filter(part -> name.apply(part).equals(wanted));
        }
    }
}
