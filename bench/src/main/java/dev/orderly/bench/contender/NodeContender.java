package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;
import dev.orderly.bench.measure.UsageMeter;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.RedisNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A contender in Node, see {@code peers.js}. It says when what is measured begins and ends; its usage is read here. */
final class NodeContender implements RemoteContender {
    private static final String JDBC = "jdbc:";

    private final ContenderKind kind;
    private final long serving;
    private final @Nullable RedisNode redis;
    private final ChildProcess process;
    private final BufferedReader out;
    private final Writer in;

    private NodeContender(ContenderKind kind, NodePackages packages, Pace pace, String server, long serving,
            @Nullable RedisNode redis) {
        this.kind = kind;
        this.serving = serving;
        this.redis = redis;
        process = ChildProcess.start(
                packages.command(kind, server, List.of(pace.window(), pace.warmUp(), pace.pause())),
                builder -> builder.redirectError(ProcessBuilder.Redirect.INHERIT));
        out = process.out();
        in = process.in();
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
    public Figure run(Workload workload, int number) throws IOException {
        in.write(workload + " " + number + "\n");
        in.flush();
        expect("begin", workload);
        UsageMeter meter = new UsageMeter(process.handle().pid(), serving);
        double[] end = Stream.of(expect("end ", workload).split(" ", -1)).skip(1).mapToDouble(Double::parseDouble)
                .toArray();
        Figure figure = meter.of((long) end[0]).with(new Figure.Millis(end[1], end[2], end[3]));
        expect("done", workload);
        return figure;
    }

    private String expect(String start, Workload workload) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(start)) {
                return line;
            }
        }
        throw new IOException(kind.title() + " failed at " + workload + ": see the standard error");
    }

    @Override
    public void close() {
        process.close();
        if (redis != null) {
            redis.close();
        }
    }
}
