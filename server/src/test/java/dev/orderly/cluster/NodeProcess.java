package dev.orderly.cluster;

import dev.orderly.server.ServerProcess;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A JVM of its own that runs a main class of these tests. It is ready when its log, the first argument, is not empty,
 * and ends when this process ends. One thread at a time.
 *
 * <p>Moments are values of {@link Time#nanos}, which on Linux is one clock for all processes of a machine.
 */
final class NodeProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    final String name;
    final Path log;
    private final Process process;
    private final Time time = Time.system();

    private NodeProcess(String name, Path log, Process process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** Starts it, without waiting. Its output goes to {@code NAME.out} in the folder. */
    static NodeProcess start(String name, Class<?> main, Path folder, String... arguments) {
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                        "-Xmx256m", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp",
                        System.getProperty("java.class.path"), main.getName(), log.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile());
        ServerProcess.clean(builder.environment());
        try {
            return new NodeProcess(name, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    NodeProcess awaitReady() {
        Awaitility.await(name + " is ready").atMost(START).pollInterval(Duration.ofMillis(50)).until(() -> {
            if (!process.isAlive()) {
                throw new AssertionError(name + " did not start: see " + name + ".out beside " + log);
            }
            return Files.exists(log) && Files.size(log) > 0;
        });
        return this;
    }

    /** {@code kill -9}; returns the moment before the kill, after the process is gone. */
    long kill() {
        long before = time.nanos();
        process.destroyForcibly();
        join(Duration.ofSeconds(60));
        return before;
    }

    /** Suspends the whole process; returns the moment before. */
    long pause() {
        long before = time.nanos();
        signal("STOP");
        return before;
    }

    /** Resumes the process; returns the moment after. */
    long resume() {
        signal("CONT");
        return time.nanos();
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    void join(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError(name + " is still there after " + patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Kills the process if it still exists, paused or not. */
    @Override
    public void close() {
        kill();
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new AssertionError(name + " could not be sent " + signal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
