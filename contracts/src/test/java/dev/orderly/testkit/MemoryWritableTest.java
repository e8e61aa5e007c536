package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.contract.WritableContract;

/** Memory takes every write, so faults are injected. */
class MemoryWritableTest extends WritableContract {
    @Override
    protected Store open() {
        return new FaultyStore(new MemoryStore());
    }

    @Override
    protected void refuseWrites(Store store) {
        ((FaultyStore) store).failNext(Call.CHECK_WRITABLE, Fault.BEFORE, 1_000);
    }

    @Override
    protected void allowWrites(Store store) {
        ((FaultyStore) store).heal();
    }
}
