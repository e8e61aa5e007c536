package dev.orderly.testkit.contract.copy;

import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopyPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A store whose nodes have been silent for long enough, although a test has just used it. */
public class StoppedStore implements CopyPort {
    private final CopyPort store;

    public StoppedStore(CopyPort store) {
        this.store = store;
    }

    @Override
    public Set<CopyKind> kinds() {
        return store.kinds();
    }

    @Override
    public Optional<Identity> identity() {
        return store.identity();
    }

    @Override
    public List<String> liveNodes() {
        return List.of();
    }

    @Override
    public Page read(CopyKind kind, String after, int limit, Instant moment) {
        return store.read(kind, after, limit, moment);
    }

    @Override
    public void begin(Optional<Identity> identity, String mark) {
        store.begin(identity, mark);
    }

    @Override
    public void write(Batch batch) {
        store.write(batch);
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
