package dev.orderly.store.sqlite;

import dev.orderly.job.JobStore;
import dev.orderly.job.QueueName;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#pause}. Answers whether there is such a queue. */
final class PauseQueue extends Request<Boolean> {
    private final QueueName queue;
    private final boolean paused;

    PauseQueue(QueueName queue, boolean paused) {
        this.queue = queue;
        this.paused = paused;
    }

    @Override
    Kind kind() {
        return Kind.ALONE;
    }

    @Override
    void write(Desk desk) throws SQLException {
        Line line = line(desk);
        if (line != null) {
            desk.tables.queues.pause(line.identity().id, paused);
        }
    }

    @Override
    Boolean answer(Desk desk) {
        Line line = desk.lines.find(queue);
        if (line != null) {
            line.identity().paused = paused;
        }
        return line != null;
    }

    /** A queue that was never used can be paused before its first job; to resume it nothing need be stored. */
    private @Nullable Line line(Desk desk) throws SQLException {
        return paused ? desk.lines.of(queue) : desk.lines.find(queue);
    }
}
