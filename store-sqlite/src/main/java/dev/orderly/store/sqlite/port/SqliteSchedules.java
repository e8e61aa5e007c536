package dev.orderly.store.sqlite.port;

import dev.orderly.job.NodeId;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.NewJob;
import dev.orderly.schedule.ForgetScheduleResult;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sqlite.file.ReaderPool;
import dev.orderly.store.sqlite.state.NodeRegistry;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.ScheduleTable;
import dev.orderly.store.sqlite.writer.RequestQueue;
import dev.orderly.store.sqlite.writer.WriteRequest;
import dev.orderly.time.StoredTime;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * The port of schedules: changes are requests to the writer, the list is read on a read-only connection. Instants of
 * schedules are moments of the clock; only the jobs that they push use stored time.
 */
public final class SqliteSchedules implements ScheduleStore {
    private final RequestQueue requests;
    private final ReaderPool readers;
    private final DatabaseJobIds ids;
    private final StoredTime time;
    private final NodeRegistry nodes;
    /** The nodes whose declarations count; those of an earlier process are gone. Changed by the writer. */
    private final ConcurrentMap<ScheduleName, NodeId> declarers = new ConcurrentHashMap<>();

    public SqliteSchedules(RequestQueue requests, ReaderPool readers, WriterState state) {
        this.requests = requests;
        this.readers = readers;
        this.ids = state.ids;
        this.time = state.time;
        this.nodes = state.nodes;
    }

    @Override
    public ScheduleState declare(ScheduleName name, Declared<String> timing, Instant now) {
        return requests.ask(WriteRequest.shared(1, state -> {
            ScheduleState before = state.tables.schedules.find(name, ids);
            boolean replaces = timing.replaces(declarers.get(name), nodes::isKnown);
            ScheduleState after = before == null
                    ? ScheduleState.first(name, timing.value(), now)
                    : before.declared(timing.value(), replaces, now);
            if (!after.equals(before)) {
                state.tables.schedules.write(after);
            }
            return () -> {
                if (replaces) {
                    declarers.put(name, timing.node());
                }
                return after;
            };
        }));
    }

    @Override
    public void withdraw(NodeId node) {
        declarers.values().removeIf(node::equals);
    }

    @Override
    public void withdraw(NodeId node, ScheduleName name) {
        declarers.remove(name, node);
    }

    @Override
    public List<ScheduleName> undeclared() {
        return states().stream().map(ScheduleState::name).filter(name -> {
            NodeId declarer = declarers.get(name);
            return declarer == null || !nodes.isKnown(declarer);
        }).toList();
    }

    @Override
    public Optional<ScheduleState> take(ScheduleState seen, ScheduleStep step, Instant now) {
        return requests.ask(WriteRequest.shared(1, state -> take(state, seen, step, now)));
    }

    /** Takes a step of a schedule and stores its push in the same transaction. */
    private Supplier<Optional<ScheduleState>> take(WriterState state, ScheduleState seen, ScheduleStep step,
            Instant now)
            throws SQLException {
        ScheduleState before = state.tables.schedules.find(seen.name(), ids);
        if (before == null || !before.allows(seen, step)) {
            return Optional::empty;
        }
        SqlitePushes push = new SqlitePushes(state, time.stored(now));
        NewJob job = step.job();
        ScheduleState after = before.after(step, job == null ? null : push.write(job).id(), now);
        state.tables.schedules.write(after);
        return () -> {
            push.committed();
            return Optional.of(after);
        };
    }

    @Override
    public ForgetScheduleResult forget(ScheduleName name) {
        // alone, since a declaration of the same transaction is not among the declarers yet
        return requests.ask(WriteRequest.alone(state -> {
            NodeId declarer = declarers.get(name);
            if (state.tables.schedules.find(name, ids) == null) {
                return () -> new ForgetScheduleResult.Unknown(name);
            }
            if (declarer != null && nodes.isKnown(declarer)) {
                return () -> new ForgetScheduleResult.StillDeclared(name, declarer);
            }
            state.tables.schedules.delete(name);
            return () -> {
                declarers.remove(name);
                return new ForgetScheduleResult.Forgotten(name);
            };
        }));
    }

    @Override
    public List<ScheduleState> states() {
        return readers.read(connection -> ScheduleTable.all(connection, ids));
    }
}
