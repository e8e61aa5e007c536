package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Store;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerInTest;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.sqlite.Durability;
import dev.orderly.store.sqlite.SqliteOptions;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.contract.search.ManyJobs;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every page of the dashboard takes less than 300 ms beside a store with as many jobs as the system property
 * {@code orderly.scale} says. Not part of {@code verify}, by its name: filling a store takes minutes.
 */
class DashboardScale {
    private static final Logger LOG = LoggerFactory.getLogger(DashboardScale.class);
    private static final Duration LONGEST = Duration.ofMillis(300);
    private static final int TIMES = 7;

    private final HttpClient client = HttpClient.newHttpClient();
    @TempDir
    private Path folder;

    @Test
    void everyPageAnswersSoonBesideALargeSqliteStore() throws Exception {
        Path database = folder.resolve("orderly.db");
        ManualTime time = past();
        try (Store store = SqliteStore.at(database, new SqliteOptions(Durability.NORMAL, 64))) {
            ManyJobs.fill(store, time, jobs());
        }
        everyPageAnswersSoon("sqlite:" + database);
    }

    @Test
    void everyPageAnswersSoonBesideALargePostgresStore() throws Exception {
        try (PostgresServer postgres = PostgresServer.startIn(folder.resolve("postgres"), "fsync=off")) {
            try (Store store = PostgresStore.at(postgres.address())) {
                ManyJobs.fill(store, past(), jobs());
            }
            everyPageAnswersSoon(postgres.address());
        }
    }

    private static int jobs() {
        return Integer.getInteger("orderly.scale", 10_000_000);
    }

    /** A clock that is behind, so that no job of the store is of the future when the server opens it. */
    private static ManualTime past() {
        return new ManualTime(Time.system().now().minus(Duration.ofHours(1)));
    }

    private void everyPageAnswersSoon(String store) throws Exception {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: "%s"
                edge: { port: 0, host: 127.0.0.1, warm-up: 0s, origin: "http://127.0.0.1:9" }
                admin: { port: 0 }
                """.formatted(store));
        try (OrderlyServer server = ServerInTest.start(file)) {
            Map<String, Duration> slow = new LinkedHashMap<>();
            for (String page : pages(server)) {
                Duration median = median(server, page);
                LOG.warn("{} jobs in {}: {} took {} ms", jobs(), store.split(":", 2)[0], page, median.toMillis());
                if (median.compareTo(LONGEST) > 0) {
                    slow.put(page, median);
                }
            }
            assertThat(slow).isEmpty();
        }
    }

    private List<String> pages(OrderlyServer server) throws Exception {
        List<String> pages = new ArrayList<>(List.of("/", "/queues", "/queues/mail", "/queues/mail/dead",
                "/queues/orders.fifo", "/queues/orders.fifo/groups", "/jobs", "/jobs?queue=mail",
                "/jobs?queue=mail&state=waiting", "/jobs?queue=orders.fifo&group=large", "/jobs?state=dead",
                "/jobs?state=dead&q=nothing", "/jobs?q=nothing", "/jobs?user=user7", "/jobs?user=nobody",
                "/jobs?queue=mail&param=order%3D7", "/schedules", "/rooms", "/nodes", "/live", "/audit", "/config",
                "/about"));
        for (String search : List.of("/jobs?state=dead", "/jobs?queue=orders.fifo", "/jobs?queue=mail")) {
            String found = get(server, search).body();
            int at = found.indexOf("href=\"/jobs/");
            assertThat(at).as(search).isPositive();
            pages.add(found.substring(at + "href=\"".length(), found.indexOf('"', at + "href=\"".length())));
        }
        return pages;
    }

    private Duration median(OrderlyServer server, String page) throws Exception {
        Time time = Time.system();
        List<Long> took = new ArrayList<>();
        for (int n = 0; n < TIMES; n++) {
            long began = time.nanos();
            assertThat(get(server, page).statusCode()).as(page).isEqualTo(200);
            took.add(time.nanos() - began);
        }
        return Duration.ofNanos(took.stream().sorted().toList().get(TIMES / 2));
    }

    private HttpResponse<String> get(OrderlyServer server, String path) throws Exception {
        return client.send(OwnUser.of(server, HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort()
                + path))).timeout(Duration.ofMinutes(1)).build(), BodyHandlers.ofString());
    }
}
