package dev.orderly.bench.edge;

import dev.orderly.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process pinned to one core, and its use of that core. */
final class PinnedProcess implements AutoCloseable {
    private static final int TICKS_PER_SECOND = 100;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ChildProcess process;
    private final BufferedReader out;
    private final Writer in;

    private PinnedProcess(ChildProcess process) {
        this.process = process;
        this.out = process.out();
        this.in = process.in();
    }

    /** A node of ours, whose main class prints and reads what {@link #printed} and {@link #ask} name. */
    static PinnedProcess node(Class<?> main, String... arguments) {
        return start(0, ChildProcess.java(List.of("--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", "-XX:+UseSerialGC", "-Xmx768m"), main.getName(), arguments));
    }

    static PinnedProcess start(int core, List<String> command) {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", Integer.toString(core)));
        pinned.addAll(command);
        return new PinnedProcess(
                ChildProcess.start(pinned, builder -> builder.redirectError(ProcessBuilder.Redirect.INHERIT)));
    }

    /** The number that the process prints after a name; other output is skipped. */
    long printed(String name) throws IOException {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith(name + " ")) {
                return Long.parseLong(line.substring(name.length() + 1));
            }
        }
        throw new IOException("The process ended without printing " + name);
    }

    long ask(String name) throws IOException {
        in.write(name + "\n");
        in.flush();
        return printed(name);
    }

    /** Processor time of the process and its children so far, in seconds. */
    double cpuSeconds() throws IOException {
        double sum = seconds(process.handle().pid());
        for (ProcessHandle child : process.handle().descendants().toList()) {
            sum += seconds(child.pid());
        }
        return sum;
    }

    private static double seconds(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / (double) TICKS_PER_SECOND;
    }

    @Override
    public void close() throws IOException {
        in.close();
        process.terminate();
        process.join(PATIENCE);
    }
}
