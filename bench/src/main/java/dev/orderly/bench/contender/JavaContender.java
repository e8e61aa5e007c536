package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Database;
import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;
import dev.orderly.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** A contender in a JVM of its own. */
final class JavaContender implements RemoteContender {
    private static final List<String> OPTIONS = List.of("-Xmx1g", "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");
    private static final String FIGURE = "figure ";

    private final ContenderKind kind;
    private final ChildProcess process;
    private final BufferedReader out;
    private final Writer in;

    private JavaContender(ContenderKind kind, ChildProcess process) {
        this.kind = kind;
        this.process = process;
        out = process.out();
        in = process.in();
    }

    /**
     * Starts the process.
     *
     * @param javaOptions further options of its JVM, such as those of a profiler
     */
    static JavaContender start(ContenderKind kind, Database database, Pace pace, List<String> javaOptions) {
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(javaOptions);
        List<String> command = ChildProcess.java(options, ContenderProcess.class.getName(), kind.name(),
                database.url(), Long.toString(database.postmaster()), Long.toString(pace.window().toMillis()),
                Long.toString(pace.warmUp().toMillis()), Long.toString(pace.pause().toMillis()));
        return new JavaContender(kind,
                ChildProcess.start(command, builder -> builder.redirectError(ProcessBuilder.Redirect.INHERIT)));
    }

    @Override
    public Figure run(Workload workload, int number) throws IOException {
        in.write(workload + " " + number + "\n");
        in.flush();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(FIGURE)) {
                return Figure.parse(line.substring(FIGURE.length()));
            }
        }
        throw new IOException(kind.title() + " failed at " + workload + ": see the standard error");
    }

    @Override
    public void close() {
        process.close();
    }
}
