package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.sqlite.state.MemoryBounds;
import dev.orderly.time.Time;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index of waiting jobs, with merges after a few changes. */
class LaneIndexTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final JobFailure FAILURE = new JobFailure("no", "");
    private static final int STEPS = 400;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void itHasExactlyTheWaitingJobsAfterEachStep(int seed) throws SQLException {
        Random random = new Random(seed);
        List<JobId> pushed = new ArrayList<>();
        List<ClaimedJob> claimed = new ArrayList<>();
        SqliteStore store = open(Places.fresh(folder), 7);
        for (int step = 0; step < STEPS; step++) {
            Instant now = NOW.plusSeconds(step);
            switch (random.nextInt(9)) {
                case 0, 1, 2 ->
                    store.jobs().push(List.of(random.nextBoolean() ? mail(random, now) : order(random)), now)
                            .stream().map(PushResult::id).forEach(pushed::add);
                case 3, 4 -> claimed.addAll(claim(store, random.nextInt(1, 5), now));
                case 5, 6 -> {
                    if (!claimed.isEmpty()) {
                        ClaimedJob job = claimed.remove(random.nextInt(claimed.size()));
                        store.jobs().settle(List.of(new Settlement(NODE, job.attempt(), outcome(random, now))), now);
                    }
                }
                case 7 -> {
                    if (!pushed.isEmpty()) {
                        store.jobs().cancel(pushed.get(random.nextInt(pushed.size())), now);
                    }
                }
                default -> store.jobs().redriveAll(random.nextBoolean() ? MAIL : ORDERS, 2, now);
            }
            if (random.nextInt(50) == 0) {
                store.jobs().release(NODE, Set.of(), now);
                claimed.clear();
                Path killed = Places.asKilled(file(store), folder);
                store.close();
                store = open(killed, 7);
            }
            assertThat(numbers(store, "SELECT seq FROM waiting ORDER BY seq"))
                    .isEqualTo(numbers(store, "SELECT seq FROM job WHERE state = 0 ORDER BY seq"));
            assertThat(numbers(store, "SELECT seq FROM waiting_of_key ORDER BY seq")).isEqualTo(
                    numbers(store, "SELECT seq FROM job WHERE state = 0 AND flow_key IS NOT NULL ORDER BY seq"));
            assertThat(pending(store)).isEqualTo(jobsOfKeys(store, claimed));
        }
        store.close();
    }

    @Test
    void theJobsOfAKeyAreClaimedInTheirOrderAcrossMerges() {
        try (SqliteStore store = open(Places.fresh(folder), 7)) {
            List<NewJob> jobs = new ArrayList<>();
            for (int n = 0; n < 100; n++) {
                jobs.add(keyed("k0", Priority.of(n % 4 + 1), null, String.valueOf(n)));
                jobs.add(keyed("k" + n % 3, Priority.LOW, NOW.plusSeconds(100), "later"));
            }
            for (NewJob job : jobs) {
                store.jobs().push(List.of(job), NOW);
            }
            List<Integer> order = new ArrayList<>();
            for (List<ClaimedJob> some = claim(store, 3, NOW); !some.isEmpty(); some = claim(store, 3, NOW)) {
                some.forEach(job -> order.add(Integer.parseInt(job.payload().asText())));
            }
            assertThat(order).isEqualTo(IntStream.range(0, 4)
                    .flatMap(priority -> IntStream.range(0, 25).map(n -> 4 * n + priority)).boxed().toList());
        }
    }

    @Test
    void jobsWithKeysThatEndSoonAreNeverWrittenToTheIndexOfKeys() throws SQLException {
        try (SqliteStore store = open(Places.fresh(folder), 7)) {
            for (int round = 0; round < 20; round++) {
                store.jobs().push(
                        List.of(keyed("a", Priority.NORMAL, null, "x"), keyed("b", Priority.NORMAL, null, "x")),
                        NOW);
                assertThat(numbers(store, "SELECT count(*) FROM job WHERE key_indexed = 1")).containsExactly(0L);
                store.jobs().settle(claim(store, 10, NOW).stream()
                        .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(), NOW);
            }
        }
    }

    @Test
    void jobsThatEndSoonAreNeverWrittenToIt() throws SQLException {
        try (SqliteStore store = open(Places.fresh(folder), 7)) {
            for (int round = 0; round < 20; round++) {
                store.jobs().push(List.of(order(new Random(round)), order(new Random(round))), NOW);
                List<ClaimedJob> jobs = claim(store, 10, NOW);
                store.jobs().settle(jobs.stream()
                        .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(), NOW);
            }
            assertThat(numbers(store, "SELECT value FROM meta WHERE name = 'merged'")).containsExactly(0L);
        }
    }

    @Test
    void noMoreJobsThanItsBoundAreIndexedInMemoryOnly() throws SQLException {
        try (SqliteStore store = open(Places.fresh(folder), 7)) {
            for (int n = 0; n < 50; n++) {
                store.jobs().push(List.of(order("g" + n, n)), NOW);
                store.jobs().beat(NODE); // answered after the merge that the push made due
                assertThat(numbers(store, "SELECT count(*) FROM job, meta WHERE name = 'merged' AND seq > value")
                        .getFirst()).isLessThanOrEqualTo(7);
            }
        }
    }

    @Test
    void jobsOfStandardQueuesLeaveItAtOnceWithoutTombstones() throws SQLException {
        try (SqliteStore store = open(Places.fresh(folder), 7)) {
            store.jobs().push(Collections.nCopies(20, job(MAIL, null, Priority.NORMAL, null, "x")), NOW);
            store.jobs().settle(claim(store, 5, NOW).stream()
                    .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(), NOW);
            assertThat(numbers(store, "SELECT count(*) FROM lane_index")).containsExactly(15L);
            assertThat(numbers(store, "SELECT count(*) FROM tombstone")).containsExactly(0L);
        }
    }

    @Test
    void aMergeThatFailsRefusesNothing() throws SQLException {
        Path file = Places.fresh(folder);
        open(file, 7).close();
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement()) {
            statement.execute("CREATE TRIGGER refuse BEFORE INSERT ON lane_index BEGIN SELECT RAISE(ABORT, 'no'); END");
        }
        try (SqliteStore store = open(file, 7)) {
            Random random = new Random(1);
            for (int i = 0; i < 30; i++) {
                store.jobs().push(List.of(order(random)), NOW);
            }
            assertThat(claim(store, 10, NOW)).hasSize(30);
            assertThat(numbers(store, "SELECT value FROM meta WHERE name = 'merged'")).containsExactly(0L);
        }
    }

    @Test
    void groupsKeepTheirOrderWhileTheScanReadsAhead() {
        try (SqliteStore store = open(Places.fresh(folder), 1_000)) {
            List<NewJob> jobs = new ArrayList<>();
            for (int i = 0; i < 9_000; i++) {
                jobs.add(order("g" + i % 3_000, i));
            }
            store.jobs().push(jobs, NOW);
            int[] next = new int[3_000];
            int done = 0;
            for (List<ClaimedJob> some = claim(store, 500, NOW); !some.isEmpty(); some = claim(store, 500, NOW)) {
                for (ClaimedJob job : some) {
                    int number = Integer.parseInt(job.payload().asText());
                    assertThat(number / 3_000).as(job.group()).isEqualTo(next[number % 3_000]++);
                }
                done += some.size();
                // Every fifth job is retried at once, which rereads its group.
                List<Settlement> settled = new ArrayList<>();
                for (int i = 0; i < some.size(); i++) {
                    ClaimedJob job = some.get(i);
                    boolean again = i % 5 == 0 && job.attempt().number() == 1;
                    settled.add(new Settlement(NODE, job.attempt(), again
                            ? new AttemptOutcome.Retry(NOW, FAILURE)
                            : new AttemptOutcome.Done(null)));
                    if (again) {
                        next[Integer.parseInt(job.payload().asText()) % 3_000]--;
                        done--;
                    }
                    if (settled.size() == 10 || i == some.size() - 1) {
                        store.jobs().settle(List.copyOf(settled), NOW);
                        settled.clear();
                    }
                }
            }
            assertThat(done).isEqualTo(9_000);
        }
    }

    private static SqliteStore open(Path file, int mergeAt) {
        SqliteStore store = SqliteStore.at(file, SqliteOptions.DEFAULT, Time.system(),
                new MemoryBounds(mergeAt, 1 << 20));
        store.jobs().beat(NODE);
        return store;
    }

    private static List<ClaimedJob> claim(SqliteStore store, int limit, Instant now) {
        return store.jobs().claim(new ClaimRequest(NODE,
                List.of(new ClaimRequest.Demand(MAIL, limit), new ClaimRequest.Demand(ORDERS, limit))), now).jobs();
    }

    private static AttemptOutcome outcome(Random random, Instant now) {
        return switch (random.nextInt(6)) {
            case 0 -> new AttemptOutcome.Retry(now.plusSeconds(random.nextInt(20)), FAILURE);
            case 1 -> new AttemptOutcome.GiveBack();
            case 2 -> new AttemptOutcome.Dead(FAILURE, random.nextBoolean());
            case 3 -> new AttemptOutcome.Snooze(now.plusSeconds(random.nextInt(20)));
            default -> new AttemptOutcome.Done(null);
        };
    }

    private static NewJob mail(Random random, Instant now) {
        Instant runAt = random.nextInt(3) == 0 ? now.plusSeconds(random.nextInt(30)) : null;
        Priority priority = Priority.of(random.nextInt(2) + 1);
        return random.nextBoolean()
                ? keyed("k" + random.nextInt(3), priority, runAt, "x")
                : job(MAIL, null, priority, runAt, "x");
    }

    private static NewJob keyed(String key, Priority priority, @Nullable Instant runAt, String text) {
        return job(MAIL, null, priority, runAt, text).on(JobTerms.NONE.withKey(key), null);
    }

    private static Map<String, Integer> pending(SqliteStore store) {
        return store.jobViews().pending(MAIL, Set.of("k0", "k1", "k2"), 1_000);
    }

    /** The waiting and delayed jobs of each key; jobs that run are stored as waiting. */
    private static Map<String, Integer> jobsOfKeys(SqliteStore store, List<ClaimedJob> running) throws SQLException {
        Map<String, Integer> jobs = new HashMap<>();
        for (String key : List.of("k0", "k1", "k2")) {
            long stored = numbers(store, "SELECT count(*) FROM job WHERE state <= 1 AND flow_key = '" + key + "'")
                    .getFirst();
            long runs = running.stream().filter(job -> key.equals(job.terms().key())).count();
            if (stored > runs) {
                jobs.put(key, (int) (stored - runs));
            }
        }
        return jobs;
    }

    private static NewJob order(Random random) {
        return order("g" + random.nextInt(4), 0);
    }

    private static NewJob order(String group, int number) {
        return job(ORDERS, group, Priority.NORMAL, null, String.valueOf(number));
    }

    private static NewJob job(QueueName queue, @Nullable String group, Priority priority, @Nullable Instant runAt,
            String text) {
        return new NewJob(queue, group, priority, runAt, Payload.text(text), Map.of(), null, null, null);
    }

    private static List<Long> numbers(SqliteStore store, String sql) throws SQLException {
        List<Long> found = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file(store));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getLong(1));
            }
        }
        return found;
    }

    private static Path file(SqliteStore store) {
        return Path.of(store.name().substring("sqlite:".length()));
    }
}
