package dev.orderly.store.sqlite.state;

import dev.orderly.job.QueueName;
import dev.orderly.job.limit.LimitTable;
import dev.orderly.store.sqlite.table.SqliteQueueTable;
import dev.orderly.store.sqlite.table.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The indexes of all queues by name and number. The writer adds queues; views read them. */
public final class QueueIndexes {
    private final Statements tables;
    private final SqliteLockedJobs running;
    private final LimitTable limits;
    private final LongSupplier storeTime;
    private final Map<QueueName, QueueIndex> byName = new ConcurrentHashMap<>();
    private final Map<Integer, QueueIndex> byId = new ConcurrentHashMap<>();
    private final List<QueueIndex> uncommitted = new ArrayList<>();
    private int lastId;

    /** @param storeTime the present by the store's clock, in Unix milliseconds */
    QueueIndexes(Statements tables, SqliteLockedJobs running, LimitTable limits, LongSupplier storeTime) {
        this.tables = tables;
        this.limits = limits;
        this.storeTime = storeTime;
        this.running = running;
    }

    /** Reads the queues; their indexes are empty until {@link QueueIndex#restore}. */
    void restore() throws SQLException {
        for (SqliteQueueTable.Row row : tables.queues.all()) {
            QueueIndex index = add(new QueueIndex.Identity(row.id(), new QueueName(row.name()), row.paused()));
            index.identity().halts = row.halts();
            index.identity().forgotten = row.forgotten();
        }
        tables.keySettings.restore((queue, name, settings) -> get(queue).set(name, settings));
    }

    @Nullable
    public QueueIndex find(QueueName name) {
        return byName.get(name);
    }

    /** The index of the queue that a row of a job names. */
    public QueueIndex get(int id) {
        QueueIndex index = byId.get(id);
        if (index == null) {
            throw new IllegalStateException(
                    "A job has queue number " + id + ", which is not in table queue: restore a backup");
        }
        return index;
    }

    /** The index of a queue, created in the transaction under way if it does not exist. */
    public QueueIndex of(QueueName name) throws SQLException {
        QueueIndex index = byName.get(name);
        if (index == null) {
            tables.queues.insert(lastId + 1, name.value());
            index = add(new QueueIndex.Identity(lastId + 1, name, false));
            uncommitted.add(index);
        }
        return index;
    }

    public Collection<QueueIndex> all() {
        return byName.values();
    }

    void committed() {
        uncommitted.clear();
    }

    void rolledBack() {
        for (QueueIndex index : uncommitted) {
            byName.remove(index.name());
            byId.remove(index.identity().id);
        }
        uncommitted.clear();
    }

    private QueueIndex add(QueueIndex.Identity identity) {
        QueueIndex index = identity.name.isFifo()
                ? new FifoQueueIndex(identity, tables.jobs, tables.queues::groups, () -> limits.ofKeys(identity.name),
                        storeTime)
                : new StandardQueueIndex(identity, tables.jobs, running, () -> limits.ofKeys(identity.name), storeTime);
        byName.put(identity.name, index);
        byId.put(identity.id, index);
        lastId = Math.max(lastId, identity.id);
        return index;
    }
}
