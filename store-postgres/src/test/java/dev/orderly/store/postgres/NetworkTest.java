package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.flow.Lifecycle;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobState;
import dev.orderly.job.Push;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.MessageTarget;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.server.FaultProxy;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A node whose network to the database fails, while other connections work. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class NetworkTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TRIES = 50;

    private final PostgresOptions direct = Server.fresh();
    private final FaultProxy network = new FaultProxy(Server.port());
    private final PostgresOptions far = PostgresOptions
            .at(direct.url().replaceFirst(":" + Server.port() + "/", ":" + network.port() + "/"))
            .withSchema(direct.schema()).withConnections(6);
    private final PostgresStore store = PostgresStore.open(far, new SecureRandom());
    private final Lifecycle pushes = new Lifecycle();
    private final JobClient client = new JobClient(store.jobs(), store.jobViews(), EngineOptions.defaults(), pushes);
    private final JobWorker worker = new JobWorker(client, MessageTarget.NONE);
    private final StandardQueue<String> mail = client.queue("mail", String.class, QueueOptions.STANDARD
            .withRetry(new RetryPolicy(50, Duration.ofMillis(5), 1, Duration.ofMillis(5), 0)));
    private final FifoQueue<Integer> orders = client.fifo("orders.fifo", Integer.class, QueueOptions.FIFO);

    @AfterEach
    void close() {
        network.pass();
        worker.stop();
        pushes.end();
        store.close();
        network.close();
        Server.run("DROP SCHEMA IF EXISTS " + direct.schema() + " CASCADE");
    }

    @Test
    void aPushWithALostReplyIsReportedAsUnknownAndItsRepetitionUnderTheKeyIsTheFirstJob() {
        mail.push("warm");
        boolean unsure = false;
        int pushed = 1;
        // The lost reply may belong to a connection that the pool is just opening.
        for (; !unsure && pushed < TRIES; pushed++) {
            Push<String> push = mail.dedupe("once " + pushed);
            network.loseReplies(1);
            for (boolean answered = false; !answered;) {
                try {
                    push.push("hello");
                    answered = true;
                } catch (StoreException.OutcomeUnknown | StoreException.Unavailable e) {
                    unsure = true;
                }
            }
        }
        assertThat(unsure).isTrue();
        assertThat(client.list(mail.name(), JobState.WAITING, null, 2 * TRIES)).hasSize(pushed);
    }

    @Test
    void withoutADatabaseAPushFailsInTimeAndLaterPushesSucceed() {
        mail.push("before");
        network.refuse();
        assertThatThrownBy(() -> mail.push("never")).isInstanceOf(StoreException.class);
        network.pass();
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> mail.push("after") != null);
        assertThat(client.list(mail.name(), JobState.WAITING, null, 10)).extracting(view -> view.state())
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void aStepOnASilentConnectionEndsWithTheLease() {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        try (Orderly node = Orderly.open(store)) {
            StandardQueue<String> books = node.queue("books", String.class,
                    options -> options.withTimeout(Duration.ofHours(1)));
            node.handle(books, (_, job) -> {
                try {
                    job.step("book", connection -> {
                        try (Statement statement = connection.createStatement()) {
                            begun.complete(null);
                            statement.execute("SELECT pg_sleep(120)");
                        }
                    });
                } catch (SQLException | RuntimeException e) {
                    ended.complete(e);
                }
            });
            node.start();
            books.push("a");
            begun.join();
            network.blackHole();
            assertThat(ended).succeedsWithin(PATIENCE);
            network.pass();
        }
    }

    @Test
    void aSilentConnectionIsGivenUpAndWorkGoesOn() {
        List<String> ran = new CopyOnWriteArrayList<>();
        worker.handle(mail, (text, _) -> ran.add(text));
        worker.start();
        mail.push("before");
        await().atMost(PATIENCE).until(() -> ran.size() == 1);
        network.blackHole();
        assertThatThrownBy(() -> mail.push("into the dark")).isInstanceOf(StoreException.class);
        network.pass();
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> mail.push("after") != null);
        await().atMost(PATIENCE).until(() -> ran.contains("after"));
    }

    @Test
    void aSlowNetworkOnlySlows() {
        List<Integer> ran = new CopyOnWriteArrayList<>();
        worker.handle(orders, (number, _) -> ran.add(number));
        worker.start();
        network.delay(Duration.ofMillis(30));
        List<Integer> all = List.of(1, 2, 3, 4, 5);
        orders.pushAll(all, _ -> "g");
        await().atMost(PATIENCE).until(() -> ran.size() == all.size());
        assertThat(ran).isEqualTo(all);
    }

    @Test
    void onABadNetworkEachJobIsDoneOnceAndGroupsKeepTheirOrder() {
        Random random = new Random(11);
        Map<String, List<Integer>> done = new ConcurrentHashMap<>();
        AtomicInteger runs = new AtomicInteger();
        worker.handle(orders, (number, job) -> {
            runs.incrementAndGet();
            done.computeIfAbsent(job.groupId().orElseThrow(), _ -> new CopyOnWriteArrayList<>()).add(number);
        });
        worker.start();
        int groups = 10;
        int each = 30;
        for (int number = 0; number < each; number++) {
            for (int group = 0; group < groups; group++) {
                push(number, "g" + group);
            }
            switch (random.nextInt(4)) {
                case 0 -> network.cut();
                case 1 -> network.loseReplies(1 + random.nextInt(3));
                case 2 -> network.delay(Duration.ofMillis(random.nextInt(4)));
                default -> network.pass();
            }
        }
        network.pass();
        await().atMost(PATIENCE).until(
                () -> client.list(orders.name(), JobState.DONE, null, 1_000).size() == groups * each);
        done.values().forEach(numbers -> assertThat(firsts(numbers)).isSorted().hasSize(each));
        assertThat(runs.get()).isGreaterThanOrEqualTo(groups * each);
    }

    /** Repeats the push under one key until it succeeds, as an application would. */
    private void push(int number, String group) {
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> orders.group(group).dedupe(group + number).push(number) != null);
    }

    /** First runs only: a job runs again if the answer to its settlement was lost. */
    private static List<Integer> firsts(List<Integer> numbers) {
        return numbers.stream().distinct().toList();
    }
}
