package dev.orderly.store.sqlite.state;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.state.RoomStateMachine;
import dev.orderly.room.state.RoomStateMachine.Delta;
import dev.orderly.room.state.RoomStateMachine.Snapshot;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.store.sqlite.table.RoomTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The state machines of all rooms. A request changes its machine while the transaction is written, and the delta of the
 * machine is written once, in the same transaction. After a rollback, changed machines are discarded and read from the
 * file at the next access: presence and limits are unknown then until gates report again.
 */
public final class RoomRegistry {
    private Connection connection;
    private RoomTable table;
    private Map<RoomName, Integer> ids;
    private final Set<RoomName> newIds = new HashSet<>();
    private final Map<RoomName, RoomStateMachine> machines = new HashMap<>();
    private final Map<RoomName, RoomRetention> sweeps = new HashMap<>();
    /** Rooms used since the last commit or rollback, and the subset whose deltas are in the transaction. */
    private final Set<RoomName> touched = new HashSet<>();
    private final Set<RoomName> written = new HashSet<>();
    private int lastId;
    private volatile Instant latest = Instant.EPOCH;

    /** Reads all rooms. */
    RoomRegistry(Connection connection, RoomTable table) throws SQLException {
        this.connection = connection;
        this.table = table;
        ids = table.all();
        lastId = ids.isEmpty() ? 0 : Collections.max(ids.values());
        for (Map.Entry<RoomName, Integer> each : ids.entrySet()) {
            Snapshot snapshot = table.read(each.getValue());
            machines.put(each.getKey(), new RoomStateMachine(snapshot));
            observe(snapshot.room().at());
        }
    }

    /**
     * Continues with another connection. Machines whose changes may not be stored are read again at the next access.
     */
    void reopen(Connection newConnection, RoomTable newTable) throws SQLException {
        rolledBack();
        connection = newConnection;
        table = newTable;
        ids = table.all();
        lastId = ids.isEmpty() ? 0 : Collections.max(ids.values());
    }

    public void observe(Instant now) {
        if (now.isAfter(latest)) {
            latest = now;
        }
    }

    /** The latest moment of any call, in this process or before. */
    public Instant latest() {
        return latest;
    }

    /** Failure to read a room from the file during a call. */
    public static final class ReadFailureException extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final SQLException reason;

        ReadFailureException(SQLException reason) {
            super(reason);
            this.reason = reason;
        }

        public SQLException reason() {
            return reason;
        }
    }

    /** The machine of a room; a new one if the room does not exist. */
    public RoomStateMachine of(RoomName room) {
        touched.add(room);
        return machines.computeIfAbsent(room, this::read);
    }

    private RoomStateMachine read(RoomName room) {
        Integer id = ids.get(room);
        if (id == null) {
            return new RoomStateMachine(room);
        }
        try {
            return new RoomStateMachine(table.read(id));
        } catch (SQLException e) {
            throw new ReadFailureException(e);
        }
    }

    /** All rooms that exist, by name. */
    public List<RoomState> states(Instant now) {
        Set<RoomName> names = new TreeSet<>(ids.keySet());
        names.addAll(machines.keySet());
        return names.stream().map(room -> of(room).state(now)).toList();
    }

    /** A governor's step, with a step of pruning. */
    public Optional<RoomState> governAndPrune(RoomName room, GovernorStep step, Instant now) throws SQLException {
        Optional<RoomState> state = of(room).govern(step, now);
        Integer id = ids.get(room);
        if (state.isPresent() && id != null) {
            sweeps.computeIfAbsent(room, _ -> new RoomRetention(id)).step(connection, state.get().epoch(),
                    step.forgetBefore(), now);
        }
        return state;
    }

    /** Writes the deltas of the changed machines. */
    void write() throws SQLException {
        for (RoomName room : touched) {
            RoomStateMachine machine = machines.get(room);
            if (machine != null) {
                write(room, machine);
            }
        }
    }

    private void write(RoomName room, RoomStateMachine machine) throws SQLException {
        Delta delta = machine.drain();
        if (!delta.isEmpty()) {
            written.add(room);
            table.write(id(room), machine.epoch(), delta);
        }
    }

    private int id(RoomName room) {
        return ids.computeIfAbsent(room, name -> {
            newIds.add(name);
            return ++lastId;
        });
    }

    void committed() {
        touched.clear();
        written.clear();
        newIds.clear();
    }

    void rolledBack() {
        for (RoomName room : touched) {
            RoomStateMachine machine = machines.get(room);
            if (machine != null && (written.contains(room) || !machine.drain().isEmpty())) {
                machines.remove(room);
            }
        }
        for (RoomName room : newIds) {
            ids.remove(room);
            sweeps.remove(room);
        }
        committed();
    }
}
