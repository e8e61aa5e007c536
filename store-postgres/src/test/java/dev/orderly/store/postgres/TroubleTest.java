package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Errors that callers get when PostgreSQL fails. */
class TroubleTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options, new Random(7));

    @AfterEach
    void close() {
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void aConnectionLostBeforeTheCommitIsReportedAsNothingDone() {
        onInsert("IMMEDIATE", "PERFORM pg_sleep(60)");
        CompletableFuture<Void> push = pushing();
        terminate("%INSERT INTO job%");
        assertThatThrownBy(() -> push.get(50, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.Unavailable.class);
        calm();
        assertThat(postgres.jobViews().queues())
                .allSatisfy(view -> assertThat(view).isEqualTo(QueueSnapshot.empty(MAIL)));
    }

    @Test
    void aSessionThatTheServerEndsInAStatementThatCommitsByItselfIsReportedAsNothingDone() {
        push(); // the queue is known from now on
        onInsert("DEFERRED", "PERFORM pg_sleep(60)");
        CompletableFuture<Void> push = pushing();
        terminate("%INSERT INTO job%");
        assertThatThrownBy(() -> push.get(50, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.Unavailable.class);
        calm();
        assertThat(postgres.jobViews().queues().getFirst().waiting()).isOne();
    }

    @Test
    void aConnectionLostInTheMiddleOfTheCommitIsReportedAsUnknown() {
        onInsert("DEFERRED", "PERFORM pg_sleep(60)");
        NewJob job = job(DedupeKey.ofId(MAIL, null, "two of one push need a transaction"));
        CompletableFuture<Void> push = pushing(() -> push(job, job));
        terminate("COMMIT");
        assertThatThrownBy(() -> push.get(50, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.OutcomeUnknown.class);
    }

    @Test
    void aCommitThatTheServerRefusesIsReportedAsNothingDone() {
        onInsert("DEFERRED", "RAISE EXCEPTION 'no room'");
        assertThatThrownBy(this::push).isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("no room");
        calm();
        assertThat(postgres.jobViews().queues()).containsExactly(QueueSnapshot.empty(MAIL));
    }

    @Test
    void afterTheLossOfAllConnectionsTheStoreRecoversByItself() {
        push();
        Server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '"
                + options.schema() + "'");
        await().ignoreExceptionsInstanceOf(StoreException.Unavailable.class).until(() -> {
            push();
            return true;
        });
        assertThat(postgres.jobViews().queues().getFirst().waiting()).isEqualTo(2);
    }

    @Test
    void aClosedStoreIsUnavailable() {
        postgres.close();
        assertThatThrownBy(this::push).isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void aDroppedSchemaIsReportedAsUnusable() {
        Server.run("DROP SCHEMA " + options.schema() + " CASCADE");
        assertThatThrownBy(this::push).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining(options.schema());
    }

    private void push() {
        push(job(null));
    }

    private void push(NewJob... jobs) {
        postgres.jobs().push(List.of(jobs), NOW);
    }

    private static NewJob job(@Nullable DedupeKey key) {
        return new NewJob(MAIL, null, Priority.NORMAL, null, Payload.text("a"), Map.of(), null, key, null);
    }

    private CompletableFuture<Void> pushing() {
        return pushing(this::push);
    }

    private static CompletableFuture<Void> pushing(Runnable push) {
        return CompletableFuture.runAsync(push, Thread::startVirtualThread);
    }

    /** Makes the server run an action when a job is stored, at once or as part of the commit. */
    private void onInsert(String when, String action) {
        String schema = options.schema();
        Server.run("CREATE FUNCTION " + schema + ".trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + action
                + "; RETURN NULL; END $$");
        Server.run("CREATE CONSTRAINT TRIGGER trouble AFTER INSERT ON " + schema
                + ".job DEFERRABLE INITIALLY " + when + " FOR EACH ROW EXECUTE FUNCTION " + schema + ".trouble()");
    }

    private void calm() {
        Server.run("DROP TRIGGER trouble ON " + options.schema() + ".job");
    }

    private void terminate(String statement) {
        await().until(() -> Server.count("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE application_name = '" + options.schema() + "' AND wait_event = 'PgSleep' AND query LIKE '"
                + statement
                + "'") == 1);
    }
}
