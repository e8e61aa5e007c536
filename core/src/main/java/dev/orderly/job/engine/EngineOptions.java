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
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Settings and dependencies of an engine, besides its store. Immutable: each method returns a copy. */
public final class EngineOptions {
    /** Default of {@link #claimBytes}: 32 MiB. */
    public static final long CLAIM_BYTES = 32L << 20;

    private final Values values;

    private record Values(Time time, RandomGenerator random, JsonMapper json, NodeId node, Duration stopGrace,
            Retention keep, long claimBytes, List<PayloadReader> readers, JobObserver observer, Tracer tracer,
            AmbientTransaction transaction, UserSource users, @Nullable URI publicUrl) {
        Values {
            if (claimBytes < QueueOptions.PAYLOAD_LIMIT) {
                throw new IllegalArgumentException("Engine option claimBytes is " + claimBytes + ": use at least "
                        + QueueOptions.PAYLOAD_LIMIT + ", the largest payload");
            }
            readers = List.copyOf(readers);
        }
    }

    private EngineOptions(Values values) {
        this.values = values;
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
        return new EngineOptions(new Values(Time.system(), new Random(), json, node, Duration.ofSeconds(25),
                Retention.DEFAULT, CLAIM_BYTES, List.of(), JobObserver.NONE, Tracer.NONE, AmbientTransaction.NONE,
                UserSource.NONE, null));
    }

    /** The clocks. */
    public Time time() {
        return values.time;
    }

    /** The source of jitter; must be thread-safe. */
    public RandomGenerator random() {
        return values.random;
    }

    /** The mapper of typed payloads and results. */
    public JsonMapper json() {
        return values.json;
    }

    /** The name of this process, unique among the processes that share a store, and per run. */
    public NodeId node() {
        return values.node;
    }

    /** How long {@link JobWorker#stop} waits for running handlers before it interrupts them. */
    public Duration stopGrace() {
        return values.stopGrace;
    }

    /** How long ended jobs are kept. */
    public Retention keep() {
        return values.keep;
    }

    /**
     * The bound on payload bytes of the jobs that this node holds at once, 1 MiB or more; exceeded by one job at
     * most.
     */
    public long claimBytes() {
        return values.claimBytes;
    }

    /** Readers of media types besides JSON, forms and text, for typed handlers. */
    public List<PayloadReader> readers() {
        return values.readers;
    }

    /**
     * The observer of the runs of handlers and of the pushes that equal a job; the store's observer sees the rest, see
     * {@link dev.orderly.Store#observed}.
     */
    public JobObserver observer() {
        return values.observer;
    }

    /** The recorder of the spans of pushes and attempts. */
    public Tracer tracer() {
        return values.tracer;
    }

    /** The transaction of the calling thread, which pushes are part of. */
    public AmbientTransaction transaction() {
        return values.transaction;
    }

    /** The user of the calling thread, whom a push outside of every {@link dev.orderly.user.UserScope} belongs to. */
    public UserSource users() {
        return values.users;
    }

    /** The address by which the world reaches a server on the store of this engine; null if none is known. */
    public @Nullable URI publicUrl() {
        return values.publicUrl;
    }

    public EngineOptions withTime(Time value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(new Values(value, values.random, values.json, values.node, values.stopGrace,
                values.keep, values.claimBytes, values.readers, values.observer, values.tracer, values.transaction,
                values.users, values.publicUrl));
    }

    public EngineOptions withRandom(RandomGenerator value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(new Values(values.time, value, values.json, values.node, values.stopGrace, values.keep,
                values.claimBytes, values.readers, values.observer, values.tracer, values.transaction, values.users,
                values.publicUrl));
    }

    public EngineOptions withJson(JsonMapper value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(new Values(values.time, values.random, value, values.node, values.stopGrace,
                values.keep, values.claimBytes, values.readers, values.observer, values.tracer, values.transaction,
                values.users, values.publicUrl));
    }

    public EngineOptions withNode(NodeId value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(new Values(values.time, values.random, values.json, value, values.stopGrace,
                values.keep, values.claimBytes, values.readers, values.observer, values.tracer, values.transaction,
                values.users, values.publicUrl));
    }

    public EngineOptions withStopGrace(Duration value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(new Values(values.time, values.random, values.json, values.node, value, values.keep,
                values.claimBytes, values.readers, values.observer, values.tracer, values.transaction, values.users,
                values.publicUrl));
    }

    public EngineOptions withKeep(Retention value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(new Values(values.time, values.random, values.json, values.node, values.stopGrace,
                value, values.claimBytes, values.readers, values.observer, values.tracer, values.transaction,
                values.users, values.publicUrl));
    }

    public EngineOptions withClaimBytes(long value) {
        return new EngineOptions(new Values(values.time, values.random, values.json, values.node, values.stopGrace,
                values.keep, value, values.readers, values.observer, values.tracer, values.transaction, values.users,
                values.publicUrl));
    }

    public EngineOptions withReaders(List<PayloadReader> value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(
                new Values(values.time, values.random, values.json, values.node, values.stopGrace, values.keep,
                        values.claimBytes, value, values.observer, values.tracer, values.transaction, values.users,
                        values.publicUrl));
    }

    public EngineOptions withObserver(JobObserver value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(
                new Values(values.time, values.random, values.json, values.node, values.stopGrace, values.keep,
                        values.claimBytes, values.readers, value, values.tracer, values.transaction, values.users,
                        values.publicUrl));
    }

    public EngineOptions withTracer(Tracer value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(
                new Values(values.time, values.random, values.json, values.node, values.stopGrace, values.keep,
                        values.claimBytes, values.readers, values.observer, value, values.transaction, values.users,
                        values.publicUrl));
    }

    public EngineOptions withTransaction(AmbientTransaction value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(new Values(values.time, values.random, values.json, values.node, values.stopGrace,
                values.keep, values.claimBytes, values.readers, values.observer, values.tracer, value, values.users,
                values.publicUrl));
    }

    public EngineOptions withUsers(UserSource value) {
        Objects.requireNonNull(value, "value");
        return new EngineOptions(
                new Values(values.time, values.random, values.json, values.node, values.stopGrace, values.keep,
                        values.claimBytes, values.readers, values.observer, values.tracer, values.transaction, value,
                        values.publicUrl));
    }

    /**
     * The address of the public listener of a server on the same store, such as {@code https://jobs.example.com}, for
     * {@link dev.orderly.job.Job#eventUrl}.
     *
     * @throws IllegalArgumentException unless it is an absolute address of HTTP without query and fragment
     */
    public EngineOptions withPublicUrl(URI value) {
        Objects.requireNonNull(value, "value");
        String scheme = value.getScheme();
        if (!("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme)) || value.getHost() == null
                || value.getRawQuery() != null || value.getRawFragment() != null) {
            throw new IllegalArgumentException("The public URL is " + value
                    + ": use the address of a server's public listener, such as https://jobs.example.com");
        }
        return new EngineOptions(
                new Values(values.time, values.random, values.json, values.node, values.stopGrace, values.keep,
                        values.claimBytes, values.readers, values.observer, values.tracer, values.transaction,
                        values.users, value));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EngineOptions options && values.equals(options.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "EngineOptions" + values.toString().substring("Values".length());
    }
}
