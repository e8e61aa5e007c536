package dev.orderly.testkit.contract.copy;

import dev.orderly.store.copy.CopyKind;
import dev.orderly.store.copy.CopySource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A source whose nodes have been silent for long enough, although a test has just used it. */
public class StoppedSource implements CopySource {
    private final CopySource source;

    public StoppedSource(CopySource source) {
        this.source = source;
    }

    @Override
    public Set<CopyKind> kinds() {
        return source.kinds();
    }

    @Override
    public Optional<Identity> identity() {
        return source.identity();
    }

    @Override
    public List<String> liveNodes() {
        return List.of();
    }

    @Override
    public Page read(CopyKind kind, String after, int limit, Instant moment) {
        return source.read(kind, after, limit, moment);
    }
}
