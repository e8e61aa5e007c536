package dev.orderly.store.sqlite.resilience;

import static dev.orderly.store.sqlite.resilience.Jobs.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.Places;
import dev.orderly.store.sqlite.PowerLossDisk;
import dev.orderly.store.sqlite.PowerLossDisk.Lost;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.testkit.contract.input.RandomRuns;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Syncs fail and the power fails, on a modelled disk: what was acknowledged is there afterwards. */
class PowerResilienceTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void afterAFailedSyncNothingIsAcknowledgedBeforeTheLogIsBegunAnew() throws SQLException {
        PowerLossDisk disk = new PowerLossDisk(Places.fresh(folder), new Random(1));
        try (SqliteStore store = disk.open(); Connection other = DriverManager.getConnection("jdbc:" + store.name())) {
            Jobs jobs = new Jobs(store);
            push(jobs, 20);
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) FROM job")) {
                assertThat(rows.next()).isTrue();
            }
            push(jobs, 5);
            disk.failNextSync("-wal", Lost.STAYS_IN_CACHE);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.OutcomeUnknown.class);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("Another program reads");
            assertThat(lost(disk.afterPowerFailure(folder), jobs.acknowledged)).isEmpty();
            other.rollback();
            Jobs.eventually(() -> jobs.push(MAIL));
            push(jobs, 30);
            assertThat(lost(disk.afterPowerFailure(folder), jobs.acknowledged)).isEmpty();
        }
    }

    @Test
    void aFailedSyncCostsAMomentAndRunningJobsStayWithTheirNode() throws SQLException {
        PowerLossDisk disk = new PowerLossDisk(Places.fresh(folder), new Random(1));
        try (SqliteStore store = disk.open()) {
            Jobs jobs = new Jobs(store);
            push(jobs, 2);
            List<ClaimedJob> running = jobs.claim(MAIL, 2);
            disk.failNextSync("-wal", Lost.STAYS_IN_CACHE);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.OutcomeUnknown.class);
            Jobs.eventually(() -> jobs.push(MAIL));
            assertThat(jobs.done(running)).containsOnly(SettleResult.ACCEPTED);
            assertThat(lost(disk.afterPowerFailure(folder), jobs.acknowledged.subList(2, 3))).isEmpty();
        }
    }

    @Test
    void aLogThatTheDiskHasLostIsNotWrittenIntoTheDatabaseAndTheNextProcessHasWhatWasAcknowledged()
            throws SQLException {
        PowerLossDisk disk = new PowerLossDisk(Places.fresh(folder), new Random(1));
        try (SqliteStore store = disk.open()) {
            Jobs jobs = new Jobs(store);
            push(jobs, 20);
            disk.failNextSync("-wal", Lost.IS_READ_FROM_THE_DISK);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.OutcomeUnknown.class);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("are whole").hasMessageContaining("start this process again");
            assertThat(lost(disk.afterKill(folder).file(), jobs.acknowledged)).isEmpty();
        }
    }

    @Test
    void aProcessThatWasKilledAfterAFailedSyncLeavesNoHoleToTheNext() throws SQLException {
        PowerLossDisk disk = new PowerLossDisk(Places.fresh(folder), new Random(1));
        PowerLossDisk next;
        List<JobId> acknowledged = new ArrayList<>();
        try (SqliteStore store = disk.open()) {
            Jobs jobs = new Jobs(store);
            push(jobs, 20);
            acknowledged.addAll(jobs.acknowledged);
            disk.failNextSync("-wal", Lost.STAYS_IN_CACHE);
            assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.OutcomeUnknown.class);
            next = disk.afterKill(folder);
        }
        try (SqliteStore store = next.open()) {
            Jobs jobs = new Jobs(store);
            push(jobs, 20);
            acknowledged.addAll(jobs.acknowledged);
            assertThat(lost(next.afterPowerFailure(folder), acknowledged)).isEmpty();
        }
    }

    /**
     * A job is moved from a page of the database that is not in the log to one that is, and the sync fails. The power
     * fails at each of the operations that follow, until the store works again.
     */
    @Test
    void aPowerFailureWhileTheLogIsBegunAnewLosesNothing() throws SQLException {
        Path file = Places.fresh(folder);
        List<JobId> acknowledged;
        try (SqliteStore store = SqliteStore.at(file)) {
            Jobs jobs = new Jobs(store);
            for (int n = 0; n < 100; n++) {
                jobs.push(MAIL, 1_000);
            }
            acknowledged = jobs.acknowledged;
        }
        long operations = cutWhileTheLogIsBegunAnew(Places.asKilled(file, folder), Long.MAX_VALUE, acknowledged);
        assertThat(operations).isGreaterThan(10);
        for (long after = 0; after < operations; after++) {
            cutWhileTheLogIsBegunAnew(Places.asKilled(file, folder), after, acknowledged);
        }
    }

    /** @return the operations of the disk from the failed sync until the store worked again */
    private long cutWhileTheLogIsBegunAnew(Path file, long after, List<JobId> acknowledged) throws SQLException {
        PowerLossDisk disk = new PowerLossDisk(file, new Random(after));
        AtomicReference<@Nullable Path> image = new AtomicReference<>();
        long operations;
        try (SqliteStore store = disk.open()) {
            Jobs jobs = new Jobs(store);
            List<ClaimedJob> claimed = jobs.claim(MAIL, 100);
            jobs.done(claimed.subList(99, 100));
            disk.failNextSync("-wal", Lost.STAYS_IN_CACHE);
            assertThat(Jobs.failure(() -> jobs.done(claimed.subList(0, 1)))).isNotNull();
            long failed = disk.operations();
            disk.at(after == Long.MAX_VALUE ? after : failed + after, () -> image.set(disk.afterPowerFailure(folder)));
            Jobs.eventually(() -> jobs.push(MAIL));
            operations = disk.operations() - failed;
        }
        Path left = image.get();
        if (left != null) {
            assertThat(lost(left, acknowledged)).as("after operation %d", after).isEmpty();
        }
        return operations;
    }

    /** A step of a history. */
    private sealed interface Step {
        /** @param bytes size of the payload */
        record Push(int bytes) implements Step {}

        /** @param of suffix of the file whose next sync fails */
        record FailSync(String of, Lost lost) implements Step {}

        /** @param after operations of the disk until the power fails */
        record CutPower(int after) implements Step {}
    }

    @Test
    @Tag("slow")
    void nothingAcknowledgedIsLostHoweverSyncsAndPowerFail() {
        new RandomRuns<>(PowerResilienceTest::history, this::failure).hold();
    }

    private static List<Step> history(long seed) {
        Random random = new Random(seed);
        List<Step> steps = new ArrayList<>(List.of(new Step.CutPower(random.nextInt(12_000))));
        for (int n = 0; n < 80; n++) {
            if (random.nextInt(10) == 0) {
                Lost ofDatabase = random.nextBoolean() ? Lost.STAYS_IN_CACHE : Lost.IS_READ_FROM_THE_DISK;
                steps.add(random.nextInt(3) > 0
                        ? new Step.FailSync("-wal", Lost.STAYS_IN_CACHE)
                        : new Step.FailSync("db", ofDatabase));
            }
            steps.add(new Step.Push(random.nextInt(random.nextInt(4) > 0 ? 20_000 : 1_000_000)));
        }
        return steps;
    }

    private @Nullable Throwable failure(List<Step> steps) {
        try {
            run(steps);
            return null;
        } catch (SQLException | RuntimeException | AssertionError e) {
            return e;
        }
    }

    private void run(List<Step> steps) throws SQLException {
        PowerLossDisk disk = new PowerLossDisk(Places.fresh(folder), new Random(steps.size()));
        List<JobId> acknowledged = new ArrayList<>();
        AtomicReference<@Nullable Path> image = new AtomicReference<>();
        try (SqliteStore store = disk.open()) {
            Jobs jobs = new Jobs(store);
            Runnable cut = () -> {
                acknowledged.addAll(jobs.acknowledged);
                image.set(disk.afterPowerFailure(folder));
            };
            for (Step step : steps) {
                switch (step) {
                    case Step.Push push when image.get() == null -> {
                        if (Jobs.failure(() -> jobs.push(MAIL, push.bytes)) != null) {
                            Jobs.eventually(() -> jobs.push(MAIL, push.bytes));
                        }
                    }
                    case Step.Push _ -> {
                    }
                    case Step.FailSync fail -> disk.failNextSync(fail.of, fail.lost);
                    case Step.CutPower power -> disk.at(disk.operations() + power.after, cut);
                }
            }
            if (image.get() == null) {
                cut.run();
            }
        }
        assertThat(lost(Objects.requireNonNull(image.get()), acknowledged)).isEmpty();
    }

    private static void push(Jobs jobs, int count) {
        for (int n = 0; n < count; n++) {
            jobs.push(MAIL);
        }
    }

    /** The jobs that the next process does not find. */
    private static List<JobId> lost(Path file, List<JobId> acknowledged) throws SQLException {
        try (SqliteStore next = SqliteStore.at(file)) {
            assertThat(Places.integrity(file)).isEqualTo("ok");
            return acknowledged.stream().filter(id -> next.jobViews().find(id).isEmpty()).toList();
        }
    }
}
