package dev.orderly.store.sqlite.resilience;

import static dev.orderly.store.sqlite.resilience.Jobs.MAIL;
import static dev.orderly.store.sqlite.resilience.Jobs.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.FaultyConnectionFactory;
import dev.orderly.store.sqlite.Places;
import dev.orderly.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sqlite.SQLiteErrorCode;

/** After a transient disk failure the store recovers by itself and has all acknowledged jobs. */
class DiskResilienceTest {
    @TempDir
    private Path folder = Path.of("");
    private @Nullable FaultyConnectionFactory disk;
    private @Nullable SqliteStore store;

    @BeforeEach
    void open() {
        Path file = Places.fresh(folder);
        FaultyConnectionFactory faulty = FaultyConnectionFactory.of(file);
        disk = faulty;
        store = faulty.open(file);
    }

    @AfterEach
    void close() {
        store().close();
    }

    @ParameterizedTest
    @EnumSource(value = SQLiteErrorCode.class, names = {"SQLITE_IOERR", "SQLITE_CORRUPT", "SQLITE_CANTOPEN"})
    void theWriterRecoversFromATransientReadError(SQLiteErrorCode error) {
        Jobs jobs = new Jobs(store());
        jobs.push(MAIL);
        SqliteStore next = restarted(faulty -> {});
        Jobs again = new Jobs(next);
        disk().fail(error, "FROM lane_index AS entry", 1);
        assertThat(Jobs.failure(() -> again.claim(MAIL, 1))).isInstanceOf(StoreException.Unavailable.class);
        List<ClaimedJob> claimed = new ArrayList<>();
        Jobs.eventually(() -> claimed.addAll(again.claim(MAIL, 1)));
        assertThat(claimed).extracting(ClaimedJob::id).isEqualTo(jobs.acknowledged);
        assertThat(again.done(claimed)).containsExactly(SettleResult.ACCEPTED);
    }

    @ParameterizedTest
    @EnumSource(value = SQLiteErrorCode.class, names = {"SQLITE_IOERR", "SQLITE_CORRUPT"})
    void aTransientErrorOfAReaderIsInvisible(SQLiteErrorCode error) {
        JobId id = new Jobs(store()).push(MAIL);
        for (int round = 0; round < 5; round++) {
            disk().fail(error, "FROM job WHERE seq", 1);
            assertThat(store().jobViews().find(id)).isPresent();
            assertThat(disk().left()).isZero();
        }
    }

    @Test
    void everyAcknowledgedPushIsSynced() {
        Jobs jobs = new Jobs(store());
        for (int i = 0; i < 5; i++) {
            int before = disk().syncs();
            jobs.push(MAIL);
            assertThat(disk().syncs()).isGreaterThan(before);
        }
    }

    @Test
    void aPushWhoseSyncFailsIsOfUnknownOutcomeAndTheStoreRecovers() {
        Jobs jobs = new Jobs(store());
        jobs.push(MAIL);
        disk().fail(SQLiteErrorCode.SQLITE_IOERR, "sync", 1);
        assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.OutcomeUnknown.class);
        Jobs.eventually(() -> jobs.push(MAIL));
        assertThat(jobs.claim(MAIL, 10)).extracting(ClaimedJob::id).containsAll(jobs.acknowledged);
        int before = disk().syncs();
        jobs.push(MAIL);
        assertThat(disk().syncs()).isGreaterThan(before);
    }

    @Test
    void runningJobsCanBeSettledAfterTheFileWasReopened() {
        Jobs jobs = new Jobs(store());
        jobs.push(MAIL);
        jobs.push(ORDERS);
        jobs.push(ORDERS);
        List<ClaimedJob> mail = jobs.claim(MAIL, 1);
        List<ClaimedJob> orders = jobs.claim(ORDERS, 1);
        disk().fail(SQLiteErrorCode.SQLITE_IOERR, "INSERT INTO job", 1);
        assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.Unavailable.class);
        Jobs.eventually(() -> jobs.push(MAIL));
        assertThat(jobs.claim(ORDERS, 1)).as("the group is with its node").isEmpty();
        assertThat(jobs.done(mail)).containsExactly(SettleResult.ACCEPTED);
        assertThat(jobs.done(orders)).containsExactly(SettleResult.ACCEPTED, SettleResult.ACCEPTED);
        assertThat(store().jobViews().queues()).extracting(QueueView::waiting, QueueView::running, QueueView::done)
                .containsExactly(tuple(1L, 0L, 1L), tuple(0L, 0L, 2L));
    }

    @Test
    void aFailedCommitIsNotAcknowledgedAndAffectsNothingElse() {
        Jobs jobs = new Jobs(store());
        jobs.push(MAIL);
        disk().fail(SQLiteErrorCode.SQLITE_IOERR, "commit", 1);
        assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.OutcomeUnknown.class);
        Jobs.eventually(() -> jobs.push(MAIL));
        List<ClaimedJob> claimed = jobs.claim(MAIL, 10);
        assertThat(claimed).extracting(ClaimedJob::id).containsAll(jobs.acknowledged);
        assertThat(jobs.done(claimed)).containsOnly(SettleResult.ACCEPTED);
    }

    @Test
    void theStoreRecoversFromALongDiskFailure() {
        Jobs jobs = new Jobs(store());
        jobs.push(MAIL);
        disk().fail(SQLiteErrorCode.SQLITE_IOERR, "", 40);
        assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.class);
        assertThat(Jobs.failure(() -> jobs.push(MAIL))).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("orderly.db");
        disk().fail(SQLiteErrorCode.SQLITE_OK, "", 0);
        Jobs.eventually(() -> jobs.push(MAIL));
        assertThat(jobs.claim(MAIL, 10)).extracting(ClaimedJob::id).containsAll(jobs.acknowledged);
    }

    @Test
    void countsAreRightAfterTheFirstCountFailed() {
        Jobs jobs = new Jobs(store());
        jobs.push(MAIL);
        SqliteStore next = restarted(faulty -> faulty.fail(SQLiteErrorCode.SQLITE_IOERR, "FROM waiting", 1));
        List<QueueView> views = new ArrayList<>();
        Jobs.eventually(() -> views.addAll(next.jobViews().queues()));
        assertThat(views).extracting(QueueView::waiting).containsExactly(1L);
    }

    private SqliteStore restarted(Consumer<FaultyConnectionFactory> prepare) {
        Path file = Places.asKilled(Path.of(store().name().substring("sqlite:".length())), folder);
        store().close();
        FaultyConnectionFactory next = FaultyConnectionFactory.of(file);
        prepare.accept(next);
        disk = next;
        SqliteStore opened = next.open(file);
        store = opened;
        return opened;
    }

    private FaultyConnectionFactory disk() {
        return Objects.requireNonNull(disk);
    }

    private SqliteStore store() {
        return Objects.requireNonNull(store);
    }
}
