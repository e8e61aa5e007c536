package dev.orderly.job.engine;

import dev.orderly.job.PayloadReader;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.store.NodeId;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an engine is built from besides its store.
 *
 * @param random for jitter; must be thread-safe
 * @param node unique among the processes that share a store, and per run
 * @param stopGrace how long {@link JobWorker#stop} waits for running handlers before it interrupts them
 * @param claimBytes 1 MiB or more: payload of the jobs this node holds at once, one job more at most; beyond it claims
 *     nothing
 * @param readers content that typed handlers take besides JSON, forms and text
 */
public record EngineOptions(Time time, RandomGenerator random, JsonMapper json, NodeId node, Duration stopGrace,
        Retention keep, long claimBytes, List<PayloadReader> readers) {
    /** 32 MiB. */
    public static final long CLAIM_BYTES = 32L << 20;

    /** @throws IllegalArgumentException if {@code claimBytes} is less than a payload may have */
    public EngineOptions {
        if (claimBytes < QueueOptions.PAYLOAD_LIMIT) {
            throw new IllegalArgumentException("Claims are bounded to " + claimBytes
                    + " bytes: use at least " + QueueOptions.PAYLOAD_LIMIT + ", which one payload may have");
        }
        readers = List.copyOf(readers);
    }

    /** The machine's clocks, a fresh node id, 25 seconds of grace, the default retention. */
    public static EngineOptions defaults() {
        byte[] id = new byte[8];
        new SecureRandom().nextBytes(id);
        NodeId node = new NodeId(ProcessHandle.current().pid() + "-" + HexFormat.of().formatHex(id));
        return new EngineOptions(Time.system(), new Random(), JsonMapper.shared(), node, Duration.ofSeconds(25),
                Retention.DEFAULT, CLAIM_BYTES, List.of());
    }

    public EngineOptions withTime(Time value) {
        return new EngineOptions(value, random, json, node, stopGrace, keep, claimBytes, readers);
    }

    public EngineOptions withRandom(RandomGenerator value) {
        return new EngineOptions(time, value, json, node, stopGrace, keep, claimBytes, readers);
    }

    public EngineOptions withJson(JsonMapper value) {
        return new EngineOptions(time, random, value, node, stopGrace, keep, claimBytes, readers);
    }

    public EngineOptions withNode(NodeId value) {
        return new EngineOptions(time, random, json, value, stopGrace, keep, claimBytes, readers);
    }

    public EngineOptions withStopGrace(Duration value) {
        return new EngineOptions(time, random, json, node, value, keep, claimBytes, readers);
    }

    public EngineOptions withKeep(Retention value) {
        return new EngineOptions(time, random, json, node, stopGrace, value, claimBytes, readers);
    }

    public EngineOptions withClaimBytes(long value) {
        return new EngineOptions(time, random, json, node, stopGrace, keep, value, readers);
    }

    public EngineOptions withReaders(List<PayloadReader> value) {
        return new EngineOptions(time, random, json, node, stopGrace, keep, claimBytes, value);
    }
}
