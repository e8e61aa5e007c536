package dev.orderly.config.reader;

import dev.orderly.alert.AlertKind;
import dev.orderly.config.AccessConfig;
import dev.orderly.config.AlertConfig;
import dev.orderly.config.BackupConfig;
import dev.orderly.config.Config;
import dev.orderly.config.ConfigProblem;
import dev.orderly.config.ListenAddress;
import dev.orderly.config.LiveConfig;
import dev.orderly.config.QueueConfig;
import dev.orderly.config.RoomConfig;
import dev.orderly.config.TraceConfig;
import dev.orderly.config.UserConfig;
import dev.orderly.config.VisitorLogConfig;
import dev.orderly.config.schema.Amounts;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.http.intake.Route;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.HealthPolicy;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.path.RequestPattern;
import dev.orderly.web.room.RoomBacklog;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The configuration in force, defaults included, for the log: one line a part, without secrets. */
public final class EffectiveConfig {
    private EffectiveConfig() {}

    public static String text(Config config) {
        StringJoiner text = new StringJoiner("\n");
        text.add("store: " + config.store());
        BackupConfig backup = config.store().backup();
        if (backup != null) {
            text.add("backup: to " + backup.to() + ", every " + Amounts.text(backup.every()) + ", keep "
                    + backup.keep());
        }
        text.add("secret-file: " + config.secretFile());
        text.add("edge: " + listener(config.edge()) + "  admin: " + listener(config.admin()));
        ListenAddress metrics = config.metrics();
        text.add("metrics: " + (metrics == null ? "none" : listener(metrics)) + "  drain: "
                + Amounts.text(config.site().drain()) + "  warm-up: " + Amounts.text(config.site().warmUp()));
        if (config.site().proxyProtocol()) {
            text.add("proxy-protocol: true");
        }
        Config.Https https = config.site().https();
        if (https.redirectPort() != null) {
            text.add("redirect-port: " + https.redirectPort());
        }
        if (https.hsts() != null) {
            text.add("hsts: " + Amounts.text(https.hsts()));
        }
        text.add("access: " + access(config.access()));
        config.site().origins().forEach(origin -> text.add("origin " + origin.uri() + " gets " + origin.match().text()
                + (origin.hosts().isEmpty() ? "" : " of " + String.join(" ", origin.hosts())) + " with host "
                + ValueTypes.lower(origin.host())));
        if (!config.site().trusted().blocks().isEmpty()) {
            text.add("trusted-proxies: " + config.site().trusted().blocks().stream()
                    .map(block -> block.network().getHostAddress() + "/" + block.bits())
                    .collect(Collectors.joining(", ")));
        }
        config.site().rooms().forEach(room -> text.add("room " + room.name() + ": " + room(room)));
        config.jobs().queues().forEach(queue -> text.add("queue " + queue.name() + ": " + queue(queue)));
        config.jobs().routes().forEach(route -> text.add("route POST " + route.post().text() + " -> " + route.queue()
                + (route.accepts().isEmpty() ? "" : ", accepts " + String.join(", ", route.accepts()))
                + (route.users() == Route.Users.OPTIONAL ? "" : ", users " + ValueTypes.lower(route.users()))
                + (route.group() == Route.Group.PATH ? "" : ", group " + ValueTypes.lower(route.group()))
                + (route.limits().perUser() == null ? "" : ", per user " + route.limits().perUser())
                + (route.limits().perAddress() == null ? "" : ", per address " + route.limits().perAddress())
                + (route.origins().listed().isEmpty()
                        ? ""
                        : ", origins " + String.join(", ", new TreeSet<>(route.origins().listed())))));
        config.jobs().schedules().forEach(schedule -> text.add("schedule " + schedule.name() + ": " + schedule.timing()
                + " -> " + schedule.queue() + (schedule.group() == null ? "" : ", group " + schedule.group())));
        UserConfig users = config.users();
        if (users != null) {
            text.add("users: " + users(users));
            text.add("live: " + live(config.live()));
        }
        var keep = config.jobs().keep();
        text.add("keep: done " + Amounts.text(keep.done()) + " at most " + keep.doneMax() + ", dead "
                + Amounts.text(keep.dead()) + ", audit " + Amounts.text(config.access().options().keepAudit())
                + ", history " + Amounts.text(config.telemetry().history())
                + "  stop-grace: " + Amounts.text(config.jobs().stopGrace())
                + "  claim-bytes: " + Amounts.sizeText(config.jobs().claimBytes()) + "  log: "
                + ValueTypes.lower(config.log()));
        telemetry(config.telemetry(), text);
        return text.toString();
    }

    private static void telemetry(Config.Telemetry config, StringJoiner text) {
        VisitorLogConfig visitors = config.visitorLog();
        if (visitors.share() > 0) {
            text.add("visitor-log: " + Amounts.shareText(visitors.share()) + " of the requests to "
                    + (visitors.file() == null ? "standard output" : visitors.file()) + ", addresses "
                    + ValueTypes.lower(visitors.addresses()));
        }
        TraceConfig traces = config.traces();
        if (traces != null) {
            text.add("traces: " + Amounts.shareText(traces.sample()) + " to " + ConfigProblem.shown(
                    traces.url().toString()) + " as " + traces.service());
        }
        AlertConfig alerts = config.alerts();
        if (alerts != null) {
            text.add("alerts: to " + ConfigProblem.shown(alerts.url().toString()) + ", wait "
                    + orNone(alerts.longestWait())
                    + ", oldest-job " + orNone(alerts.oldestJob()) + ", off "
                    + alerts.off().stream().map(AlertKind::wire).collect(Collectors.joining(" ")));
        }
    }

