package dev.orderly.bench.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Processor time of processes, from /proc. */
final class ProcessTime {
    private static final double TICKS_PER_SECOND = 100;
    /** Fields after the name: user and system time, of the process and of its ended children. */
    private static final int OWN = 11;
    private static final int CHILDREN = 13;

    private ProcessTime() {}

    /** Seconds of a process, of its children, and of its ended children. */
    static double ofTree(long pid) throws IOException {
        double ticks = ticks(pid, CHILDREN);
        List<Long> all = ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid)
                .toList();
        for (long each : all) {
            ticks += ticks(each, OWN);
        }
        return (ticks + ticks(pid, OWN)) / TICKS_PER_SECOND;
    }

    private static double ticks(long pid, int field) throws IOException {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Double.parseDouble(fields[field]) + Double.parseDouble(fields[field + 1]);
        } catch (NoSuchFileException _) {
            return 0; // it has ended meanwhile, and its parent counts its time
        }
    }
}
