package dev.orderly.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.history.HistoryStore;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.NewJob;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultyStoreTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final NewJob JOB = new NewJob(MAIL, null, Priority.NORMAL, null, Payload.text("a"), Map.of(), null,
            null, null);

    private final FaultyStore store = new FaultyStore(new MemoryStore());

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aFaultBeforeTheWorkLeavesNothingDone() {
        store.failNext(Call.PUSH, Fault.BEFORE, 1);
        assertThatThrownBy(this::push).isInstanceOf(StoreException.Unavailable.class);
        assertThat(pushed()).isZero();
    }

    @Test
    void aFaultAfterTheWorkLeavesItDone() {
        store.failNext(Call.PUSH, Fault.AFTER, 1);
        assertThatThrownBy(this::push).isInstanceOf(StoreException.OutcomeUnknown.class);
        assertThat(pushed()).isEqualTo(1);
    }

    @Test
    void theOrderedNumberOfCallsOfTheMethodFail() {
        store.failNext(Call.PUSH, Fault.BEFORE, 2);
        assertThat(pushed()).isZero();
        assertThatThrownBy(this::push).isInstanceOf(StoreException.class);
        assertThatThrownBy(this::push).isInstanceOf(StoreException.class);
        push();
        assertThat(pushed()).isEqualTo(1);
    }

    @Test
    void theSameSeedGivesTheSameFaults() {
        List<Boolean> first = outcomes(5, 0.5);
        assertThat(first).contains(true, false);
        assertThat(outcomes(5, 0.5)).isEqualTo(first);
        assertThat(outcomes(6, 0.5)).isNotEqualTo(first);
        assertThat(outcomes(7, 0)).doesNotContain(false);
        assertThat(outcomes(7, 1)).doesNotContain(true);
    }

    @Test
    void aHealedStoreDoesNotFail() {
        store.failNext(Call.PUSH, Fault.AFTER, 5);
        store.failRandomly(1, 1);
        store.heal();
        push();
        assertThat(pushed()).isEqualTo(1);
    }

    @Test
    void everyMethodOfAPortCanFail() {
        assertThat(Stream.of(JobStore.class, BatchStore.class, JobViews.class, RoomStore.class, ScheduleStore.class,
                CredentialStore.class, AuditStore.class, OnlineUserStore.class, KeyValueStore.class, HistoryStore.class)
                .flatMap(port -> Stream.of(port.getMethods()).filter(method -> Call.of(port, method) == null))
                .filter(method -> !Modifier.isStatic(method.getModifiers())).map(Method::getName))
                .containsOnly("isShared", "batches", "in");
    }

    @Test
    void aMethodOfEachPortFails() {
        store.failRandomly(1, 1);
        assertThatThrownBy(() -> store.jobViews().queues()).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.jobs().batches().finish(NOW)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.rooms().rooms(NOW)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.schedules().states()).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.credentials().read()).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.keyValues().read("key", NOW)).isInstanceOf(StoreException.class);
        assertThatThrownBy(store::checkWritable).isInstanceOf(StoreException.class);
    }

    @Test
    void aProbabilityOutsideItsRangeIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> store.failRandomly(1, 1.5)).withMessageContaining("1.5");
    }

    private List<Boolean> outcomes(long seed, double probability) {
        store.failRandomly(seed, probability);
        List<Boolean> outcomes = new ArrayList<>();
        for (int n = 0; n < 50; n++) {
            outcomes.add(succeeds());
        }
        store.heal();
        return outcomes;
    }

    private boolean succeeds() {
        try {
            push();
            return true;
        } catch (StoreException.Unavailable | StoreException.OutcomeUnknown e) {
            return false;
        }
    }

    private void push() {
        assertThat(store.jobs().push(List.of(JOB), NOW)).hasSize(1);
    }

    private int pushed() {
        return store.jobViews().list(MAIL, JobState.WAITING, null, 1_000).size();
    }
}
