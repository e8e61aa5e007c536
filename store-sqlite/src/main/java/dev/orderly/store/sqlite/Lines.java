package dev.orderly.store.sqlite;

import dev.orderly.job.QueueName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All queues by name and number. The writer adds; views look in. */
final class Lines {
    private final Tables tables;
    private final Running running;
    private final Map<QueueName, Line> byName = new ConcurrentHashMap<>();
    private final Map<Integer, Line> byId = new ConcurrentHashMap<>();
    private final List<Line> uncommitted = new ArrayList<>();
    private int lastId;

    Lines(Tables tables, Running running) {
        this.tables = tables;
        this.running = running;
    }

    /** Reads the queues; their lines stand empty until {@link Line#restore}. */
    void restore() throws SQLException {
        for (QueueTable.Row row : tables.queues.all()) {
            Line line = add(new Line.Identity(row.id(), new QueueName(row.name()), row.paused()));
            line.identity().halts = row.halts();
        }
    }

    @Nullable
    Line find(QueueName name) {
        return byName.get(name);
    }

    /** The line that a row of a job names. */
    Line get(int id) {
        Line line = byId.get(id);
        if (line == null) {
            throw new IllegalStateException("A job is of queue number " + id + ", which is not in table queue");
        }
        return line;
    }

    /** The line of a queue, made in the transaction under way if need be. */
    Line of(QueueName name) throws SQLException {
        Line line = byName.get(name);
        if (line == null) {
            tables.queues.insert(lastId + 1, name.value());
            line = add(new Line.Identity(lastId + 1, name, false));
            uncommitted.add(line);
        }
        return line;
    }

    Collection<Line> all() {
        return byName.values();
    }

    void committed() {
        uncommitted.clear();
    }

    void rolledBack() {
        for (Line line : uncommitted) {
            byName.remove(line.name());
            byId.remove(line.identity().id);
        }
        uncommitted.clear();
    }

    private Line add(Line.Identity identity) {
        Line line = identity.name.isFifo()
                ? new GroupLine(identity, tables.jobs, tables.queues::groups)
                : new StandardLine(identity, tables.jobs, running);
        byName.put(identity.name, line);
        byId.put(identity.id, line);
        lastId = Math.max(lastId, identity.id);
        return line;
    }
}
