package dev.orderly.about;

import dev.orderly.ProgramVersion;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The facts of a running server, for its API and its pages. Thread-safe. */
public interface ServerFacts {
    /** Every key of the configuration in force, in the order of the reference. Answers from memory. */
    List<ConfigValue> config();

    /** Facts about the server. Blocks on the store and on the health checks, some seconds at most. */
    About about();

    /** Of an instance that was opened by a program, without a configuration. */
    ServerFacts NONE = new ServerFacts() {
        @Override
        public List<ConfigValue> config() {
            return List.of();
        }

        @Override
        public About about() {
            return new About(ProgramVersion.current(), Instant.EPOCH, javaText(), systemText(), "", Map.of(), List.of(),
                    Map.of(), List.of());
        }
    };

    /** Version and vendor of the Java runtime. */
    static String javaText() {
        return System.getProperty("java.vm.version", "") + " (" + System.getProperty("java.vendor", "") + ")";
    }

    /** Operating system and processor. */
    static String systemText() {
        return System.getProperty("os.name", "") + " " + System.getProperty("os.version", "") + ", "
                + System.getProperty("os.arch", "");
    }
}
