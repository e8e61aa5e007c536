package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.Clients.Accepted;
import dev.orderly.server.Receiver.Delivery;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real server process, killed with {@code kill -9} while clients push and a worker works, and started again on the
 * same file. More rounds with {@code -Dorderly.crash.rounds=N}, another course with {@code -Dorderly.crash.seed=N}.
 */
@Tag("slow")
class CrashTest {
    private static final int ROUNDS = Integer.getInteger("orderly.crash.rounds", 5);
    private static final long SEED = Long.getLong("orderly.crash.seed", 20_261_121L);
    /** Pushes of a round after which the server may be killed at any moment. */
    private static final int BUSY = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int FIFO_CLIENTS = 24;
    private static final int STANDARD_CLIENTS = 8;

    @TempDir
    private Path folder = Path.of("");
    private final Time time = Time.system();

    /** The moments of a kill, and of the start of the next process. */
    private record Crash(long killed, long gone) {}

    @Test
    void noAcknowledgedJobIsLostReorderedOrRepeatedWhenTheServerIsKilled() throws IOException {
        Random random = new Random(SEED);
        List<Crash> crashes = new ArrayList<>();
        try (Receiver receiver = new Receiver();
                Servers servers = new Servers(config(receiver.url()));
                Clients clients = new Clients(servers.current.edge(), FIFO_CLIENTS, STANDARD_CLIENTS)) {
            for (int round = 0; round < ROUNDS; round++) {
                int before = clients.accepted().size();
                Awaitility.await().atMost(PATIENCE)
                        .until(() -> clients.accepted().size() >= before + BUSY);
                pause(Duration.ofMillis(random.nextInt(1_000)));
                long killed = time.nanos();
                servers.current.kill();
                crashes.add(new Crash(killed, time.nanos()));
                clients.server(servers.next().edge());
            }
            pause(Duration.ofMillis(500));
            clients.stop();
            Awaitility.await().atMost(PATIENCE).until(() -> idle(servers.current));

            assertThat(clients.unexpected()).as("answers other than 202").isEmpty();
            List<Delivery> deliveries = receiver.deliveries();
            everyAcceptedJobRan(clients.accepted(), deliveries);
            groupsRanInOrder(clients.accepted(), deliveries);
            onlyWhatWasInFlightAtAKillRanAgain(deliveries, crashes);
        }
    }

    private static void everyAcceptedJobRan(List<Accepted> accepted, List<Delivery> deliveries) {
        Set<String> ran = deliveries.stream().map(Delivery::job).collect(Collectors.toSet());
        assertThat(accepted).as("accepted jobs that never ran, seed %d", SEED).allMatch(job -> ran.contains(job.job()));
    }

    /**
     * In each group, the first deliveries come in push order, and a job is first delivered only after the last answer
     * to every previous job. The body is the number by which the group's only client pushed, so jobs whose answer was
     * lost are part of the order.
     */
    private static void groupsRanInOrder(List<Accepted> accepted, List<Delivery> deliveries) {
        Map<String, List<Delivery>> groups = deliveries.stream().filter(d -> !d.group().isEmpty())
                .collect(Collectors.groupingBy(Delivery::group));
        assertThat(groups.keySet()).containsAll(
                accepted.stream().map(Accepted::group).filter(group -> !group.isEmpty()).collect(Collectors.toSet()));
        groups.forEach((group, all) -> {
            List<Delivery> inTime = all.stream().sorted(Comparator.comparingLong(Delivery::began)).toList();
            int highest = 0;
            long answered = Long.MIN_VALUE;
            for (Delivery delivery : inTime) {
                int number = Integer.parseInt(delivery.body());
                assertThat(number).as("group %s goes back behind %d, seed %d", group, highest, SEED)
                        .isGreaterThanOrEqualTo(highest);
                if (number > highest && highest > 0) {
                    assertThat(delivery.began()).as("group %s starts %d before %d was answered, seed %d", group, number,
                            highest, SEED).isGreaterThanOrEqualTo(answered);
                }
                highest = number;
                answered = delivery.answered();
            }
        });
    }

    /**
     * A job may be delivered again only if its last delivery had not been settled when the server died. The worker's
     * answer is settled a moment after it was sent; the check allows for this moment. A job answered well before a kill
     * that runs again after it is a broken promise.
     */
    private static void onlyWhatWasInFlightAtAKillRanAgain(List<Delivery> deliveries, List<Crash> crashes) {
        long settling = Duration.ofSeconds(2).toNanos();
        Map<String, List<Delivery>> byJob = new HashMap<>();
        deliveries.forEach(d -> byJob.computeIfAbsent(d.job(), _ -> new ArrayList<>()).add(d));
        Set<String> again = new HashSet<>();
        byJob.forEach((job, all) -> {
            List<Delivery> inTime = all.stream().sorted(Comparator.comparingLong(Delivery::began)).toList();
            for (int i = 1; i < inTime.size(); i++) {
                Delivery before = inTime.get(i - 1);
                Delivery next = inTime.get(i);
                again.add(job);
                assertThat(next.attempt()).as("attempts of job %s grow", job).isGreaterThan(before.attempt());
                assertThat(crashes).as("job %s ran again without a kill while it was in flight, seed %d", job, SEED)
                        .anyMatch(crash -> before.began() <= crash.gone() && next.began() >= crash.killed()
                                && before.answered() >= crash.killed() - settling);
            }
        });
        assertThat(again.size()).as("jobs in flight at a kill").isLessThanOrEqualTo(crashes.size() * 64);
    }

    /** Whether every accepted job has ended. */
    private static boolean idle(ServerProcess server) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            String queues = http
                    .send(OwnUser.of(server.localAccess(), HttpRequest.newBuilder(
                            server.api().resolve("/api/v1/queues"))).build(), BodyHandlers.ofString())
                    .body();
            var json = JsonMapper.shared().readTree(queues);
            long open = 0;
            for (var queue : json.path("queues")) {
                var jobs = queue.path("jobs");
                open += jobs.path("waiting").asLong() + jobs.path("delayed").asLong() + jobs.path("running").asLong();
                assertThat(jobs.path("dead").asLong()).as("dead letters").isZero();
            }
            return open == 0;
        }
    }

    private void pause(Duration length) {
        long deadline = time.deadline(length);
        while (!time.reached(deadline)) {
            time.park(deadline);
        }
    }

    private Path config(String worker) throws IOException {
        return Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:data/orderly.db
                edge: { host: 127.0.0.1 }
                queues:
                  jobs.fifo: { handler: "%1$s", retry: { base: 100ms, max: 1s } }
                  jobs: { handler: "%1$s", retry: { base: 100ms, max: 1s } }
                routes:
                  - { post: "/fifo/{group}", queue: jobs.fifo }
                  - { post: "/standard", queue: jobs }
                """.formatted(worker));
    }

    /** Servers on the same file, one after the other. */
    private final class Servers implements AutoCloseable {
        private final Path config;
        private ServerProcess current;

        Servers(Path config) {
            this.config = config;
            this.current = ServerProcess.start(config, folder.resolve("server.log"));
        }

        ServerProcess next() {
            current = ServerProcess.start(config, folder.resolve("server.log"));
            return current;
        }

        @Override
        public void close() {
            current.kill();
        }
    }
}
