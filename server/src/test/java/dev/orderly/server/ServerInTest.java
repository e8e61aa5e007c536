package dev.orderly.server;

import dev.orderly.config.Config;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import java.nio.file.Path;
import java.util.Map;

/** A server in the process of a test, with a configuration as the program reads it. */
public final class ServerInTest {
    private ServerInTest() {}

    /** The configuration of a file. Fails with its problems where the program would refuse it. */
    public static Config config(Path file) {
        return switch (read(file)) {
            case ConfigResult.Valid(Config config) -> config;
            case ConfigResult.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    /** Starts with the configuration of a file, which a reload reads anew. */
    public static OrderlyServer start(Path file) {
        return start(file, Map.of());
    }

    /**
     * As {@link #start(Path)}.
     *
     * @param environment variables with secrets
     */
    public static OrderlyServer start(Path file, Map<String, String> environment) {
        return OrderlyServer.start(config(file), () -> read(file), environment);
    }

    private static ConfigResult read(Path file) {
        return new ConfigFile(file, Map.of()).read();
    }
}
