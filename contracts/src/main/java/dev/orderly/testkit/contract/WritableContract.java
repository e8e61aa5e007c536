package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Store;
import dev.orderly.VisitorStore;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.contract.job.JobStoreContract;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every sentence of {@link VisitorStore#checkWritable} as a test: a node's readiness depends on it. A store is tested
 * by a subclass, as with {@link JobStoreContract}.
 */
public abstract class WritableContract {
    private @Nullable Store store;

    /** An empty store. Closed by the contract. */
    protected abstract Store open();

    /** Makes all writes fail from now on, as when a disk is full or a server has become a replica. */
    protected abstract void refuseWrites(Store store);

    /** Ends {@link #refuseWrites}; has no effect otherwise. */
    protected abstract void allowWrites(Store store);

    /** The maximum time for which writes may still fail after {@link #allowWrites}. */
    protected Duration patience() {
        return Duration.ofSeconds(20);
    }

    @BeforeEach
    void begin() {
        store = open();
    }

    @AfterEach
    void end() {
        if (store != null) {
            allowWrites(store);
            store.close();
        }
    }

    private Store store() {
        return Objects.requireNonNull(store, "No test has begun");
    }

    private void refused() {
        assertThatThrownBy(store()::checkWritable).isInstanceOf(StoreException.class);
    }

    @Test
    void aCheckOfAWritableStoreSucceedsAndLeavesNoTrace() {
        for (int check = 0; check < 3; check++) {
            store().checkWritable();
        }
        assertThat(store().rooms().rooms(Time.system().now())).isEmpty();
        assertThat(store().jobViews().queues()).isEmpty();
    }

    @Test
    void everyCheckOfAnUnwritableStoreFails() {
        store().checkWritable();
        refuseWrites(store());
        for (int check = 0; check < 3; check++) {
            refused();
        }
    }

    @Test
    void aCheckSucceedsSoonAfterWritesSucceedAgain() {
        refuseWrites(store());
        refused();
        allowWrites(store());
        Time time = Time.system();
        for (long deadline = time.deadline(patience()); !succeeds() && !time.reached(deadline);) {
            time.park(time.deadline(Duration.ofMillis(50)));
        }
        assertThatCode(store()::checkWritable).doesNotThrowAnyException();
    }

    private boolean succeeds() {
        try {
            store().checkWritable();
            return true;
        } catch (StoreException stillRefused) {
            return false;
        }
    }

    @Test
    void aCheckOfAClosedStoreFails() {
        store().close();
        refused();
    }
}
