package dev.orderly.cluster;

import dev.orderly.server.ProgramProcess;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
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
    private final ChildProcess process;
    private final Time time = Time.system();

    private NodeProcess(String name, Path log, ChildProcess process) {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /** Starts it, without waiting. Its output goes to {@code NAME.out} in the folder. */
    static NodeProcess start(String name, Class<?> main, Path folder, String... arguments) {
        Path log = folder.resolve(name + ".log");
        List<String> options = Stream.concat(ChildProcess.FAST_START.stream(), Stream.of("-Xmx256m")).toList();
        List<String> command = ProgramProcess.command(options, main.getName(),
                Stream.concat(Stream.of(log.toString()), Stream.of(arguments)).toArray(String[]::new));
        return new NodeProcess(name, log, ChildProcess.start(command, builder -> builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile())));
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
        process.kill();
        return before;
    }

    /** Suspends the whole process; returns the moment before. */
    long pause() {
        long before = time.nanos();
        process.pause();
        return before;
    }

    /** Resumes the process; returns the moment after. */
    long resume() {
        process.resume();
        return time.nanos();
    }

    /** As {@link ChildProcess#terminate}. */
    void terminate() {
        process.terminate();
    }

    /** As {@link ChildProcess#join}. */
    void join(Duration patience) {
        process.join(patience);
    }

    /** Kills the process if it still exists, paused or not. */
    @Override
    public void close() {
        process.close();
    }
}
