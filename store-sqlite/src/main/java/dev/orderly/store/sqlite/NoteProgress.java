package dev.orderly.store.sqlite;

import dev.orderly.job.JobStore;
import dev.orderly.job.ProgressReport;
import dev.orderly.job.SettleResult;
import java.util.ArrayList;
import java.util.List;

/** {@link JobStore#progress}: kept with the claim, stored when that is settled. */
final class NoteProgress extends Request<List<SettleResult>> {
    private final List<ProgressReport> reports;

    NoteProgress(List<ProgressReport> reports) {
        this.reports = reports;
    }

    @Override
    Kind kind() {
        return Kind.LIGHT;
    }

    @Override
    List<SettleResult> answer(Desk desk) {
        List<SettleResult> results = new ArrayList<>(reports.size());
        for (ProgressReport report : reports) {
            Claim claim = SettleJobs.held(desk, report.node(), report.attempt());
            if (claim != null) {
                claim.progress = report.progress();
            }
            results.add(claim == null ? SettleResult.LEASE_LOST : SettleResult.ACCEPTED);
        }
        return results;
    }
}
