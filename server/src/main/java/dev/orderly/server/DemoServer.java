package dev.orderly.server;

import dev.orderly.Orderly;
import dev.orderly.boxoffice.BoxOffice;
import dev.orderly.http.ApiServer;
import dev.orderly.http.intake.MultipartReader;
import dev.orderly.http.listener.Bind;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.job.EngineOptions;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The box office with the API beside it, both on loopback, on a store in a temporary folder that goes when it stops: the
 * shop keeps its seats in memory, so jobs of an earlier demo would mean nothing to it.
 */
public final class DemoServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoServer.class);
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Path folder;
    private final Orderly orderly;
    private final BoxOffice shop;
    private final ApiServer api;
    private final AtomicBoolean closed = new AtomicBoolean();

    private DemoServer(Path folder, Orderly orderly, int port, int adminPort) throws IOException {
        this.folder = folder;
        this.orderly = orderly;
        this.api = new ApiServer(Bind.loopback(adminPort), HttpLimits.DEFAULT, orderly.jobs());
        api.start();
        try {
            this.shop = BoxOffice.start(orderly, port, Time.system());
        } catch (IOException | RuntimeException e) {
            api.close();
            throw e;
        }
    }

    /**
     * Opens the shop. Blocks until it takes requests.
     *
     * @param port of the shop; 0 for any free one
     * @param adminPort of the API; 0 for any free one
     * @throws StartFailed if it cannot; whatever had started is stopped again
     */
    public static DemoServer start(int port, int adminPort) {
        try {
            Path folder = Files.createTempDirectory("orderly-demo");
            try {
                Orderly orderly = Orderly.open(SqliteStore.at(folder.resolve("demo.db")),
                        EngineOptions.defaults().withStopGrace(GRACE).withReaders(List.of(new MultipartReader())));
                return started(folder, orderly, port, adminPort);
            } catch (IOException | RuntimeException e) {
                delete(folder);
                throw e;
            }
        } catch (IOException | UncheckedIOException | StoreException e) {
            throw new StartFailed(String.valueOf(e.getMessage()), e);
        }
    }

    /** What to open and what to try. */
    public String guide() {
        return BoxOffice.guide(shop.port(), api.port());
    }

    /** As {@link OrderlyServer#close}. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            for (Runnable stop : List.<Runnable>of(shop::close, orderly.jobs()::stop, api::close, orderly::close,
                    () -> delete(folder))) {
                try {
                    stop.run();
                } catch (RuntimeException e) {
                    LOG.error("A part of the demo did not stop in order", e);
                }
            }
        }
    }

    private static DemoServer started(Path folder, Orderly orderly, int port, int adminPort) throws IOException {
        try {
            DemoServer demo = new DemoServer(folder, orderly, port, adminPort);
            orderly.start();
            return demo;
        } catch (IOException | RuntimeException e) {
            orderly.close();
            throw e;
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.warn("The demo's folder {} could not be deleted: {}", folder, e.toString());
        }
    }
}
