package dev.orderly.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * The resources of this process.
 *
 * @param heap upper bound in bytes
 * @param handles file and connection handles that are not in use yet
 * @param loops event loops of the edge
 */
record ProcessLimits(long heap, long handles, int loops) {
    /**
     * The grants of the JVM and the operating system; handles are unbounded where the system reports none.
     *
     * @param loops event loops of the edge; null for as many as cores
     */
    static ProcessLimits ofThisProcess(@Nullable Integer loops) {
        long handles = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
                : Long.MAX_VALUE;
        return new ProcessLimits(Runtime.getRuntime().maxMemory(), handles,
                loops == null ? Runtime.getRuntime().availableProcessors() : loops);
    }
}
