package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.http.alert.AlertKind;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Alerts.
 *
 * @param url of the receiver
 * @param longestWait a longer wait in a room is reported; null for none
 * @param oldestJob a waiting job that is older is reported; null for none
 * @param off kinds that are not reported
 */
public record AlertConfig(URI url, @Nullable Duration longestWait, @Nullable Duration oldestJob, Set<AlertKind> off) {
    static final KeySpec.Key<URI> URL = new KeySpec.Key<>("url",
            ValueTypes.webhook("https://hooks.example/orderly"), new Absent.Refused(),
            "The address to which alerts are POSTed, signed like the webhooks of jobs.");
    static final KeySpec.Key<Duration> WAIT = new KeySpec.Key<>("wait", ValueTypes.duration("1s", "30d", "10m"),
            new Absent.Depends("not reported"), "A wait in a room for longer than this is reported (`room.wait`).");
    static final KeySpec.Key<Duration> OLDEST_JOB = new KeySpec.Key<>("oldest-job",
            ValueTypes.duration("1s", "365d", "15m"), new Absent.Depends("not reported"),
            "A waiting job that was pushed longer ago than this is reported (`queue.age`).");
    static final Many<AlertKind> OFF = new Many<>("off", new ValueType<>(
            Arrays.stream(AlertKind.values()).filter(kind -> kind != AlertKind.TEST).map(AlertKind::wire)
                    .collect(Collectors.joining(", ")),
            text -> AlertKind.of(text).filter(kind -> kind != AlertKind.TEST), AlertKind.ROOM_QUEUEING.wire()),
            new Absent.Depends("none"), "The conditions that are not reported.");
    static final Group ALERTS = new Group("alerts", List.of(URL, WAIT, OLDEST_JOB, OFF),
            "Messages to an operator's receiver when a condition begins, and when it is over. See"
                    + " [Alerts](monitoring.md#alerts).",
            true);
    public AlertConfig {
        off = off.isEmpty() ? EnumSet.noneOf(AlertKind.class) : EnumSet.copyOf(off);
    }

    /** Whether a kind is reported. */
    public boolean tells(AlertKind kind) {
        return !off.contains(kind);
    }

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return "to " + ConfigProblem.shown(url.toString()) + ", wait " + Objects.requireNonNullElse(longestWait, "none")
                + ", oldest-job " + Objects.requireNonNullElse(oldestJob, "none") + ", off "
                + off.stream().map(AlertKind::wire).collect(Collectors.joining(" "));
    }

    static @Nullable AlertConfig read(CheckedSection file) {
        CheckedSection at = file.below(ALERTS);
        return at.value(URL).map(url -> new AlertConfig(url, at.value(WAIT).orElse(null),
                at.value(OLDEST_JOB).orElse(null), Set.copyOf(at.values(OFF)))).orElse(null);
    }
}
