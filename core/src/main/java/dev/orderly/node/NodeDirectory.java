package dev.orderly.node;

import dev.orderly.Internal;
import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.node.NodeReport.Phase;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes that share a store. Each node reports itself over the bus every {@value #REPORT_SECONDS} s, asks the others
 * for their reports when it starts, and reports its end when it stops in order. Nodes are kept in memory only.
 *
 * <p>A node is silent without a report for {@link NodeTimes#DEAD_AFTER}, and forgotten after an hour. Times are this
 * node's monotonic clock. Not guaranteed: the bus may lose reports, so a node may seem silent while it is well; nothing
 * that jobs or rooms promise depends on this list.
 *
 * <p>Thread-safe. Answers from memory.
 */
@Internal(to = "dev.orderly")
public final class NodeDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(NodeDirectory.class);

    /** The most nodes that are kept; reports of further nodes are dropped. */
    public static final int NODES_MAX = 1_000;

    static final int REPORT_SECONDS = 5;
    private static final Duration REPORT = Duration.ofSeconds(REPORT_SECONDS);
    private static final Duration FORGOTTEN = Duration.ofHours(1);
    /** The wait for the answer of a node. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration HARD_STOP = Duration.ofSeconds(1);

    private final NodeId self;
    private final Bus bus;
    private final Time time;
    private final String version;
    private final NodeWork work;
    private final Instant startedAt;
    private final BackgroundLoop loop;
    private final NodeLoadMeter meter;
    private final BusQuestions questions;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ConcurrentHashMap<NodeId, Heard> others = new ConcurrentHashMap<>();
    private volatile String host = "";
    private volatile Phase phase = Phase.RUNNING;
    private volatile boolean asks = true;
    private volatile NodeLoad load = NodeLoad.UNKNOWN;
    private volatile Supplier<List<String>> leases = List::of;
    private volatile Supplier<@Nullable Integer> connections = () -> null;

    /** The last report of another node, and the monotonic time of its arrival. */
    private record Heard(NodeReport report, long at) {}

    /**
     * A directory with this node in it.
     *
     * @param version version of the program
     * @param work what this node does
     * @param lifecycle its start joins the other nodes, its announcement reports that this node finishes its work and
     *     leaves, its end reports the end
     */
    public NodeDirectory(NodeId self, Bus bus, Time time, String version, NodeWork work, Lifecycle lifecycle) {
        Objects.requireNonNull(bus, "bus");
        Objects.requireNonNull(self, "self");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(work, "work");
        this.self = self;
        this.bus = bus;
        this.time = time;
        this.version = version;
        this.work = work;
        this.meter = new NodeLoadMeter(time);
        this.startedAt = time.now();
        this.loop = new BackgroundLoop("nodes", time, this::step);
        this.questions = new BusQuestions(self, () -> host, bus, time, this::nodes);
        lifecycle.of(this::start, this::announceEnd, this::end);
    }

    /**
     * Adds what only the program around the engine knows to the reports of this node. The suppliers must not block.
     *
     * @param held duties that one node at a time has, and that this node has now
     * @param open connections of the edge
     */
    public void reportAlso(Supplier<List<String>> held, IntSupplier open) {
        Objects.requireNonNull(held, "held");
        Objects.requireNonNull(open, "open");
        leases = held;
        connections = open::getAsInt;
    }

    /** Questions to the other nodes, which are known from the start of this node on. */
    public NodeQuestions questions() {
        return questions;
    }

    private void start() {
        if (started.compareAndSet(false, true)) {
            bus.subscribe(Bus.Topic.NODES, this::received);
            bus.subscribe(Bus.Topic.NODES, questions::received);
            loop.start();
        }
    }

    private void announceEnd() {
        phase = Phase.STOPPING;
        loop.ring();
    }

    /** As {@link dev.orderly.Orderly#drain}. */
    public Optional<NodeStatus> drain(NodeId node, boolean on) {
        if (node.equals(self)) {
            drainSelf(on);
            return find(node);
        }
        if (find(node).isEmpty()) {
            return Optional.empty();
        }
        bus.publish(Bus.Topic.NODES, new DrainRequest(node, on).write());
        long deadline = time.deadline(PATIENCE);
        while (find(node).filter(known -> known.report().draining() == on).isEmpty() && !time.reached(deadline)
                && !Thread.currentThread().isInterrupted()) {
            time.park(time.deadline(LOOK));
        }
        return find(node);
    }

    private void drainSelf(boolean on) {
        if (work.isDraining() != on) {
            LOG.info(on
                    ? "This node drains: it claims no more jobs until it is resumed or started again"
                    : "This node is resumed: it claims jobs again");
            work.drain(on);
        }
        loop.ring();
    }

    private Optional<NodeStatus> find(NodeId node) {
        return nodes().stream().filter(known -> known.report().node().equals(node)).findFirst();
    }

    /** As {@link dev.orderly.Orderly#nodes}. */
    public List<NodeStatus> nodes() {
        long now = time.nanos();
        List<NodeStatus> nodes = new ArrayList<>();
        nodes.add(new NodeStatus(report(), Duration.ZERO, true, false));
        others.values().stream().map(heard -> {
            Duration age = Duration.ofNanos(now - heard.at);
            return new NodeStatus(heard.report, age, false, age.compareTo(NodeTimes.DEAD_AFTER) > 0);
        }).filter(node -> node.age().compareTo(FORGOTTEN) < 0)
                .sorted(Comparator.comparing((NodeStatus node) -> node.report().host())
                        .thenComparing(node -> node.report().startedAt())
                        .thenComparing(node -> node.report().node().value()))
                .forEach(nodes::add);
        return nodes;
    }

    /** Whether no other node takes work, as far as this node knows. */
    public boolean isAlone() {
        return nodes().stream()
                .noneMatch(node -> !node.self() && !node.silent() && node.report().phase() == Phase.RUNNING);
    }

    /** A line for the operator if this node has not reported itself for long. */
    public Optional<String> stall() {
        return loop.stall();
    }

    private void end() {
        if (closed.compareAndSet(false, true) && started.get()) {
            loop.stop(HARD_STOP);
            phase = Phase.STOPPED;
            publish(report(), false);
        }
    }

    private Duration step() {
        if (host.isEmpty()) {
            host = hostName();
        }
        load = meter.measure();
        publish(report(), asks);
        asks = false;
        long now = time.nanos();
        others.values().removeIf(heard -> now - heard.at > FORGOTTEN.toNanos());
        return REPORT;
    }

    /** Where there are no other nodes, nothing is written: the classes that write JSON would delay a start. */
    private void publish(NodeReport report, boolean asked) {
        if (!bus.equals(Bus.ALONE)) {
            bus.publish(Bus.Topic.NODES, report.write(asked));
        }
    }

    private NodeReport report() {
        return new NodeReport(self, host, version, startedAt, phase, Math.max(0, work.running()), work.isDraining(),
                load.with(leases.get(), work.users(), connections.get()));
    }

    private void received(byte[] message) {
        NodeReport.Received received;
        try {
            received = NodeReport.read(message);
        } catch (IllegalArgumentException _) { // a request, or of a later version
            requested(message);
            return;
        }
        NodeReport report = received.report();
        if (report.phase() == Phase.STOPPED) {
            others.remove(report.node());
        } else if (others.containsKey(report.node()) || others.size() < NODES_MAX) {
            others.put(report.node(), new Heard(report, time.nanos()));
        }
        if (received.answer()) {
            loop.ring();
        }
    }

    private void requested(byte[] message) {
        if (DrainRequest.isFor(self, message, true)) {
            drainSelf(true);
        } else if (DrainRequest.isFor(self, message, false)) {
            drainSelf(false);
        }
    }

    /**
     * The machine, and the process if it is not the only one there, as in a container. The name may come from a slow
     * name server, so the loop asks for it.
     */
    private static String hostName() {
        long process = ProcessHandle.current().pid();
        try {
            return InetAddress.getLocalHost().getHostName() + (process == 1 ? "" : ":" + process);
        } catch (UnknownHostException _) {
            return "unknown:" + process;
        }
    }
}
