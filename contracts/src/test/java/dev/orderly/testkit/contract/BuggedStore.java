package dev.orderly.testkit.contract;

import dev.orderly.ForwardingStore;
import dev.orderly.testkit.MemoryStore;

/** A memory store with a planted bug in one port. */
abstract class BuggedStore extends ForwardingStore {
    final MemoryStore store;
    private final Enum<?> planted;

    BuggedStore(MemoryStore store, Enum<?> planted) {
        super(store);
        this.store = store;
        this.planted = planted;
    }

    @Override
    public String name() {
        return super.name() + ", " + planted;
    }
}
