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
import java.util.stream.Stream;

/** A process pinned to some cores, and its use of them. */
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
    static PinnedProcess node(String cores, Class<?> main, String... arguments) {
        return node(cores, "", main, arguments);
    }

    /** @param more further options of the JVM, with blanks between them */
    static PinnedProcess node(String cores, String more, Class<?> main, String... arguments) {
        List<String> options = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow", "-XX:+UseSerialGC", "-Xmx768m"));
        if (!more.isBlank()) {
            options.addAll(List.of(more.split(" ", -1)));
        }
        return start(cores, ChildProcess.java(options, main.getName(), arguments));
    }

    /** @param cores as taskset takes them */
    static PinnedProcess start(String cores, List<String> command) {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", cores));
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

    /** The smallest part in percent that an event loop had of the processor time of all event loops so far. */
    long leastLoopShare() throws IOException {
        List<Double> loops = new ArrayList<>();
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.handle().pid() + "/task"))) {
            for (Path thread : threads.toList()) {
                if (Files.readString(thread.resolve("comm")).startsWith("vert.x-eventloo")) {
                    loops.add(seconds(thread));
                }
            }
        }
        double all = loops.stream().mapToDouble(seconds -> seconds).sum();
        return Math.round(100 * loops.stream().mapToDouble(seconds -> seconds).min().orElse(0) / all);
    }

    private static double seconds(long pid) throws IOException {
        return seconds(Path.of("/proc/" + pid));
    }

    private static double seconds(Path processOrThread) throws IOException {
        String stat = Files.readString(processOrThread.resolve("stat"));
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
