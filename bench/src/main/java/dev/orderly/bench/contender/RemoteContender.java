package dev.orderly.bench.contender;

import dev.orderly.bench.measure.Figure;
import dev.orderly.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/**
 * A contender in a process of its own, so that its processor time and memory are its alone, and the JIT compiles for it
 * only. It is asked by a line with a workload and its number.
 */
public abstract class RemoteContender implements AutoCloseable {
    private final ContenderKind kind;
    private final ChildProcess process;
    private final BufferedReader out;
    private final Writer in;

    RemoteContender(ContenderKind kind, List<String> command) {
        this.kind = kind;
        process = ChildProcess.start(command, builder -> builder.redirectError(ProcessBuilder.Redirect.INHERIT));
        out = process.out();
        in = process.in();
    }

    /** Runs a workload on empty tables. Blocks until the contender is closed again. */
    public final Figure run(Workload workload, int number) throws IOException {
        in.write(workload + " " + number + "\n");
        in.flush();
        return answer(workload);
    }

    /** Reads the answer to a workload. */
    abstract Figure answer(Workload workload) throws IOException;

    /** The rest of the next line with this beginning; other lines are the contender's own. */
    final String expect(String beginning, Workload workload) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            }
        }
        throw new IOException(kind.title() + " failed at " + workload + ": see the standard error");
    }

    final long pid() {
        return process.handle().pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