    private static String listener(ListenAddress listener) {
        return listener.host() + ":" + listener.port()
                + (listener.tls() == null ? "" : " with TLS by " + listener.tls());
    }

    private static String access(AccessConfig access) {
        ProxyAccess proxy = access.proxy();
        return "local-access " + access.local()
                + (access.hosts().isEmpty() ? "" : ", hosts " + String.join(" ", access.hosts()))
                + (proxy.proxies().blocks().isEmpty() ? "" : ", trusted-proxies " + blocks(proxy.proxies()))
                + (proxy.userHeader() == null ? "" : ", users by " + proxy.userHeader()) + ", sessions "
                + Amounts.text(access.options().sessionIdle()) + " idle and "
                + Amounts.text(access.options().sessionMost()) + " in all";
    }

    private static String blocks(TrustedProxies proxies) {
        return proxies.blocks().stream().map(block -> block.network().getHostAddress() + "/" + block.bits())
                .collect(Collectors.joining(" "));
    }

    private static String users(UserConfig users) {
        return "tokens by " + users.place() + ", issuer " + Objects.requireNonNullElse(users.issuer(), "any")
                + ", audience " + Objects.requireNonNullElse(users.audience(), "any") + ", cookie "
                + Objects.requireNonNullElse(users.cookie(), "none") + ", origins "
                + (users.pages().listed().isEmpty() ? "its own" : String.join(" ", users.pages().listed()));
    }

    private static String live(LiveConfig live) {
        var options = live.options();
        return "messages to " + (live.queue() == null ? "nobody" : "queue " + live.queue()) + ", "
                + options.messages() + " per " + Amounts.text(options.per()) + ", connections "
                + options.connectionsPerUser()
                + " a user, " + options.connectionsPerAddress() + " an address";
    }

    private static String queue(QueueConfig queue) {
        var options = queue.options();
        var retry = options.retry();
        URI handler = queue.handler();
        return (handler == null ? "no handler" : "handler " + ConfigProblem.shown(handler.toString()))
                + ", concurrency "
                + options.concurrency() + ", timeout " + Amounts.text(options.timeout()) + ", retry " + retry.attempts()
                + " attempts " + Amounts.text(retry.base()) + " x" + retry.factor() + " max "
                + Amounts.text(retry.max())
                + " jitter " + retry.jitter()
                + (queue.name().isFifo()
                        ? ", on-dead " + ValueTypes.lower(options.onDead()) + ", content-dedupe "
                                + options.contentDedupe()
                        : "")
                + ", max-payload " + Amounts.sizeText(options.maxPayload()) + ", max-pending " + options.maxPending();
    }

    private static String room(RoomConfig room) {
        RoomOptions options = room.options();
        StringJoiner text = new StringJoiner(", ");
        text.add("protects " + room.match().paths().stream().map(RequestPattern::text).collect(Collectors.joining(" "))
                + (room.match().hosts().isEmpty() ? "" : " on " + String.join(" ", room.match().hosts())));
        text.add(room.match().bypass().size() + " bypass rules").add("built-in-bypass " + room.match().builtInBypass());
        limits(options.limits()).forEach(text::add);
        for (LimitTimetable.Entry entry : options.timetable().entries()) {
            text.add("from " + entry.from() + " " + options.timetable().zone() + " "
                    + limits(entry.limits()).collect(Collectors.joining(" ")));
        }
        HealthPolicy health = options.health();
        if (health != null) {
            Duration target = health.target();
            text.add("health target " + (target == null ? "learned" : Amounts.text(target)) + " max-failures "
                    + Amounts.shareText(health.maxFailures()));
        }
        RoomBacklog backlog = room.backlog();
        if (backlog != null) {
            text.add("backlog of " + backlog.queue() + " target " + Amounts.text(backlog.target()));
        }
        TokenLifetimes stay = options.stay();
        Duration max = stay.passMax();
        text.add("pass-idle " + Amounts.text(stay.passIdle()) + " pass-max "
                + (max == null ? "none" : Amounts.text(max)));
        text.add("ticket-ttl " + Amounts.text(stay.ticket())).add("waiting-status " + room.waitingStatus());
        text.add("poll " + Amounts.text(options.poll().least()) + "-" + Amounts.text(options.poll().most()));
        text.add("on-failure " + ValueTypes.lower(options.onFailure()));
        AddressLimits addresses = options.addresses();
        text.add("joins-per-address " + orNone(addresses.joins()));
        text.add("untaken-per-address " + orNone(addresses.untaken()));
        return text.add("addresses-per-pass " + orNone(addresses.perPass())).toString();
    }

    private static Stream<String> limits(Limits limits) {
        return Stream.concat(limits.mostPasses().stream().map(most -> "capacity " + most),
                limits.mostAdmissions().stream().map(rate -> "rate " + rate));
    }

    private static String orNone(@Nullable Object value) {
        return value == null ? "none" : value.toString();
    }
}
