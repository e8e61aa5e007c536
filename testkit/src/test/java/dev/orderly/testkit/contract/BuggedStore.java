package dev.orderly.testkit.contract;

import dev.orderly.testkit.ForwardingStore;
import dev.orderly.testkit.MemoryStore;

/** A memory store of which one port gets one thing wrong. */
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
