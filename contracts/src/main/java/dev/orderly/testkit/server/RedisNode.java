package dev.orderly.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import redis.embedded.RedisServer;
import redis.embedded.RedisServerBuilder;
import redis.embedded.exceptions.EmbeddedRedisException;

/**
 * A Redis 7 server for this process, unpacked from a Maven artifact, with a free port and a folder of its own; works as
 * root, too. It appends every write to a file, so it keeps everything over a restart. Needs
 * {@code org.signal:embedded-redis} on the class path. Used by one thread at a time.
 */
public final class RedisNode implements AutoCloseable {
    private static final int ATTEMPTS = 20;

    private final int port = FreePort.find();
    private final List<String> settings;
    private final Path folder;
    private final Thread atExit;
    private RedisServer server;
    private boolean suspended;

    private RedisNode(List<String> settings) {
        this.settings = List.copyOf(settings);
        try {
            folder = TestFolders.create("orderly-redis");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        atExit = new Thread(() -> TestFolders.remove(folder));
        Runtime.getRuntime().addShutdownHook(atExit);
        server = run();
    }

    /**
     * Starts a server, whose data goes when it is closed, or with this process. Blocks less than a second.
     *
     * @param settings such as {@code maxmemory 1mb}; appended to the settings of this class
     */
    public static RedisNode start(String... settings) {
        return new RedisNode(List.of(settings));
    }

    public int port() {
        return port;
    }

    /** The URL for clients and the configuration. */
    public String url() {
        return urlOver(port);
    }

    /** As {@link #url}, over another port of this machine, such as that of a {@link FaultProxy}. */
    public String urlOver(int other) {
        return "redis://127.0.0.1:" + other;
    }

    /** Stops the server. Blocks. */
    public void stop() {
        server.stop();
    }

    /** Ends the server as {@code kill -9} does. */
    public void kill() {
        ProcessHandle process = process();
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Suspends the process of the server, or lets it go on. */
    public void suspend(boolean value) {
        ChildProcess.signal(value ? "STOP" : "CONT", process());
        suspended = value;
    }

    /** The process of the server. */
    public ProcessHandle process() {
        try {
            return ProcessHandle.of(Long.parseLong(Files.readString(pid()).strip())).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path pid() {
        return folder.resolve("pid");
    }

    /** Starts the server again after {@link #stop}, with its data, on the same port. Blocks. */
    public void resume() {
        server = run();
    }

    @Override
    public void close() {
        if (suspended) {
            suspend(false); // what is suspended does not stop
        }
        stop();
        Runtime.getRuntime().removeShutdownHook(atExit);
        TestFolders.remove(folder);
    }

    private RedisServer run() {
        RedisServerBuilder builder = RedisServer.builder().port(port).setting("bind 127.0.0.1").setting("save \"\"")
                .setting("appendonly yes").setting("appendfsync everysec").setting("dir " + folder)
                .setting("pidfile " + pid());
        settings.forEach(builder::setting);
        for (int attempt = 1;; attempt++) {
            RedisServer started = builder.build();
            try {
                started.start();
                return started;
            } catch (EmbeddedRedisException e) {
                if (attempt == ATTEMPTS || !isBusy(e)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Whether the program that was just unpacked cannot be run yet: a process that another thread starts at that moment
     * has the file open for writing until it runs its own program.
     */
    private static boolean isBusy(EmbeddedRedisException failure) {
        return failure.getCause() != null && String.valueOf(failure.getCause().getMessage()).contains("Text file busy");
    }
}
