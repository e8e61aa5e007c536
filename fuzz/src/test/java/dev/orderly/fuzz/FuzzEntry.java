package dev.orderly.fuzz;

import java.util.Objects;

/** What the fuzzer calls: the target that the system property {@code fuzz.target} names. */
public final class FuzzEntry {
    private static final FuzzTarget.Input TARGET = FuzzTarget
            .named(Objects.requireNonNull(System.getProperty("fuzz.target"), "Set -Dfuzz.target to a target")).start();

    private FuzzEntry() {}

    /** Starts the target with this class, before the time of an input counts. The name is the fuzzer's. */
    public static void fuzzerInitialize() {}

    /** One input. The name is the fuzzer's. */
    public static void fuzzerTestOneInput(byte[] input) throws Exception {
        TARGET.run(input);
    }
}
