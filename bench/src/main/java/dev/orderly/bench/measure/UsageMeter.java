package dev.orderly.bench.measure;

import dev.orderly.time.Time;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Measures rate, processor time and memory of this process and of a database from its creation on. */
public final class UsageMeter {
    private final @Nullable Database database;
    private final double client;
    private final double server;
    private final long start;

    /** @param database whose server is measured as well; none if nothing but this process works */
    public UsageMeter(@Nullable Database database) throws IOException {
        this.database = database;
        ProcessUsage.forgetPeak();
        client = ProcessUsage.ownCpuSeconds();
        server = database == null ? 0 : database.cpuSeconds();
        start = Time.system().nanos();
    }

    /** The figure for {@code jobs} jobs since then. */
    public Figure of(long jobs) throws IOException {
        double seconds = (Time.system().nanos() - start) / 1e9;
        double thousands = Math.max(1, jobs) / 1e3;
        double clientCpu = (ProcessUsage.ownCpuSeconds() - client) / thousands;
        double serverCpu = database == null ? 0 : (database.cpuSeconds() - server) / thousands;
        Figure.Memory memory = new Figure.Memory(ProcessUsage.ownPeakMiB(),
                database == null ? 0 : database.privateMiB());
        return new Figure(jobs / seconds, clientCpu, serverCpu, memory, Figure.Millis.NONE);
    }
}
