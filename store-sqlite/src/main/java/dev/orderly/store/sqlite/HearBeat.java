package dev.orderly.store.sqlite;

import dev.orderly.job.Beat;
import dev.orderly.job.JobStore;
import dev.orderly.job.NodeId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** {@link JobStore#beat}. Writes only if the node was declared dead and comes back. */
final class HearBeat extends Request<Beat> {
    private final NodeId node;
    private final List<JobTable.Found> cleared = new ArrayList<>();

    HearBeat(NodeId node) {
        this.node = node;
    }

    @Override
    Kind kind() {
        return Kind.ALONE;
    }

    @Override
    void write(Desk desk) throws SQLException {
        cleared.clear();
        for (long seq : desk.nodes.suspects(node)) {
            JobTable.Found found = desk.tables.jobs.find(seq);
            if (found != null) {
                desk.tables.jobs.clear(seq);
                cleared.add(found);
            }
        }
    }

    @Override
    Beat answer(Desk desk) {
        boolean alive = desk.nodes.beat(node);
        desk.running.cameBack(node);
        for (JobTable.Found job : cleared) {
            Claim claim = desk.running.find(job.place().seq());
            if (claim != null) {
                claim.clear();
            } else if (job.place().state() < JobRow.DEAD) {
                desk.line(job.queue()).reread(job.place());
            }
        }
        return new Beat(alive, desk.running.all().stream().filter(claim -> claim.cancelAsked)
                .filter(claim -> node.equals(claim.node)).map(claim -> desk.id(claim.seq()))
                .collect(Collectors.toSet()));
    }
}
