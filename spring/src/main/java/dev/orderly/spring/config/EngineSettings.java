package dev.orderly.spring.config;

import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.live.LiveOptions;
import java.net.URI;
import java.time.Duration;
import tools.jackson.databind.json.JsonMapper;

/** The settings of the engine in the properties, by the rules of the server's configuration. */
public final class EngineSettings {
    private static final Duration GRACE_MAX = Duration.ofHours(1);
    private static final Duration KEEP_MIN = Duration.ofSeconds(1);
    private static final Duration KEEP_MAX = Duration.ofDays(3_650);
    private static final long CLAIM_MAX = 1L << 30;
    private static final int CHECKED_MAX = 10_000;
    private static final long DONE_MAX = 1_000_000_000;

    private EngineSettings() {}

    /** The default settings, changed by the properties. A wrong value is a problem, and its default stays. */
    public static EngineOptions of(OrderlyProperties properties, JsonMapper json, PropertyProblems problems) {
        OrderlyProperties.Keep keep = properties.getKeep();
        duration(problems, "orderly.stop-grace", properties.getStopGrace(), Duration.ZERO, GRACE_MAX, "0s to 1h");
        duration(problems, "orderly.keep.done", keep.done(), KEEP_MIN, KEEP_MAX, "1s to 3650d");
        duration(problems, "orderly.keep.dead", keep.dead(), KEEP_MIN, KEEP_MAX, "1s to 3650d");
        if (keep.doneMax() < 0 || keep.doneMax() > DONE_MAX) {
            problems.add("orderly.keep.done-max = " + keep.doneMax(), "It has to be a whole number, 0 to " + DONE_MAX);
        }
        int checked = properties.getPayloads().checked();
        if (checked < 1 || checked > CHECKED_MAX) {
            problems.add("orderly.payloads.checked = " + checked, "It has to be a whole number, 1 to " + CHECKED_MAX);
        }
        long bytes = properties.getClaimBytes().toBytes();
        if (bytes > CLAIM_MAX) {
            problems.add("orderly.claim-bytes = " + properties.getClaimBytes(), "It has to be a size, 1MB to 1GB");
        }
        EngineOptions options = EngineOptions.defaults(json).withStopGrace(properties.getStopGrace())
                .withKeep(new Retention(keep.done(), keep.doneMax(), keep.dead()));
        URI url = properties.getPublicUrl();
        EngineOptions linking = url == null
                ? options
                : problems.check("orderly.public-url", () -> options.withPublicUrl(url), options);
        return problems.check("orderly.claim-bytes", () -> linking.withClaimBytes(bytes), linking);
    }

    /** The bounds of live connections. A wrong value is a problem, and the defaults stay. */
    public static LiveOptions live(OrderlyProperties properties, PropertyProblems problems) {
        OrderlyProperties.Live live = properties.getLive();
        return problems.check("orderly.live", () -> LiveOptions.DEFAULT.withConnections(live.connections())
                .withConnectionsPerUser(live.connectionsPerUser())
                .withConnectionsPerAddress(live.connectionsPerAddress()), LiveOptions.DEFAULT);
    }

    private static void duration(PropertyProblems problems, String key, Duration value, Duration least, Duration most,
            String rule) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            problems.add(key + " = " + value, "It has to be a time with its unit (ms, s, m, h, d), " + rule);
        }
    }
}
