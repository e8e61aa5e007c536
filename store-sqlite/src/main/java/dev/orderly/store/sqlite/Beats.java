package dev.orderly.store.sqlite;

import dev.orderly.job.JobStore.Beat;
import dev.orderly.job.JobStore;
import dev.orderly.job.NodeId;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** {@link JobStore#beat}. Writes only if the node was declared dead and comes back. */
final class Beats {
    private Beats() {}

    static Request<Beat> beat(NodeId node) {
        return Request.alone(desk -> {
            List<JobTable.Found> cleared = clearCrashes(desk, desk.nodes.suspects(node));
            return () -> {
                boolean alive = desk.nodes.beat(node);
                desk.running.cameBack(node);
                cleared.forEach(job -> cleared(desk, job));
                return new Beat(alive, desk.running.all().stream().filter(claim -> claim.cancelAsked)
                        .filter(claim -> node.equals(claim.node)).map(claim -> desk.ids.of(claim.seq()))
                        .collect(Collectors.toSet()));
            };
        });
    }

    private static List<JobTable.Found> clearCrashes(Desk desk, Set<Long> suspects) throws SQLException {
        List<JobTable.Found> cleared = new ArrayList<>();
        for (long seq : suspects) {
            JobTable.Found found = desk.tables.jobs.find(seq);
            if (found != null) {
                desk.tables.jobs.clear(seq);
                cleared.add(found);
            }
        }
        return cleared;
    }

    private static void cleared(Desk desk, JobTable.Found job) {
        Claim claim = desk.running.find(job.place().seq());
        if (claim != null) {
            claim.clear();
        } else if (job.place().state() < JobRow.DEAD) {
            desk.line(job.queue()).reread(job.place());
        }
    }
}
