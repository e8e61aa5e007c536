package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers of an installed PostgreSQL under Patroni, with etcd and a synchronous standby: {@code apt-get install
 * patroni etcd-server postgresql}. By command only; the figures are in {@code target/patroni.txt}.
 */
class PatroniTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Path SERVERS = Path.of("/usr/lib/postgresql");
    private static final int GROUPS = 4;
    /** Answered pushes between two disturbances. */
    private static final int BUSY = 200;

    @TempDir
    private Path folder = Path.of("");
    private final Time time = Time.system();
    private final int etcd = FreePort.find();
    private final List<Member> members = new ArrayList<>();
    private final List<JobId> acknowledged = new CopyOnWriteArrayList<>();
    private final int[] pushed = new int[GROUPS];
    private final Map<String, List<Integer>> runs = new ConcurrentHashMap<>();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong silence = new AtomicLong();
    private final StringBuilder figures = new StringBuilder();
    private volatile boolean stopping;

    /** A server and its Patroni. */
    private record Member(String name, int port, Path config, Path data, ChildProcess patroni) {
        String url() {
            return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&password=secret&connectTimeout=2";
        }

        boolean answers(String question) {
            try (Connection connection = DriverManager.getConnection(url())) {
                return new Sql(connection, question).number() == 1;
            } catch (SQLException _) {
                return false;
            }
        }

        boolean isPrimary() {
            return answers("SELECT (NOT pg_is_in_recovery())::int");
        }

        void kill() throws IOException {
            long postmaster = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
            patroni.kill();
            ProcessHandle.of(postmaster).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void nothingAcknowledgedIsLostOverASwitchoverAndTheDeathOfAPrimary() throws Exception {
        if (Stream.of("patroni", "patronictl", "etcd").anyMatch(name -> ChildProcess.installed(name).isEmpty())
                || !Files.isDirectory(SERVERS)) {
            System.err.println("PATRONI IS NOT INSTALLED, SO NOTHING WAS TESTED: apt-get install patroni etcd-server"
                    + " postgresql");
            return;
        }
        try (ChildProcess _ = ChildProcess.start(List.of("etcd", "--data-dir", folder.resolve("etcd").toString(),
                "--listen-client-urls", "http://127.0.0.1:" + etcd, "--advertise-client-urls",
                "http://127.0.0.1:" + etcd, "--listen-peer-urls", "http://127.0.0.1:" + FreePort.find()),
                builder -> builder.redirectErrorStream(true).redirectOutput(folder.resolve("etcd.log").toFile()))) {
            try {
                for (String name : List.of("one", "two")) {
                    members.add(start(name));
                    await().atMost(PATIENCE).until(() -> primary().isPresent());
                }
                awaitStandby();
                pushThroughASwitchoverAndADeath();
            } finally {
                for (Member member : members) {
                    if (Files.exists(member.data.resolve("postmaster.pid"))) {
                        member.kill();
                    }
                    member.patroni.close();
                }
            }
        }
    }

    private void pushThroughASwitchoverAndADeath() throws Exception {
        PostgresOptions options = PostgresOptions.at("postgres://postgres:secret@127.0.0.1:"
                + members.getFirst().port + ",127.0.0.1:" + members.getLast().port + "/postgres?connections=4");
        try (Orderly one = Orderly.open(PostgresStore.open(options));
                Orderly two = Orderly.open(PostgresStore.open(
                        options))) {
            List<FifoQueue<Integer>> queues = Stream.of(one, two).map(node -> node.fifo("orders.fifo", Integer.class))
                    .toList();
            one.handle(queues.getFirst(), (number, job) -> ran(job.groupId().orElseThrow(), number));
            two.handle(queues.getLast(), (number, job) -> ran(job.groupId().orElseThrow(), number));
            one.start();
            two.start();
            answered.set(time.nanos());
            List<CompletableFuture<Void>> pushes = IntStream.range(0, GROUPS).mapToObj(group -> CompletableFuture
                    .runAsync(() -> push(queues, group), Thread::startVirtualThread)).toList();
            disturb("switchover", () -> assertThat(ChildProcess.run(List.of("patronictl", "-c",
                    members.getFirst().config.toString(), "switchover", "orderly", "--force"),
                    builder -> builder.redirectErrorStream(true)).exitCode()).isZero());
            awaitStandby();
            Member primary = primary().orElseThrow();
            disturb("kill -9 of the primary and its Patroni", primary::kill);
            assertThat(primary().orElseThrow()).isNotEqualTo(primary);
            stopping = true;
            pushes.forEach(CompletableFuture::join);
            await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class).until(() -> acknowledged.stream()
                    .allMatch(job -> one.jobs().find(job).orElseThrow().state() == JobState.DONE));
            assertThat(acknowledged).hasSize(IntStream.of(pushed).sum()).doesNotHaveDuplicates();
            IntStream.range(0, GROUPS)
                    .forEach(group -> assertThat(runs.getOrDefault("g" + group, List.of()).stream().distinct().toList())
                            .isEqualTo(IntStream.range(0, pushed[group]).boxed().toList()));
        }
        Files.writeString(Path.of("target", "patroni.txt"), figures.append(acknowledged.size())
                .append(" acknowledged jobs, all done, groups in order\n"));
    }

    /** A disturbance of the servers. */
    private interface Disturbance {
        void begin() throws Exception;
    }

    /** Disturbs the servers under load, and waits until pushes are answered again. */
    private void disturb(String name, Disturbance disturbance) throws Exception {
        Member before = primary().orElseThrow();
        int first = acknowledged.size();
        await().atMost(PATIENCE).until(() -> acknowledged.size() > first + BUSY);
        silence.set(0);
        disturbance.begin();
        await().atMost(PATIENCE).until(() -> primary().filter(now -> !now.equals(before)).isPresent());
        int then = acknowledged.size();
        await().atMost(PATIENCE).until(() -> acknowledged.size() > then + BUSY);
        figures.append(String.format(Locale.ROOT, "%s: %.1f s at most without an answered push%n", name,
                silence.get() / 1e9));
    }

    private void ran(String group, int number) {
        runs.computeIfAbsent(group, _ -> new CopyOnWriteArrayList<>()).add(number);
    }

    private void push(List<FifoQueue<Integer>> queues, int group) {
        for (int number = 0; !stopping; number++) {
            int next = number;
            await().atMost(PATIENCE).pollDelay(Duration.ZERO).ignoreExceptionsInstanceOf(StoreException.class)
                    .until(() -> acknowledged.add(queues.get(next % queues.size()).group("g" + group)
                            .dedupe("g" + group + "-" + next).push(next)));
            long now = time.nanos();
            silence.accumulateAndGet(now - answered.getAndSet(now), Math::max);
            pushed[group] = next + 1;
        }
    }

    private Optional<Member> primary() {
        return members.stream().filter(Member::isPrimary).findFirst();
    }

    private void awaitStandby() {
        await().atMost(PATIENCE).until(() -> primary().filter(primary -> primary.answers(
                "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")).isPresent());
    }

    private Member start(String name) throws IOException {
        int port = FreePort.find();
        int api = FreePort.find();
        Path data = folder.resolve(name);
        Path programs;
        try (Stream<Path> versions = Files.list(SERVERS)) {
            programs = versions.max(Comparator.naturalOrder()).orElseThrow().resolve("bin");
        }
        Path config = Files.writeString(folder.resolve(name + ".yml"), """
                scope: orderly
                name: %1$s
                etcd3: { hosts: "127.0.0.1:%2$d" }
                restapi: { listen: "127.0.0.1:%3$d", connect_address: "127.0.0.1:%3$d" }
                bootstrap:
                  dcs:
                    ttl: 20
                    loop_wait: 2
                    retry_timeout: 5
                    synchronous_mode: true
                    postgresql: { use_pg_rewind: true }
                  initdb: [ { encoding: UTF8 }, data-checksums ]
                postgresql:
                  listen: "127.0.0.1:%4$d"
                  connect_address: "127.0.0.1:%4$d"
                  data_dir: %5$s
                  bin_dir: %6$s
                  authentication:
                    superuser: { username: postgres, password: secret }
                    replication: { username: replicator, password: secret }
                  parameters: { unix_socket_directories: %7$s }
                  pg_hba: [ host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust ]
                """.formatted(name, etcd, api, port, data, programs, folder));
        // PostgreSQL refuses root: then in a namespace in which its user is another one
        Stream<String> user = System.getProperty("user.name").equals("root") ? Stream.of("unshare", "-U") : Stream.of();
        List<String> command = Stream.concat(user, Stream.of("patroni", config.toString())).toList();
        return new Member(name, port, config, data, ChildProcess.start(command, builder -> builder
                .redirectErrorStream(true).redirectOutput(folder.resolve(name + ".log").toFile())));
    }
}
