package dev.orderly.testkit.search;

import dev.orderly.Store;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.search.JobFinderContract;
import dev.orderly.time.Time;

class MemoryJobFinderTest extends JobFinderContract {
    @Override
    protected Store open(Time clock) {
        return new MemoryStore(clock);
    }
}
