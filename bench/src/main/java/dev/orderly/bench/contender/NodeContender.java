package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;
import dev.orderly.bench.measure.UsageMeter;
import dev.orderly.testkit.server.RedisNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A contender in Node, see {@code peers.js}. It says when what is measured begins and ends; its usage is read here. */
final class NodeContender extends RemoteContender {
    private static final String JDBC = "jdbc:";

    private final long serving;
    private final @Nullable RedisNode redis;

    private NodeContender(ContenderKind kind, NodePackages packages, Pace pace, String server, long serving,
            @Nullable RedisNode redis) {
        super(kind, packages.command(kind, server, pace));
        this.serving = serving;
        this.redis = redis;
    }

    static NodeContender onPostgres(ContenderKind kind, NodePackages packages, Pace pace, Database database) {
        return new NodeContender(kind, packages, pace, database.url().substring(JDBC.length()), database.postmaster(),
                null);
    }

    /** On a server of its own. */
    static NodeContender onRedis(ContenderKind kind, NodePackages packages, Pace pace, Path folder) {
        RedisNode redis = RedisNode.start("dir " + folder);
        return new NodeContender(kind, packages, pace, redis.url(), redis.process().pid(), redis);
    }

    @Override
    Figure answer(Workload workload) throws IOException {
        expect("begin", workload);
        UsageMeter meter = new UsageMeter(pid(), serving);
        double[] end = Stream.of(expect("end ", workload).split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
        Figure figure = meter.of((long) end[0]).with(new Figure.Millis(end[1], end[2], end[3]));
        expect("done", workload);
        return figure;
    }

    @Override
    public void close() {
        super.close();
        if (redis != null) {
            redis.close();
        }
    }
}
