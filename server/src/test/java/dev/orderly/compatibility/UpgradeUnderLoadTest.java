package dev.orderly.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.server.ProgramProcess;
import dev.orderly.server.Receiver;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers of this version start on PostgreSQL tables of 0.1.0 with many jobs, are killed among the steps of the update,
 * and start again, while clients repeat their pushes until they are answered. {@code -Dorderly.upgrade.jobs=300000}
 * takes more rows, {@code -Dorderly.upgrade.kills=10} kills more often; the figures are in {@code target/upgrade.txt}.
 */
@Tag("slow")
class UpgradeUnderLoadTest {
    private static final int JOBS = Integer.getInteger("orderly.upgrade.jobs", 5_000);
    private static final int KILLS = Integer.getInteger("orderly.upgrade.kills", 2);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int GROUPS = 8;
    /** Waiting jobs of each group that the release has left. */
    private static final int OLD = 20;
    /** Pushes into each group that must be answered after the last start. */
    private static final int PUSHES = 20;

    @TempDir
    private Path folder = Path.of("");
    private final Time time = Time.system();
    private final URI edge = URI.create("http://127.0.0.1:" + FreePort.find());
    private final AtomicIntegerArray accepted = new AtomicIntegerArray(GROUPS);
    private volatile boolean stopping;

