package dev.orderly.bench.edge;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process pinned to one core, and its use of that core. */
final class Subject implements AutoCloseable {
    private static final int TICKS_PER_SECOND = 100;

    private final Process process;
    private final BufferedReader out;
    private final Writer in;

    private Subject(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.in = process.outputWriter(StandardCharsets.UTF_8);
    }

    static Subject start(int core, List<String> command) throws IOException {
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", Integer.toString(core)));
        pinned.addAll(command);
        return new Subject(new ProcessBuilder(pinned).redirectError(ProcessBuilder.Redirect.INHERIT).start());
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
        double sum = seconds(process.pid());
        for (ProcessHandle child : process.descendants().toList()) {
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
        try {
            if (!process.waitFor(2, TimeUnit.SECONDS)) {
                process.destroy();
                process.waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
