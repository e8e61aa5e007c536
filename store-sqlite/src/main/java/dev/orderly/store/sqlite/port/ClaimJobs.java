package dev.orderly.store.sqlite.port;

import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Budget;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.store.sqlite.state.FifoQueueIndex;
import dev.orderly.store.sqlite.state.LockedJob;
import dev.orderly.store.sqlite.state.QueueIndex;
import dev.orderly.store.sqlite.state.WriterState;
import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.writer.WriteRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#claim}. Writes nothing. */
public final class ClaimJobs implements QueueIndex.Taker {
    private final WriterState desk;
    private final ClaimRequest asked;
    private final Instant now;
    private final Budget budget;
    private final List<ClaimedJob> jobs = new ArrayList<>();
    private final Set<QueueName> paused = new HashSet<>();
    private boolean full;

    private ClaimJobs(WriterState desk, ClaimRequest asked, Instant now) {
        this.desk = desk;
        this.asked = asked;
        this.now = now;
        this.budget = asked.budget();
    }

    /** An answer that no caller waits for is taken back: its jobs wait again as if nothing had been. */
    public static WriteRequest<ClaimedJobs> request(ClaimRequest asked, Instant now) {
        return WriteRequest.inMemory(desk -> new ClaimJobs(desk, asked, now).claim(),
                (desk, claims) -> putBack(desk, claims.jobs()));
    }

    private ClaimedJobs claim() throws SQLException {
        boolean alive = desk.nodes.isAlive(asked.node());
        long nextDue = Long.MAX_VALUE;
        try {
            for (ClaimRequest.Demand want : asked.wants()) {
                QueueIndex line = desk.lines.find(want.queue());
                if (line != null) {
                    if (line.identity().paused) {
                        paused.add(want.queue());
                    }
                    nextDue = Math.min(nextDue, serve(line, alive ? want.limit() : 0));
                }
            }
        } catch (SQLException | RuntimeException e) {
            putBack(desk, jobs);
            throw e;
        }
        return new ClaimedJobs(jobs, nextDue == Long.MAX_VALUE ? null : Instant.ofEpochMilli(nextDue), paused);
    }

    private long serve(QueueIndex line, int lines) throws SQLException {
        if (line.identity().paused || lines == 0) {
            // Whatever comes due, nothing is handed out: there is no moment worth asking at.
            return Long.MAX_VALUE;
        }
        long millis = now.toEpochMilli();
        full = false;
        line.take(lines, millis, this);
        return line.nextDue(millis);
    }

    @Override
    public @Nullable LockedJob take(QueueIndex line, StoredJob row) {
        full = !budget.take(row.payload());
        if (full) {
            return null;
        }
        LockedJob claim = desk.running.enter(line, row, asked.node());
        line.counts().running.incrementAndGet();
        String group = line instanceof FifoQueueIndex ? (String) row.place().lane() : null;
        jobs.add(new ClaimedJob(new AttemptId(desk.ids.of(row.seq()), line.name(), claim.attempt()),
                row.tally().failures(), row.tally().crashes(), group, row.seq(), row.payload(), row.params(),
                row.user()));
        return claim;
    }

    @Override
    public boolean isFull() {
        return full;
    }

    private static void putBack(WriterState desk, List<ClaimedJob> jobs) {
        for (ClaimedJob job : jobs.reversed()) {
            LockedJob claim = desk.running.find(job.sequence());
            if (claim != null) {
                desk.running.leave(claim);
                claim.line.counts().running.decrementAndGet();
                claim.line.again(claim, claim.place);
            }
        }
    }
}
