package dev.orderly.bench.postgres;

import com.sun.management.OperatingSystemMXBean;
import dev.orderly.time.Time;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/** Measures from its creation on. */
final class CpuMeter {
    private final Database database;
    private final double client;
    private final double server;
    private final long start;

    CpuMeter(Database database) throws IOException {
        this.database = database;
        client = clientSeconds();
        server = database.cpuSeconds();
        start = Time.system().nanos();
    }

    /** The figure for {@code jobs} jobs since then. */
    Figure of(long jobs) throws IOException {
        double seconds = (Time.system().nanos() - start) / 1e9;
        double thousands = jobs / 1e3;
        return new Figure(jobs / seconds, (clientSeconds() - client) / thousands,
                (database.cpuSeconds() - server) / thousands);
    }

    private static double clientSeconds() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine
                ? machine.getProcessCpuTime() / 1e9
                : 0;
    }
}
