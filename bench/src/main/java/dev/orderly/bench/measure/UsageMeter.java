package dev.orderly.bench.measure;

import dev.orderly.time.Time;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Measures rate, processor time and memory of a process and of its server from its creation on. */
public final class UsageMeter {
    private final long process;
    private final long serving;
    private final double client;
    private final double server;
    private final long start;

    /**
     * Measures this process.
     *
     * @param database whose server is measured as well; none if nothing but this process works
     */
    public UsageMeter(@Nullable Database database) throws IOException {
        this(ProcessHandle.current().pid(), database == null ? 0 : database.postmaster());
    }

    /** @param serving the process whose tree is the server; 0 if unknown */
    public UsageMeter(long process, long serving) throws IOException {
        this.process = process;
        this.serving = serving;
        ProcessUsage.forgetPeak(process);
        client = ProcessUsage.cpuSeconds(process);
        server = ProcessUsage.cpuSecondsOfTree(serving);
        start = Time.system().nanos();
    }

    /** The figure for {@code jobs} jobs since then. */
    public Figure of(long jobs) throws IOException {
        double seconds = (Time.system().nanos() - start) / 1e9;
        double thousands = Math.max(1, jobs) / 1e3;
        double clientCpu = (ProcessUsage.cpuSeconds(process) - client) / thousands;
        double serverCpu = (ProcessUsage.cpuSecondsOfTree(serving) - server) / thousands;
        Figure.Memory memory = new Figure.Memory(ProcessUsage.peakMiB(process),
                ProcessUsage.privateMiBOfTree(serving));
        return new Figure(jobs / seconds, clientCpu, serverCpu, memory, Figure.Millis.NONE);
    }
}
