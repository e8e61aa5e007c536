package dev.orderly.testkit.contract.copy;

import dev.orderly.store.copy.CopyPort;
import java.util.Optional;

/** A store whose nodes have been silent for long enough, although a test has just used it. */
public class StoppedStore extends StoppedSource implements CopyPort {
    private final CopyPort store;

    public StoppedStore(CopyPort store) {
        super(store);
        this.store = store;
    }

    @Override
    public void begin(Optional<Identity> identity, String mark) {
        store.begin(identity, mark);
    }

    @Override
    public void write(Chunk chunk) {
        store.write(chunk);
    }

    @Override
    public Optional<String> mark() {
        return store.mark();
    }

    @Override
    public void finish() {
        store.finish();
    }
}
