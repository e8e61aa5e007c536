package dev.orderly.store.sqlite;

import dev.orderly.room.Governance;
import dev.orderly.room.RoomBook;
import dev.orderly.room.RoomBooks;
import dev.orderly.room.RoomKept;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomUpdates;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The books of all rooms. A book is changed while the transaction is written, and what it drains is written into the
 * same transaction, once for all requests. After a rollback the books that had changed are thrown away and read from the
 * file when they are asked for: who is present, and the limits, are unknown then until they are told again.
 */
final class Rooms extends RoomBooks {
    private Connection connection;
    private RoomTable table;
    private Map<RoomName, Integer> ids;
    private final Set<RoomName> newIds = new HashSet<>();
    private final Map<RoomName, RoomBook> books = new HashMap<>();
    private final Map<RoomName, RoomSweep> sweeps = new HashMap<>();
    /** Used since the last commit or rollback, and of these, those whose changes are in the transaction. */
    private final Set<RoomName> touched = new HashSet<>();
    private final Set<RoomName> written = new HashSet<>();
    private int lastId;
    private volatile Instant latest = Instant.EPOCH;

    /** Reads all rooms. */
    Rooms(Connection connection, RoomTable table) throws SQLException {
        this.connection = connection;
        this.table = table;
        ids = table.all();
        lastId = ids.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        for (Map.Entry<RoomName, Integer> each : ids.entrySet()) {
            RoomKept kept = table.read(each.getValue());
            books.put(each.getKey(), new RoomBook(kept));
            sees(kept.room().at());
        }
    }

    /** Goes on with another connection. Books whose changes are not known to be kept are read again when asked for. */
    void reopen(Connection newConnection, RoomTable newTable) throws SQLException {
        rolledBack();
        connection = newConnection;
        table = newTable;
        ids = table.all();
        lastId = ids.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    void sees(Instant now) {
        if (now.isAfter(latest)) {
            latest = now;
        }
    }

    /** The latest moment a caller named, in this process or before. */
    Instant latest() {
        return latest;
    }

    /** The file could not be read in the middle of a call. */
    static final class Unread extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final SQLException reason;

        Unread(SQLException reason) {
            super(reason);
            this.reason = reason;
        }

        SQLException reason() {
            return reason;
        }
    }

    @Override
    protected RoomBook book(RoomName room) {
        touched.add(room);
        return books.computeIfAbsent(room, this::read);
    }

    private RoomBook read(RoomName room) {
        Integer id = ids.get(room);
        if (id == null) {
            return new RoomBook(room);
        }
        try {
            RoomKept kept = table.read(id);
            return new RoomBook(kept);
        } catch (SQLException e) {
            throw new Unread(e);
        }
    }

    @Override
    protected Collection<RoomBook> all() {
        Set<RoomName> names = new TreeSet<>(ids.keySet());
        names.addAll(books.keySet());
        return names.stream().map(this::book).toList();
    }

    /** A governor's step; some of what need not be kept any more goes with it. */
    Optional<RoomState> governAndForget(Governance step, Instant now) throws SQLException {
        Optional<RoomState> state = govern(step, now);
        Integer id = ids.get(step.room());
        if (state.isPresent() && id != null) {
            sweeps.computeIfAbsent(step.room(), _ -> new RoomSweep(id)).step(connection, state.get().epoch(),
                    step.forgetBefore(), now);
        }
        return state;
    }

    /** Writes what changed in the books. */
    void write() throws SQLException {
        for (RoomName room : touched) {
            RoomBook book = books.get(room);
            if (book != null) {
                write(room, book);
            }
        }
    }

    private void write(RoomName room, RoomBook book) throws SQLException {
        RoomUpdates updates = book.drain();
        if (!updates.isEmpty()) {
            written.add(room);
            table.write(id(room), book.epoch(), updates);
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
            RoomBook book = books.get(room);
            if (book != null && (written.contains(room) || !book.drain().isEmpty())) {
                books.remove(room);
            }
        }
        for (RoomName room : newIds) {
            ids.remove(room);
            sweeps.remove(room);
        }
        committed();
    }
}
