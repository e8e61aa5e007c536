package dev.orderly.store.sqlite.port;

import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.JobTable;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** {@link JobStore#beat}. Writes only if the node was declared dead before. */
public final class Heartbeats {
    private Heartbeats() {}

    public static WriteRequest<Heartbeat> beat(NodeId node, Set<QueueName> works) {
        return WriteRequest.alone(state -> {
            List<JobTable.Found> cleared = clearCrashes(state, state.nodes.suspects(node));
            return () -> {
                boolean alive = state.nodes.beat(node, works);
                state.running.cameBack(node);
                cleared.forEach(job -> cleared(state, job));
                return new Heartbeat(alive, state.running.all().stream().filter(locked -> locked.cancelAsked)
                        .filter(locked -> node.equals(locked.node)).map(locked -> state.ids.of(locked.seq()))
                        .collect(Collectors.toSet()),
                        state.queues.all().stream().filter(index -> index.identity().paused).map(QueueIndex::name)
                                .collect(Collectors.toSet()));
            };
        });
    }

    private static List<JobTable.Found> clearCrashes(WriterState state, Map<Long, Boolean> suspects)
            throws SQLException {
        List<JobTable.Found> cleared = new ArrayList<>();
        for (Map.Entry<Long, Boolean> suspect : suspects.entrySet()) {
            JobTable.Found found = state.tables.jobs.find(suspect.getKey());
            if (found != null) {
                state.tables.jobs.clear(suspect.getKey(), suspect.getValue());
                cleared.add(found);
            }
        }
        return cleared;
    }

    private static void cleared(WriterState state, JobTable.Found job) {
        LockedJob locked = state.running.find(job.place().seq());
        if (locked != null) {
            locked.clear();
        } else if (job.place().state() < StoredJob.DEAD) {
            state.index(job.queue()).reread(job.place());
        }
    }
}
