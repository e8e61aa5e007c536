package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** A contender in a JVM of its own. */
final class JavaContender extends RemoteContender {
    private static final List<String> OPTIONS = List.of("-Xmx1g", "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    /**
     * Starts the process.
     *
     * @param javaOptions further options of its JVM, such as those of a profiler
     */
    JavaContender(ContenderKind kind, Database database, Pace pace, List<String> javaOptions) {
        super(kind, ChildProcess.java(Stream.concat(OPTIONS.stream(), javaOptions.stream()).toList(),
                ContenderProcess.class.getName(), Stream.concat(
                        Stream.of(kind.name(), database.url(), Long.toString(database.postmaster())),
                        pace.arguments().stream()).toArray(String[]::new)));
    }

    @Override
    Figure answer(Workload workload) throws IOException {
        return Figure.parse(expect("figure ", workload));
    }
}
