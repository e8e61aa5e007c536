package dev.orderly.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code orderly serve} in a process of its own, for tests. */
public final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final URI edge;
    private final URI api;

    private ServerProcess(Process process, URI edge, URI api) {
        this.process = process;
        this.edge = edge;
        this.api = api;
    }

    /** The command that runs the program with the tests' class path. */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                        System.getProperty("java.class.path"), "dev.orderly.cli.Main"));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Starts it and waits until it prints its addresses. Its log goes to a file. */
    public static ServerProcess start(Path config, Path log) {
        return start(config, log, command -> command);
    }

    /**
     * As {@link #start(Path, Path)}, under limits.
     *
     * @param limits wraps the program's command into one that grants less
     */
    public static ServerProcess start(Path config, Path log, UnaryOperator<List<String>> limits) {
        try {
            ProcessBuilder builder = new ProcessBuilder(limits.apply(command("serve", "--config", config.toString(),
                    "--port", "0", "--admin-port", "0")));
            builder.redirectError(ProcessBuilder.Redirect.appendTo(new File(log.toString())));
            clean(builder.environment());
            Process process = builder.start();
            BufferedReader out = process.inputReader();
            URI edge = address("edge", out.readLine(), log);
            return new ServerProcess(process, edge, address("api", out.readLine(), log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes variables of the developer's environment that would override the configuration. */
    public static void clean(Map<String, String> environment) {
        environment.keySet().removeIf(name -> name.startsWith("ORDERLY_"));
    }

    private static URI address(String name, @Nullable String line, Path log) {
        if (line == null || !line.startsWith(name)) {
            throw new AssertionError("The server did not start: see " + log);
        }
        return URI.create(line.substring(name.length()).strip());
    }

    public URI edge() {
        return edge;
    }

    public URI api() {
        return api;
    }

    /** Whether the process still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** {@code kill -9}; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        join(Duration.ofSeconds(60));
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Waits for the end; the exit code. */
    public int join(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("The server is still there after " + patience);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
