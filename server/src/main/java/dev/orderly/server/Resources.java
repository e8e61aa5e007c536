package dev.orderly.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this process may use.
 *
 * @param heap bytes at most
 * @param handles of files and connections that are not open yet
 * @param cores each of which has event loops
 */
record Resources(long heap, long handles, int cores) {
    /** What the JVM and the operating system grant; handles without end where the system does not say. */
    static Resources ofThisProcess() {
        long handles = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
                : Long.MAX_VALUE;
        return new Resources(Runtime.getRuntime().maxMemory(), handles, Runtime.getRuntime().availableProcessors());
    }
}
