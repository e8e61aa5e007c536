package dev.orderly.store.sqlite;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStore;
import dev.orderly.store.sqlite.EndedTable.End;
import dev.orderly.store.sqlite.EndedTable.Left;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#cancel}. */
final class CancelJob extends Request<CancelResult> {
    private static final Left REASON = new Left(null, null, "cancelled on request");

    private final JobId id;
    private final Instant now;
    private JobTable.@Nullable Found found;
    private CancelResult result = CancelResult.UNKNOWN;

    CancelJob(JobId id, Instant now) {
        this.id = id;
        this.now = now;
    }

    @Override
    Kind kind() {
        return Kind.ALONE;
    }

    @Override
    void write(Desk desk) throws SQLException {
        found = null;
        result = CancelResult.UNKNOWN;
        if (!desk.isOurs(id)) {
            return;
        }
        long seq = id.sequence();
        if (desk.running.has(seq)) {
            result = CancelResult.SIGNALLED;
            return;
        }
        found = desk.tables.jobs.find(seq);
        if (found != null) {
            desk.tables.ended.insert(
                    new End(seq, EndedTable.CANCELLED, found.tally().attempt(), now.toEpochMilli()), REASON);
            desk.tables.jobs.delete(seq);
            result = CancelResult.CANCELLED;
        } else if (desk.tables.ended.exists(seq)) {
            result = CancelResult.ENDED;
        }
    }

    @Override
    CancelResult answer(Desk desk) {
        Claim claim = desk.running.find(id.sequence());
        if (result == CancelResult.SIGNALLED && claim != null) {
            claim.cancelAsked = true;
        }
        if (found != null) {
            Line line = desk.line(found.queue());
            line.counts().ended(found.place().state());
            if (found.place().state() >= JobRow.DEAD) {
                line.buried(found.place());
            } else {
                line.removed(found.place());
            }
        }
        return result;
    }
}
