package dev.orderly.server;

import dev.orderly.testkit.server.ChildProcess;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code orderly serve} in a process of its own, for tests. */
public final class ServerProcess implements AutoCloseable {
    private final ChildProcess process;
    private final URI edge;
    private final URI api;
    private final Path localAccess;

    private ServerProcess(ChildProcess process, URI edge, URI api, Path localAccess) {
        this.process = process;
        this.edge = edge;
        this.api = api;
        this.localAccess = localAccess;
    }

    /** The command that runs the program with the tests' class path. */
    private static List<String> command(String... arguments) {
        return ProgramProcess.command("dev.orderly.cli.Main", arguments);
    }

    /** Runs a program that is expected to end by itself. */
    public static ChildProcess.Ended run(String... arguments) {
        return ChildProcess.run(command(arguments));
    }

    /** Starts it and waits until it prints its addresses. Its log goes to a file. */
    public static ServerProcess start(Path config, Path log) {
        return start(config, log, command -> command);
    }

    /** Starts it in a folder, with these options of {@code serve} in place of a configuration. */
    public static ServerProcess startIn(Path folder, Path log, String... options) {
        List<String> arguments = new ArrayList<>(List.of("serve", "--port", "0", "--admin-port", "0"));
        arguments.addAll(List.of(options));
        return start(command(arguments.toArray(String[]::new)), log, builder -> builder.directory(folder.toFile()));
    }

    /**
     * As {@link #start(Path, Path)}, under limits.
     *
     * @param limits wraps the program's command into one that grants less
     */
    public static ServerProcess start(Path config, Path log, UnaryOperator<List<String>> limits) {
        return start(limits.apply(command("serve", "--config", config.toString(), "--port", "0", "--admin-port", "0")),
                log, builder -> builder);
    }

    private static ServerProcess start(List<String> command, Path log, UnaryOperator<ProcessBuilder> settings) {
        ChildProcess process = ChildProcess.start(command, builder -> brief(settings.apply(builder))
                .redirectError(ProcessBuilder.Redirect.appendTo(new File(log.toString()))));
        try {
            BufferedReader out = process.out();
            URI edge = address("edge", out.readLine(), log);
            URI api = address("api", out.readLine(), log);
            return new ServerProcess(process, edge, api, localAccess(out.readLine()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path localAccess(@Nullable String line) {
        String words = String.valueOf(line);
        return Path.of(words.substring(words.indexOf('@') + 1));
    }

    private static URI address(String name, @Nullable String line, Path log) {
        if (line == null || !line.startsWith(name)) {
            throw new AssertionError("The server did not start, and printed: " + line + "; see " + log);
        }
        return URI.create(line.substring(name.length()).strip());
    }

    /** No balancer is in front, so that a stop need not wait for one, and no rush comes. */
    private static ProcessBuilder brief(ProcessBuilder builder) {
        builder.environment().putIfAbsent("ORDERLY_EDGE_DRAIN", "0s");
        builder.environment().putIfAbsent("ORDERLY_EDGE_WARM_UP", "0s");
        return builder;
    }

    /** The next line that it prints after the addresses of edge and API. */
    public String nextLine() throws IOException {
        return String.valueOf(process.out().readLine());
    }

    public URI edge() {
        return edge;
    }

    public URI api() {
        return api;
    }

    /** The file with the credential of the server's own user. */
    public Path localAccess() {
        return localAccess;
    }

    /** Whether the process still runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** As {@link ChildProcess#kill}. */
    public void kill() {
        process.kill();
    }

    /** As {@link ChildProcess#terminate}. */
    public void terminate() {
        process.terminate();
    }

    /** As {@link ChildProcess#hangUp}. */
    public void hangUp() {
        process.hangUp();
    }

    /** As {@link ChildProcess#join}. */
    public int join(Duration patience) {
        return process.join(patience);
    }

    @Override
    public void close() {
        process.close();
    }
}
