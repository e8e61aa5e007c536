package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Pace;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The contenders of a run, each of which starts when it is first asked for. Used by one thread. */
public final class RemoteContenders implements AutoCloseable {
    private final Database database;
    private final Pace pace;
    private final List<String> javaOptions;
    private final Path folder;
    private final Map<ContenderKind, RemoteContender> started = new EnumMap<>(ContenderKind.class);
    private @Nullable NodePackages packages;

    /**
     * @param javaOptions further options of the contenders' JVMs, such as those of a profiler
     * @param folder for what contenders in Node need
     */
    public RemoteContenders(Database database, Pace pace, List<String> javaOptions, Path folder) {
        this.database = database;
        this.pace = pace;
        this.javaOptions = List.copyOf(javaOptions);
        this.folder = folder;
    }

    /** The contender of this kind. Blocks while it starts. */
    public RemoteContender of(ContenderKind kind) {
        return started.computeIfAbsent(kind, this::start);
    }

    private RemoteContender start(ContenderKind kind) {
        if (!kind.isInNode()) {
            return new JavaContender(kind, database, pace, javaOptions);
        }
        NodePackages installed = packages == null ? NodePackages.install(folder.resolve("node")) : packages;
        packages = installed;
        return kind == ContenderKind.BULLMQ
                ? NodeContender.onRedis(kind, installed, pace, folder)
                : NodeContender.onPostgres(kind, installed, pace, database);
    }

    @Override
    public void close() {
        started.values().forEach(RemoteContender::close);
    }
}
