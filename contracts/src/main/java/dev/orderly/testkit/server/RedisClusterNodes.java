package dev.orderly.testkit.server;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Redis servers that a test makes a cluster of. Used by one thread at a time. */
public final class RedisClusterNodes implements AutoCloseable {
    private final List<RedisNode> nodes = new ArrayList<>();
    private final List<Integer> busPorts = new ArrayList<>();

    private RedisClusterNodes() {}

    /** Starts servers that do not know each other. Blocks for seconds. */
    public static RedisClusterNodes start(int number) {
        RedisClusterNodes all = new RedisClusterNodes();
        IntStream.range(0, number).forEach(_ -> {
            int bus = FreePort.find();
            all.busPorts.add(bus);
            all.nodes.add(RedisNode.start("cluster-enabled yes", "cluster-port " + bus, "cluster-node-timeout 3000",
                    "cluster-replica-validity-factor 0", "repl-diskless-sync-delay 0"));
        });
        return all;
    }

    public RedisNode node(int number) {
        return nodes.get(number);
    }

    /** The port by which the servers talk to each other. */
    public int busPort(int number) {
        return busPorts.get(number);
    }

    /** The URL for clients and the configuration. */
    public String url() {
        return "redis-cluster://" + nodes.stream().map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        nodes.forEach(RedisNode::close);
    }
}
