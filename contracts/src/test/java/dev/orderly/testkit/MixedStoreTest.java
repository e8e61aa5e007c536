package dev.orderly.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.access.Identity;
import dev.orderly.access.store.AuditAct;
import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditEntry.Outcome;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.AuditStore;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.store.StorePart;
import dev.orderly.store.StorePart.Content;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Jobs in one store; rooms, presence and the bus in another. */
class MixedStoreTest {
    private final MemoryStore jobs = new MemoryStore();
    private final MemoryStore rooms = new MemoryStore();
    private final ManualTime time = new ManualTime();

    @Test
    void eachPartIsInItsOwnStore() {
        Store mixed = Store.of(jobs, rooms);
        assertThat(mixed.jobs()).isSameAs(jobs.jobs());
        assertThat(mixed.jobViews()).isSameAs(jobs.jobViews());
        assertThat(mixed.schedules()).isSameAs(jobs.schedules());
        assertThat(mixed.rooms()).isSameAs(rooms.rooms());
        assertThat(mixed.presence()).isSameAs(rooms.presence());
        assertThat(mixed.bus()).isSameAs(rooms.bus());
        assertThat(mixed.name()).isEqualTo("memory, rooms in memory");
    }

    @Test
    void presenceBusAndClockAreThoseOfTheSharedStore() {
        assertThat(Store.of(new Elsewhere(jobs, Bus.ALONE, 1), new Elsewhere(rooms, rooms.bus(), 2)).clock(time).now())
                .isEqualTo(time.now().plusSeconds(2));
        Store own = Store.of(new Elsewhere(jobs, jobs.bus(), 1), new Elsewhere(rooms, Bus.ALONE, 2));
        assertThat(own.clock(time).now()).isEqualTo(time.now().plusSeconds(1));
        assertThat(own.bus()).isSameAs(jobs.bus());
        assertThat(own.presence()).isSameAs(jobs.presence());
    }

    @Test
    void eachPartIsProbedByItself() {
        FaultyStore away = new FaultyStore(jobs);
        Store mixed = Store.of(away, rooms);
        away.failNext(FaultyStore.Call.CHECK_WRITABLE, FaultyStore.Fault.BEFORE, 1);
        assertThat(mixed.parts()).extracting(StorePart::content).containsExactly(Content.JOBS, Content.ROOMS);
        mixed.parts().getLast().probe().run();
        assertThatThrownBy(mixed.parts().getFirst().probe()::run).isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void whileTheStoreOfJobsIsAwayEntriesOfTheAuditLogWaitInThatOfTheRooms() {
        FaultyStore away = new FaultyStore(jobs);
        AuditStore audit = Store.of(away, rooms).audit();
        AuditAct act = new AuditAct(Time.system().now(), Identity.Kind.LOCAL, "ann", "127.0.0.1", "changeRoom",
                "room sale", "auto");
        away.failNext(FaultyStore.Call.AUDIT_APPEND, FaultyStore.Fault.BEFORE, 2);
        long first = audit.append(act, Outcome.UNKNOWN, null);
        long second = audit.append(act, Outcome.UNKNOWN, null);
        audit.end(first, Outcome.DONE, "hold");
        assertThat(second).isLessThan(first).isNegative();

        away.heal();
        AuditQuery all = AuditQuery.newest(10);
        assertThat(audit.list(all)).isEmpty();
        audit.prune(Instant.EPOCH, 1_000, 1_000);
        assertThat(audit.list(all)).singleElement().satisfies(entry -> {
            assertThat(entry.act()).isEqualTo(act);
            assertThat(entry.outcome()).isEqualTo(Outcome.DONE);
            assertThat(entry.after()).isEqualTo("hold");
        });
        audit.prune(Instant.EPOCH, 1_000, 1_000);
        assertThat(audit.list(all)).hasSize(1); // the other change may be under way still
        audit.end(second, Outcome.FAILED, "no");
        audit.prune(Instant.EPOCH, 1_000, 1_000);
        assertThat(audit.list(all)).extracting(AuditEntry::outcome).containsExactly(Outcome.FAILED, Outcome.DONE);
    }

    @Test
    void bothStoresAreClosed() {
        Store.of(jobs, rooms).close();
        assertThatThrownBy(() -> jobs.jobViews().queues()).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> rooms.rooms().rooms(time.now())).isInstanceOf(StoreException.Unavailable.class);
    }

    /** A store with the given bus, whose clock is ahead by some seconds. */
    private static final class Elsewhere extends ForwardingStore {
        private final Bus bus;
        private final long ahead;

        Elsewhere(Store store, Bus bus, long ahead) {
            super(store);
            this.bus = bus;
            this.ahead = ahead;
        }

        @Override
        public Bus bus() {
            return bus;
        }

        @Override
        public Time clock(Time own) {
            return Time.aligned(own, () -> own.now().plus(Duration.ofSeconds(ahead)));
        }
    }
}
