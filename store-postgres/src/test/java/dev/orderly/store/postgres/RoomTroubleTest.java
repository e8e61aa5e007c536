package dev.orderly.store.postgres;

import static dev.orderly.store.postgres.Rooms.FAR;
import static dev.orderly.store.postgres.Rooms.NOW;
import static dev.orderly.store.postgres.Rooms.SALE;
import static dev.orderly.store.postgres.Rooms.admit;
import static dev.orderly.store.postgres.Rooms.entered;
import static dev.orderly.store.postgres.Rooms.govern;
import static dev.orderly.store.postgres.Rooms.joins;
import static dev.orderly.store.postgres.Rooms.line;
import static dev.orderly.store.postgres.Rooms.state;
import static dev.orderly.store.postgres.Rooms.sync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.Rooms.Guest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Rooms after PostgreSQL failed in the middle of a call, or crashed. Isolated, since a crash disturbs other tests. */
@Isolated
class RoomTroubleTest {
    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options, new Random(7));

    @BeforeEach
    void open() {
        sync(postgres.rooms(), "gate", FAR, NOW);
        govern(postgres.rooms(), Limits.NONE, NOW);
        assertThat(join()).isEqualTo(1);
    }

    @AfterEach
    void close() {
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void aConnectionLostBeforeTheCommitIsReportedAsNothingDone() {
        RoomState before = state(postgres.rooms(), NOW);
        onEntry("IMMEDIATE", "PERFORM pg_sleep(60)");
        CompletableFuture<Long> joining = CompletableFuture.supplyAsync(this::join, Thread::startVirtualThread);
        terminate("SELECT * FROM room_join%");
        assertThatThrownBy(() -> joining.get(50, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.Unavailable.class);
        Server.run("DROP TRIGGER trouble ON " + options.schema() + ".pass");
        assertThat(state(postgres.rooms(), NOW)).isEqualTo(before);
        assertThat(join()).isEqualTo(2);
    }

    @Test
    void aConnectionLostInTheMiddleOfTheCommitIsReportedAsUnknown() {
        onEntry("DEFERRED", "PERFORM pg_sleep(60)");
        CompletableFuture<Long> joining = CompletableFuture.supplyAsync(this::join, Thread::startVirtualThread);
        terminate("COMMIT");
        assertThatThrownBy(() -> joining.get(50, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreException.OutcomeUnknown.class);
    }

    @Test
    void aCallForSeveralVisitorsIsAtomic() {
        RoomState before = state(postgres.rooms(), NOW);
        onEntry("DEFERRED", "RAISE EXCEPTION 'no room'");
        assertThatThrownBy(() -> postgres.rooms().join(SALE, joins(3, Duration.ZERO), NOW))
                .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("no room");
        assertThat(state(postgres.rooms(), NOW)).isEqualTo(before);
    }

    @Test
    void afterACrashOfTheServerDurableStateIsThereAndPresenceIsReportedBeforeAnybodyEnters() {
        sync(postgres.rooms(), "gate", FAR, NOW);
        govern(postgres.rooms(), new Limits(1, null), NOW);
        List<Guest> guests = line(postgres.rooms(), SALE, 3);
        sync(postgres.rooms(), "gate", FAR, NOW, guests.getFirst());
        govern(postgres.rooms(), new Limits(1, null), NOW);
        if (!crash()) {
            return;
        }
        try (PostgresStore another = await().ignoreExceptionsInstanceOf(StoreException.Unavailable.class)
                .until(() -> PostgresStore.open(options, new Random(8)), _ -> true)) {
            checkRecovered(another.rooms(), guests);
        }
    }

    private static void checkRecovered(RoomStore rooms, List<Guest> guests) {
        RoomState found = state(rooms, NOW);
        assertThat(found.line()).isEqualTo(new RoomState.Line(4, 4, 4, true));
        assertThat(found.load()).isEqualTo(new RoomState.Load(1, 0, 0, 0, 0, 0));
        assertThat(found.limits()).isEqualTo(Limits.CLOSED);
        sync(rooms, "gate", FAR, NOW);
        govern(rooms, Limits.NONE, NOW);
        assertThat(admit(rooms, guests, AdmissionRequest.Kind.TAKEN, NOW))
                .hasOnlyElementsOfType(AdmissionResult.Waits.class);
        Instant settled = NOW.plusSeconds(5);
        govern(rooms, Limits.NONE, settled);
        assertThat(entered(admit(rooms, guests, AdmissionRequest.Kind.TAKEN, settled))).isEqualTo(3);
    }

    /** Kills a process of the server, which then kills the others and restarts. False if the server runs elsewhere. */
    private boolean crash() {
        Server.run("CHECKPOINT"); // else the recovery repeats the changes of all other tests
        long pid = Server.count("SELECT pid FROM pg_stat_activity WHERE application_name = '" + options.schema()
                + "' LIMIT 1");
        ProcessHandle process = ProcessHandle.of(pid).filter(
                found -> found.info().command().orElse("").contains("postgres")).orElse(null);
        if (process == null) {
            LoggerFactory.getLogger(RoomTroubleTest.class)
                    .warn("PostgreSQL runs elsewhere: its crash was NOT tested here");
            return false;
        }
        assertThat(process.destroyForcibly()).isTrue();
        await().until(() -> !process.isAlive());
        return true;
    }

    /** Joins a visitor who enters at once; returns the place. */
    private long join() {
        JoinResult result = postgres.rooms().join(SALE, joins(1, Duration.ZERO), NOW).getFirst();
        assertThat(result).isInstanceOf(JoinResult.Entered.class);
        return result.place();
    }

    /** Makes the server run an action when a pass is issued, at once or as part of the commit. */
    private void onEntry(String when, String action) {
        String schema = options.schema();
        Server.run("CREATE FUNCTION " + schema + ".trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + action
                + "; RETURN NULL; END $$");
        Server.run("CREATE CONSTRAINT TRIGGER trouble AFTER INSERT ON " + schema
                + ".pass DEFERRABLE INITIALLY " + when + " FOR EACH ROW EXECUTE FUNCTION " + schema + ".trouble()");
    }

    private void terminate(String statement) {
        await().until(() -> Server.count("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                + " WHERE application_name = '" + options.schema() + "' AND wait_event = 'PgSleep' AND query LIKE '"
                + statement + "'") == 1);
    }
}
