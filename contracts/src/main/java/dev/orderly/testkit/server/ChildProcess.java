package dev.orderly.testkit.server;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A child process, such as a node of a cluster. It does not inherit variables that override Orderly's configuration.
 * Used by one thread at a time.
 */
public final class ChildProcess implements AutoCloseable {
    /** Options for a JVM that starts fast and lives for seconds. */
    public static final List<String> FAST_START = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;

    private ChildProcess(Process process) {
        this.process = process;
    }

    /**
     * The outcome of a process that has ended.
     *
     * @param out its complete standard output
     */
    public record Ended(int exitCode, String out) {}

    /** The command that runs a main class with the class path of this process. */
    public static List<String> java(List<String> options, String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The path of an installed program: on the PATH, or where Debian has servers; empty if it is not installed. */
    public static Optional<Path> installed(String program) {
        return Stream.concat(Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, program)).filter(Files::isExecutable).findFirst();
    }

    /**
     * Starts a process, without waiting. Of this process's environment it gets no variable of Orderly.
     *
     * @param settings of its folder, streams and further variables
     */
    public static ChildProcess start(List<String> command, UnaryOperator<ProcessBuilder> settings) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("ORDERLY_"));
        try {
            return new ChildProcess(settings.apply(builder).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a process to its end, with both of its output streams in one; it is killed after a minute. */
    public static Ended run(List<String> command) {
        return run(command, builder -> builder.redirectErrorStream(true));
    }

    /** As {@link #run(List)}, with other settings of its folder and streams. */
    public static Ended run(List<String> command, UnaryOperator<ProcessBuilder> settings) {
        return run(command, PATIENCE, settings);
    }

    /** As {@link #run(List, UnaryOperator)}, for a program that computes for long: killed after another time. */
    public static Ended run(List<String> command, Duration patience, UnaryOperator<ProcessBuilder> settings) {
        try (ChildProcess child = start(command, settings)) {
            var _ = child.process.onExit().orTimeout(patience.toSeconds(), TimeUnit.SECONDS).exceptionally(_ -> {
                child.process.destroyForcibly();
                return child.process;
            });
            String out = new String(child.process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(child.join(PATIENCE), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its standard output, unless that is redirected. */
    public BufferedReader out() {
        return process.inputReader();
    }

    /** Its standard input. */
    public Writer in() {
        return process.outputWriter();
    }

    /** The operating system's view of the process. */
    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Whether the process has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL; returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        join(PATIENCE);
    }

    /** Sends SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Sends SIGHUP. */
    public void hangUp() {
        signal("HUP");
    }

    /** Suspends the whole process (SIGSTOP). */
    public void pause() {
        signal("STOP");
    }

    /** Resumes a suspended process (SIGCONT). */
    public void resume() {
        signal("CONT");
    }

    /** Waits for the end and returns the exit code. */
    public int join(Duration patience) {
        try {
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("Process " + process.pid() + " still runs after " + patience);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Kills the process if it still runs, suspended or not. */
    @Override
    public void close() {
        kill();
    }

    private void signal(String name) {
        signal(name, process.toHandle());
    }

    /** Sends a signal to a process. */
    static void signal(String name, ProcessHandle process) {
        if (run(List.of("kill", "-" + name, Long.toString(process.pid()))).exitCode != 0) {
            throw new AssertionError("Process " + process.pid() + " could not be sent " + name);
        }
    }
}
