package dev.orderly.store.sqlite;

import dev.orderly.job.JobId;
import dev.orderly.job.JobStore;
import dev.orderly.job.QueueName;
import dev.orderly.store.sqlite.JobRow.Place;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A step of {@link JobStore#redrive}. */
final class RedriveDead extends Request<Integer> {
    private final QueueName queue;
    private final List<JobId> ids;
    private final int limit;
    private final List<Place> found = new ArrayList<>();

    /** @param ids in push order, empty for all */
    RedriveDead(QueueName queue, List<JobId> ids, int limit) {
        this.queue = queue;
        this.ids = ids;
        this.limit = limit;
    }

    @Override
    Kind kind() {
        return Kind.ALONE;
    }

    @Override
    void write(Desk desk) throws SQLException {
        found.clear();
        Line line = desk.lines.find(queue);
        if (line == null) {
            return;
        }
        int queueId = line.identity().id;
        if (ids.isEmpty()) {
            desk.tables.jobs.dead(queueId, limit, found::add);
        } else {
            find(desk, queueId);
        }
        for (Place place : found) {
            desk.tables.jobs.redrive(place.seq());
        }
    }

    private void find(Desk desk, int queueId) throws SQLException {
        for (JobId id : ids) {
            JobTable.Found job = desk.isOurs(id) ? desk.tables.jobs.find(id.sequence()) : null;
            if (job != null && job.queue() == queueId && job.place().state() >= JobRow.DEAD && found.size() < limit) {
                found.add(job.place());
            }
        }
    }

    @Override
    Integer answer(Desk desk) {
        Line line = desk.lines.find(queue);
        if (line != null) {
            line.identity().oldest.set(0);
            for (Place place : found) {
                line.counts().moved(place.state(), JobRow.WAITING);
                line.redriven(place);
            }
        }
        return found.size();
    }
}
