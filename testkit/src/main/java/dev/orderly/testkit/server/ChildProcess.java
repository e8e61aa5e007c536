package dev.orderly.testkit.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A process that this one starts and ends, such as a node of a cluster. Variables that override Orderly's configuration are
 * kept from it. One thread at a time.
 */
public final class ChildProcess implements AutoCloseable {
    /** Options of a JVM that is to start fast and lives for seconds. */
    public static final List<String> FAST_START = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;

    private ChildProcess(Process process) {
        this.process = process;
    }

    /**
     * A process that has ended.
     *
     * @param out everything it printed to its standard output
     */
    public record Ended(int exitCode, String out) {}

    /** The command that runs a main class on the class path of this process. */
    public static List<String> java(List<String> options, String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * Starts a process, without waiting.
     *
     * @param settings of its folder and streams
     */
    public static ChildProcess start(List<String> command, UnaryOperator<ProcessBuilder> settings) {
        ProcessBuilder builder = settings.apply(new ProcessBuilder(command));
        builder.environment().keySet().removeIf(name -> name.startsWith("ORDERLY_"));
        try {
            return new ChildProcess(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a process to its end, both of its streams in one; it is killed after a minute. */
    public static Ended run(List<String> command) {
        return run(command, builder -> builder.redirectErrorStream(true));
    }

    /** As {@link #run(List)}, with other settings of its folder and streams. */
    public static Ended run(List<String> command, UnaryOperator<ProcessBuilder> settings) {
        try (ChildProcess child = start(command, settings)) {
            var _ = child.process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).exceptionally(_ -> {
                child.process.destroyForcibly();
                return child.process;
            });
            String out = new String(child.process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(child.join(PATIENCE), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its standard output, unless that goes elsewhere. */
    public BufferedReader out() {
        return process.inputReader();
    }

    /** Its standard input. */
    public Writer in() {
        return process.outputWriter();
    }

    /** For what the system knows of it. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** {@code kill -9}; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        join(PATIENCE);
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Stops the whole process where it is (SIGSTOP). */
    public void pause() {
        signal("STOP");
    }

    /** Lets a paused process go on as if nothing had been (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /** Waits for the end; the exit code. */
    public int join(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("Process " + process.pid() + " is still there after " + patience);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Kills what is left of it, paused or not. */
    @Override
    public void close() {
        kill();
    }

    private void signal(String name) {
        if (run(List.of("kill", "-" + name, Long.toString(process.pid()))).exitCode != 0) {
            throw new AssertionError("Process " + process.pid() + " could not be sent " + name);
        }
    }
}
