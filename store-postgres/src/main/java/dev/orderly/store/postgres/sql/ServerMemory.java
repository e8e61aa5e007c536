package dev.orderly.store.postgres.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a node remembers of committed rows. It counts for sessions of the {@link ServerRuns run} of the server that it
 * was read from, and is empty again for those of another run, which may lack these rows. Thread-safe, as far as the
 * remembered value is.
 *
 * @param <M> the remembered value
 */
public final class ServerMemory<M> {
    private final ServerRuns runs;
    private final Supplier<M> empty;
    private final AtomicReference<Held<M>> held;

    private record Held<M>(@Nullable String run, M value) {}

    public ServerMemory(ServerRuns runs, Supplier<M> empty) {
        this.runs = runs;
        this.empty = empty;
        held = new AtomicReference<>(new Held<>(null, empty.get()));
    }

    /** What is remembered of the server of this session. */
    public M of(Connection connection) throws SQLException {
        String run = runs.of(connection);
        Held<M> now = held.get();
        if (run.equals(now.run)) {
            return now.value;
        }
        return held.updateAndGet(last -> run.equals(last.run) ? last : new Held<>(run, empty.get())).value;
    }

    /** What is remembered of the server that was asked last, for what does no harm if it is wrong. */
    public M latest() {
        return held.get().value;
    }
}