    @Test
    void jobsOfTheReleaseAndPushesDuringAKilledUpdateRunInOrderAndNoneIsLost() throws Exception {
        try (PostgresServer postgres = PostgresServer.start("fsync=off");
                Receiver receiver = new Receiver();
                HttpClient client = HttpClient.newHttpClient()) {
            load(postgres);
            Path config = config(postgres, receiver);
            List<CompletableFuture<Void>> clients = IntStream.range(0, GROUPS).mapToObj(group -> CompletableFuture
                    .runAsync(() -> push(client, group), Thread::startVirtualThread)).toList();
            long began = time.nanos();
            for (int kill = 0; kill < KILLS; kill++) {
                long version = number(postgres, "SELECT version FROM meta");
                try (ChildProcess node = serve(config)) {
                    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2))
                            .until(() -> number(postgres, "SELECT version FROM meta") > version);
                    node.kill();
                }
            }
            assertThat(IntStream.range(0, GROUPS).map(accepted::get)).as("pushes before the update was done")
                    .containsOnly(0);
            long restarted = time.nanos();
            try (ChildProcess node = serve(config)) {
                assertThat(node.out().lines().anyMatch(line -> line.startsWith("edge"))).as("see the log in %s", folder)
                        .isTrue();
                report(Duration.ofNanos(time.nanos() - began), Duration.ofNanos(time.nanos() - restarted));
                await().atMost(PATIENCE)
                        .until(() -> IntStream.range(0, GROUPS).allMatch(group -> accepted.get(group) >= PUSHES));
                stopping = true;
                clients.forEach(CompletableFuture::join);
                await().atMost(PATIENCE).untilAsserted(() -> IntStream.range(0, GROUPS)
                        .forEach(group -> assertThat(numbers(receiver, group)).as("group %s", group).isEqualTo(
                                IntStream.range(0, OLD + accepted.get(group)).boxed().toList())));
            }
            assertThat(number(postgres, "SELECT count(*) FROM job WHERE queue = 3")).as("waiting and dead")
                    .isEqualTo(JOBS + 3);
            assertThat(number(postgres, "SELECT count(*) FROM room WHERE name = 'sale' AND length = 2"
                    + " AND mode = 'HOLD' AND message = 'Back at noon' AND capacity = 7")).isOne();
        }
    }

    /** The first delivery of each job of a group, in their order. */
    private static List<Integer> numbers(Receiver receiver, int group) {
        return receiver.deliveries().stream().filter(delivery -> delivery.group().equals("g" + group))
                .sorted(Comparator.comparingLong(Receiver.Delivery::began))
                .map(delivery -> Integer.valueOf(delivery.body())).distinct().toList();
    }

    /** Pushes one job after the other into a group, each until it is answered. */
    private void push(HttpClient client, int group) {
        while (!stopping) {
            int number = OLD + accepted.get(group);
            HttpRequest request = HttpRequest.newBuilder(edge.resolve("/orders/g" + group + "/" + group + "-" + number))
                    .timeout(Duration.ofSeconds(30)).header("Content-Type", "text/plain")
                    .POST(BodyPublishers.ofString(Integer.toString(number))).build();
            if (status(client, request) == 202) {
                accepted.incrementAndGet(group);
            } else {
                time.park(time.deadline(Duration.ofMillis(20)));
            }
        }
    }

    /** The status of the answer; 0 where no server answers. */
    private static int status(HttpClient client, HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException _) {
            return 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private ChildProcess serve(Path config) {
        return ChildProcess.start(ProgramProcess.command("dev.orderly.cli.Main", "serve", "--config",
                config.toString()),
                builder -> builder.redirectError(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("server.log").toFile())));
    }

    private Path config(PostgresServer postgres, Receiver receiver) throws IOException {
        return Files.writeString(folder.resolve("orderly.yaml"), """
                store: "%s"
                secret-file: "%s"
                edge: { host: 127.0.0.1, port: %d, warm-up: 0s, drain: 0s }
                admin: { port: 0 }
                queues:
                  orders.fifo: { handler: "%s" }
                  mails: {}
                routes: [ { post: "/orders/{group}/{dedupe}", queue: orders.fifo } ]
                rooms: { sale: { match: ["/tickets/**"], capacity: 1 } }
                """.formatted(postgres.address(), folder.resolve("secret"), edge.getPort(), receiver.url()));
    }

    /** Tables of the release, with many jobs of a paused queue, most of them dead letters, and some in groups. */
    private static void load(PostgresServer postgres) throws Exception {
        Path dump = EarlierVersionsTest.VERSIONS.resolve("0.1.0/postgres.sql.gz");
        try (Connection connection = DriverManager.getConnection(postgres.url());
                Statement statement = connection.createStatement()) {
            statement.execute(new String(EarlierVersionsTest.uncompressed(dump), StandardCharsets.UTF_8));
            statement.execute(
                    """
                            SET search_path = orderly;
                            INSERT INTO job(seq, queue, ready_at, state, priority, grp, content_type, payload)
                              SELECT 1000000 + number * %2$d + g, 1, 0, 0, 3, 'g' || g, 'text/plain',
                                convert_to(number::text, 'UTF8')
                              FROM generate_series(0, %2$d - 1) AS g, generate_series(0, %3$d - 1) AS number;
                            INSERT INTO lane(queue, name, turn, ready_at, state)
                              SELECT 1, 'g' || g, nextval('lane_turn'), 0, 0 FROM generate_series(0, %2$d - 1) AS g;
                            INSERT INTO job(seq, queue, ready_at, state, priority, content_type, payload, failure)
                              SELECT 2000000 + n, 3, extract(epoch FROM now())::bigint * 1000, CASE WHEN n %% 10 < 6 THEN 3 ELSE 0 END, 3, 'text/plain',
                                convert_to(repeat('x', 200), 'UTF8'), 'no' FROM generate_series(1, %1$d) AS n;
                            INSERT INTO tally SELECT queue, state, count(*) FROM job WHERE seq BETWEEN 1000000 AND 1000000000
                              GROUP BY queue, state;
                            INSERT INTO voided(line, visitor, number, until)
                              SELECT 1, gen_random_uuid(), 1000 + n, 0 FROM generate_series(1, %1$d / 10) AS n"""
                            .formatted(JOBS, GROUPS, OLD));
        }
    }

    private static long number(PostgresServer postgres, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.url() + "&currentSchema=orderly");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void report(Duration whole, Duration last) {
        try {
            Files.writeString(Path.of("target", "upgrade.txt"), String.format(Locale.ROOT,
                    "%d jobs, %d kills: served %.1f s after the first start, %.1f s after the last%n", JOBS, KILLS,
                    whole.toMillis() / 1e3, last.toMillis() / 1e3));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
