package dev.orderly.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The resources of this process.
 *
 * @param heap upper bound in bytes
 * @param handles file and connection handles that are not in use yet
 * @param cores number of cores, each with event loops
 */
record ProcessLimits(long heap, long handles, int cores) {
    /** The grants of the JVM and the operating system; handles are unbounded where the system reports none. */
    static ProcessLimits ofThisProcess() {
        long handles = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
                : Long.MAX_VALUE;
        return new ProcessLimits(Runtime.getRuntime().maxMemory(), handles, Runtime.getRuntime().availableProcessors());
    }
}
