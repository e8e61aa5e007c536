package dev.orderly.job.engine;

import dev.orderly.job.NodeId;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.payload.PayloadReader;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.job.transaction.AmbientTransaction;
import dev.orderly.time.Time;
import dev.orderly.trace.Tracer;
import dev.orderly.user.UserSource;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Settings and dependencies of an engine, besides its store.
 *
 * @param random source of jitter; must be thread-safe
 * @param node name of this process, unique among the processes that share a store, and per run
 * @param stopGrace how long {@link JobWorker#stop} waits for running handlers before it interrupts them
 * @param claimBytes bound on payload bytes of the jobs that this node holds at once, 1 MiB or more; exceeded by one job
 *     at most
 * @param readers readers of media types besides JSON, forms and text, for typed handlers
 * @param observer observes the runs of handlers and the pushes that equal a job; the store's observer sees the
 *     rest, see {@link dev.orderly.Store#observed}
 * @param tracer records the spans of pushes and attempts
 * @param transaction the transaction of the calling thread, which pushes are part of
 * @param users the user of the calling thread, whom a push outside of every {@link dev.orderly.user.UserScope} belongs
 *     to
 */
public record EngineOptions(Time time, RandomGenerator random, JsonMapper json, NodeId node, Duration stopGrace,
        Retention keep, long claimBytes, List<PayloadReader> readers, JobObserver observer, Tracer tracer,
        AmbientTransaction transaction, UserSource users) {
    /** Default of {@code claimBytes}: 32 MiB. */
    public static final long CLAIM_BYTES = 32L << 20;

    /** @throws IllegalArgumentException if {@code claimBytes} is less than the largest payload */
    public EngineOptions {
        Objects.requireNonNull(json, "json");
        Objects.requireNonNull(keep, "keep");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(observer, "observer");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(readers, "readers");
        Objects.requireNonNull(stopGrace, "stopGrace");
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(tracer, "tracer");
        Objects.requireNonNull(transaction, "transaction");
        Objects.requireNonNull(users, "users");
        if (claimBytes < QueueOptions.PAYLOAD_LIMIT) {
            throw new IllegalArgumentException("Engine option claimBytes is " + claimBytes + ": use at least "
                    + QueueOptions.PAYLOAD_LIMIT + ", the largest payload");
        }
        readers = List.copyOf(readers);
    }

    /** The machine's clocks, a fresh node id, 25 seconds of grace, the default retention. */
    public static EngineOptions defaults() {
        return defaults(JsonMapper.shared());
    }

    /** As {@link #defaults()}, with another mapper; Jackson's shared one, which takes its time, is not made. */
    public static EngineOptions defaults(JsonMapper json) {
        Objects.requireNonNull(json, "json");
        byte[] id = new byte[8];
        new SecureRandom().nextBytes(id);
        NodeId node = new NodeId(ProcessHandle.current().pid() + "-" + HexFormat.of().formatHex(id));
        return new EngineOptions(Time.system(), new Random(), json, node, Duration.ofSeconds(25),
                Retention.DEFAULT, CLAIM_BYTES, List.of(), JobObserver.NONE, Tracer.NONE, AmbientTransaction.NONE,
                UserSource.NONE);
    }

    public EngineOptions withTime(Time value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(value, random, json, node, stopGrace, keep, claimBytes, readers, observer, tracer,
                transaction, users);
    }

    public EngineOptions withRandom(RandomGenerator value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, value, json, node, stopGrace, keep, claimBytes, readers, observer, tracer,
                transaction, users);
    }

    public EngineOptions withJson(JsonMapper value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, value, node, stopGrace, keep, claimBytes, readers, observer, tracer,
                transaction, users);
    }

    public EngineOptions withNode(NodeId value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, json, value, stopGrace, keep, claimBytes, readers, observer, tracer,
                transaction, users);
    }

    public EngineOptions withStopGrace(Duration value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, json, node, value, keep, claimBytes, readers, observer, tracer,
                transaction, users);
    }

    public EngineOptions withKeep(Retention value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, json, node, stopGrace, value, claimBytes, readers, observer, tracer,
                transaction, users);
    }

    public EngineOptions withClaimBytes(long value) {
        return new EngineOptions(time, random, json, node, stopGrace, keep, value, readers, observer, tracer,
                transaction, users);
    }

    public EngineOptions withReaders(List<PayloadReader> value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, json, node, stopGrace, keep, claimBytes, value, observer, tracer,
                transaction, users);
    }

    public EngineOptions withObserver(JobObserver value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, json, node, stopGrace, keep, claimBytes, readers, value, tracer,
                transaction, users);
    }

    public EngineOptions withTracer(Tracer value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, json, node, stopGrace, keep, claimBytes, readers, observer, value,
                transaction, users);
    }

    public EngineOptions withTransaction(AmbientTransaction value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, json, node, stopGrace, keep, claimBytes, readers, observer, tracer,
                value, users);
    }

    public EngineOptions withUsers(UserSource value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(time, random, json, node, stopGrace, keep, claimBytes, readers, observer, tracer,
                transaction, value);
    }
}
