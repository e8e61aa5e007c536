package dev.orderly.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processor time and memory of processes, from /proc. Where there is none, and for process 0, all is 0 but the own
 * processor time.
 */
final class ProcessUsage {
    private static final double TICKS_PER_SECOND = 100;
    /** Fields after the name: user and system time, of the process and of its ended children. */
    private static final int ITSELF = 11;
    private static final int CHILDREN = 13;

    private ProcessUsage() {}

    /** Whether this system has what is read here. */
    static boolean known() {
        return Files.isDirectory(ofProcess(ProcessHandle.current().pid()));
    }

    /** Processor seconds of a process. */
    static double cpuSeconds(long pid) throws IOException {
        if (pid != ProcessHandle.current().pid()) {
            return ticks(pid, ITSELF) / TICKS_PER_SECOND;
        }
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine
                ? machine.getProcessCpuTime() / 1e9
                : 0;
    }

    /** Lets {@link #peakMiB} begin anew. */
    static void forgetPeak(long pid) throws IOException {
        Path marks = ofProcess(pid).resolve("clear_refs");
        if (Files.isWritable(marks)) {
            Files.writeString(marks, "5");
        }
    }

    /** The largest resident set of a process since {@link #forgetPeak}. */
    static double peakMiB(long pid) throws IOException {
        return mib(ofProcess(pid), "VmHWM:");
    }

    /** Processor seconds of a process, of its children, and of its ended children. */
    static double cpuSecondsOfTree(long pid) throws IOException {
        double ticks = ticks(pid, ITSELF) + ticks(pid, CHILDREN);
        for (long each : descendants(pid)) {
            ticks += ticks(each, ITSELF);
        }
        return ticks / TICKS_PER_SECOND;
    }

    /** Resident memory of a process and of its children that is not shared and not of a file. */
    static double privateMiBOfTree(long pid) throws IOException {
        double sum = mib(ofProcess(pid), "RssAnon:");
        for (long each : descendants(pid)) {
            sum += mib(ofProcess(each), "RssAnon:");
        }
        return sum;
    }

    private static List<Long> descendants(long pid) {
        return ProcessHandle.of(pid).stream().flatMap(ProcessHandle::descendants).map(ProcessHandle::pid).toList();
    }

    private static double ticks(long pid, int field) throws IOException {
        try {
            String stat = Files.readString(ofProcess(pid).resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Double.parseDouble(fields[field]) + Double.parseDouble(fields[field + 1]);
        } catch (NoSuchFileException _) {
            return 0; // it has ended meanwhile, and its parent counts its time
        }
    }

    private static double mib(Path process, String name) throws IOException {
        try (Stream<String> lines = Files.lines(process.resolve("status"))) {
            return lines.filter(line -> line.startsWith(name))
                    .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1_024.0).sum();
        } catch (NoSuchFileException _) {
            return 0; // it has ended meanwhile
        }
    }

    private static Path ofProcess(long pid) {
        return Path.of("/proc/" + pid);
    }
}
