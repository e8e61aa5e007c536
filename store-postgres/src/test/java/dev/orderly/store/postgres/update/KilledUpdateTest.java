package dev.orderly.store.postgres.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The update of a schema of 0.1.0 whose session ends, as that of a killed process does, once in each step, beside a
 * node of 0.1.0 at work. {@code -Dorderly.killed.jobs=200000} takes more rows.
 */
@Tag("slow")
class KilledUpdateTest {
    private static final int JOBS = Integer.getInteger("orderly.killed.jobs", 20_000);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** The version of the tables of 0.1.0. */
    private static final int RELEASED = 9;
    private static final String GROWN = "SELECT count(*) FROM $job WHERE queue = 1 AND seq > 1000000"
            + " AND seq <= 1000000 + " + JOBS;

    private final FirstRelease store = new FirstRelease();

    @AfterEach
    void drop() {
        store.drop();
    }

    @Test
    void anUpdateThatIsKilledInEachStepIsFinishedByTheNextStartAndLosesNothing() {
        workBeside(() -> {
            int kills = 0;
            for (killAt(RELEASED + 1); !opens() && kills < 100; killAt(RELEASED + 1 + kills)) {
                kills++;
                assertThat(store.version()).as("after kill %s", kills).isEqualTo(RELEASED + kills - 1);
            }
            assertThat(kills).as("steps").isEqualTo((int) store.version() - RELEASED).isGreaterThan(5);
        });
    }

    @Test
    void anUpdateThatIsSlowAndKilledAmongItsRowsIsFinishedByTheNextStartAndLosesNothing() {
        slowRowsThatKill();
        workBeside(() -> {
            assertThat(opens()).as("killed with the third chunk of rows").isFalse();
            store.run("DROP TRIGGER rows ON job");
            assertThat(opens()).isTrue();
        });
    }

    private void workBeside(Runnable update) {
        store.grow(JOBS);
        long voided = store.count("SELECT count(*) FROM $voided");
        try (OldNode old = new OldNode(store)) {
            await().atMost(PATIENCE).until(() -> old.calls() > 5);
            update.run();
            int then = old.calls();
            await().atMost(PATIENCE).until(() -> old.calls() > then + 5 || !old.failures().isEmpty());
            assertThat(old.failures()).isEmpty();
        }
        assertThat(store.count(GROWN)).isEqualTo(JOBS);
        assertThat(store.count("SELECT count(*) FROM $voided")).isEqualTo(voided);
        assertThat(store.count("SELECT count(*) FROM $job WHERE state >= 3 AND error IS DISTINCT FROM 0")).isZero();
        assertThat(store.count("SELECT count(*) FROM pg_index WHERE NOT indisvalid")).isZero();
    }

    private boolean opens() {
        try {
            PostgresStore.open(store.options()).close();
            return true;
        } catch (StoreException.Unavailable _) {
            return false;
        }
    }

    /** Ends the session of the update with the statement that would write this version. */
    private void killAt(int version) {
        store.run("""
                CREATE OR REPLACE FUNCTION kill_update() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF NEW.version = %d THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                  RETURN NEW;
                END $$;
                CREATE OR REPLACE TRIGGER version BEFORE UPDATE ON meta FOR EACH ROW EXECUTE FUNCTION kill_update()"""
                .formatted(version));
    }

    /** Makes each chunk of rows of the update slow, and ends its session with the third. */
    private void slowRowsThatKill() {
        store.run("""
                CREATE SEQUENCE chunks;
                CREATE FUNCTION kill_rows() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$ BEGIN
                  IF current_setting('application_name') LIKE 'orderly update%' THEN
                    PERFORM pg_sleep(0.2);
                    IF nextval('chunks') = 3 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                  END IF;
                  RETURN NULL;
                END $$;
                CREATE TRIGGER rows BEFORE UPDATE ON job FOR EACH STATEMENT EXECUTE FUNCTION kill_rows()""");
    }
}
