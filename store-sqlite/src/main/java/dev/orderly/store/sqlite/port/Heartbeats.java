package dev.orderly.store.sqlite.port;

import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.NodeId;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** {@link JobStore#beat}. Writes only if the node was declared dead and comes back. */
public final class Heartbeats {
    private Heartbeats() {}

    public static WriteRequest<Heartbeat> beat(NodeId node) {
        return WriteRequest.alone(desk -> {
            List<JobTable.Found> cleared = clearCrashes(desk, desk.nodes.suspects(node));
            return () -> {
                boolean alive = desk.nodes.beat(node);
                desk.running.cameBack(node);
                cleared.forEach(job -> cleared(desk, job));
                return new Heartbeat(alive, desk.running.all().stream().filter(claim -> claim.cancelAsked)
                        .filter(claim -> node.equals(claim.node)).map(claim -> desk.ids.of(claim.seq()))
                        .collect(Collectors.toSet()));
            };
        });
    }

    private static List<JobTable.Found> clearCrashes(WriterState desk, Set<Long> suspects) throws SQLException {
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

    private static void cleared(WriterState desk, JobTable.Found job) {
        LockedJob claim = desk.running.find(job.place().seq());
        if (claim != null) {
            claim.clear();
        } else if (job.place().state() < StoredJob.DEAD) {
            desk.line(job.queue()).reread(job.place());
        }
    }
}
