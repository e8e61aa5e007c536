package dev.orderly.store.sqlite;

import dev.orderly.job.Attempt;
import dev.orderly.job.Ending;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStore;
import dev.orderly.job.NodeId;
import dev.orderly.job.Settlement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** {@link JobStore#release}: a settle of all that a node holds, which only the writer knows. */
final class ReleaseJobs extends Request<Integer> {
    private final NodeId node;
    private final Set<JobId> except;
    private final Instant now;
    private SettleJobs settle;

    ReleaseJobs(NodeId node, Set<JobId> except, Instant now) {
        this.node = node;
        this.except = except;
        this.now = now;
        settle = new SettleJobs(List.of(), now);
    }

    @Override
    Kind kind() {
        return Kind.ALONE;
    }

    @Override
    void write(Desk desk) throws SQLException {
        settle = new SettleJobs(desk.running.all().stream().filter(claim -> node.equals(claim.node))
                .map(claim -> new Attempt(desk.id(claim.seq()), claim.line.name(), claim.attempt()))
                .filter(attempt -> !except.contains(attempt.id()))
                .map(attempt -> new Settlement(node, attempt, new Ending.GiveBack())).toList(), now);
        settle.write(desk);
    }

    @Override
    Integer answer(Desk desk) {
        return settle.answer(desk).size();
    }
}
