package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Many;
import dev.orderly.http.alert.AlertKind;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The keys of alerts. */
public final class AlertSchema {
    public static final KeySpec.Key<URI> URL = new KeySpec.Key<>("url",
            ValueTypes.webhook("https://hooks.example/orderly"), new Absent.Refused(),
            "The address to which alerts are POSTed, signed like the webhooks of jobs.");
    public static final KeySpec.Key<Duration> WAIT = new KeySpec.Key<>("wait", ValueTypes.duration("1s", "30d", "10m"),
            new Absent.Depends("not reported"), "A wait in a room for longer than this is reported (`room.wait`).");
    public static final KeySpec.Key<Duration> OLDEST_JOB = new KeySpec.Key<>("oldest-job",
            ValueTypes.duration("1s", "365d", "15m"), new Absent.Depends("not reported"),
            "A waiting job that was pushed longer ago than this is reported (`queue.age`).");
    public static final Many<AlertKind> OFF = new Many<>("off", new ValueType<>(
            Arrays.stream(AlertKind.values()).filter(kind -> kind != AlertKind.TEST).map(AlertKind::wire)
                    .collect(Collectors.joining(", ")),
            text -> AlertKind.of(text).filter(kind -> kind != AlertKind.TEST), AlertKind.ROOM_QUEUEING.wire()),
            new Absent.Depends("none"), "The conditions that are not reported.");
    public static final Group ALERTS = new Group("alerts", List.of(URL, WAIT, OLDEST_JOB, OFF),
            "Messages to an operator's receiver when a condition begins, and when it is over. See"
                    + " [Alerts](monitoring.md#alerts).",
            true);

    private AlertSchema() {}
}
