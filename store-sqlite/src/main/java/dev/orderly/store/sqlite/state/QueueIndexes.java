package dev.orderly.store.sqlite.state;

import dev.orderly.job.QueueName;
import dev.orderly.store.sqlite.table.QueueTable;
import dev.orderly.store.sqlite.table.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** All queues by name and number. The writer adds; views look in. */
public final class QueueIndexes {
    private final Statements tables;
    private final LockedJobs running;
    private final Map<QueueName, QueueIndex> byName = new ConcurrentHashMap<>();
    private final Map<Integer, QueueIndex> byId = new ConcurrentHashMap<>();
    private final List<QueueIndex> uncommitted = new ArrayList<>();
    private int lastId;

    QueueIndexes(Statements tables, LockedJobs running) {
        this.tables = tables;
        this.running = running;
    }

    /** Reads the queues; their lines stand empty until {@link QueueIndex#restore}. */
    void restore() throws SQLException {
        for (QueueTable.Row row : tables.queues.all()) {
            QueueIndex line = add(new QueueIndex.Identity(row.id(), new QueueName(row.name()), row.paused()));
            line.identity().halts = row.halts();
        }
    }

    @Nullable
    public QueueIndex find(QueueName name) {
        return byName.get(name);
    }

    /** The line that a row of a job names. */
    public QueueIndex get(int id) {
        QueueIndex line = byId.get(id);
        if (line == null) {
            throw new IllegalStateException("A job is of queue number " + id + ", which is not in table queue");
        }
        return line;
    }

    /** The line of a queue, made in the transaction under way if need be. */
    public QueueIndex of(QueueName name) throws SQLException {
        QueueIndex line = byName.get(name);
        if (line == null) {
            tables.queues.insert(lastId + 1, name.value());
            line = add(new QueueIndex.Identity(lastId + 1, name, false));
            uncommitted.add(line);
        }
        return line;
    }

    public Collection<QueueIndex> all() {
        return byName.values();
    }

    void committed() {
        uncommitted.clear();
    }

    void rolledBack() {
        for (QueueIndex line : uncommitted) {
            byName.remove(line.name());
            byId.remove(line.identity().id);
        }
        uncommitted.clear();
    }

    private QueueIndex add(QueueIndex.Identity identity) {
        QueueIndex line = identity.name.isFifo()
                ? new FifoQueueIndex(identity, tables.jobs, tables.queues::groups)
                : new StandardQueueIndex(identity, tables.jobs, running);
        byName.put(identity.name, line);
        byId.put(identity.id, line);
        lastId = Math.max(lastId, identity.id);
        return line;
    }
}
