package dev.orderly.store.sqlite;

import dev.orderly.job.Attempt;
import dev.orderly.job.ClaimRequest.Budget;
import dev.orderly.job.ClaimRequest;
import dev.orderly.job.ClaimedJob;
import dev.orderly.job.JobStore.Claims;
import dev.orderly.job.JobStore;
import dev.orderly.job.QueueName;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#claim}. Writes nothing. */
final class ClaimJobs implements Line.Taker {
    private final Desk desk;
    private final ClaimRequest asked;
    private final Instant now;
    private final Budget budget;
    private final List<ClaimedJob> jobs = new ArrayList<>();
    private final Set<QueueName> paused = new HashSet<>();
    private boolean full;

    private ClaimJobs(Desk desk, ClaimRequest asked, Instant now) {
        this.desk = desk;
        this.asked = asked;
        this.now = now;
        this.budget = asked.budget();
    }

    /** An answer that no caller waits for is taken back: its jobs wait again as if nothing had been. */
    static Request<Claims> request(ClaimRequest asked, Instant now) {
        return Request.inMemory(desk -> new ClaimJobs(desk, asked, now).claim(),
                (desk, claims) -> putBack(desk, claims.jobs()));
    }

    private Claims claim() throws SQLException {
        boolean alive = desk.nodes.isAlive(asked.node());
        long nextDue = Long.MAX_VALUE;
        try {
            for (ClaimRequest.Want want : asked.wants()) {
                Line line = desk.lines.find(want.queue());
                if (line != null) {
                    if (line.identity().paused) {
                        paused.add(want.queue());
                    }
                    nextDue = Math.min(nextDue, serve(line, alive ? want.lines() : 0));
                }
            }
        } catch (SQLException | RuntimeException e) {
            putBack(desk, jobs);
            throw e;
        }
        return new Claims(jobs, nextDue == Long.MAX_VALUE ? null : Instant.ofEpochMilli(nextDue), paused);
    }

    private long serve(Line line, int lines) throws SQLException {
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
    public @Nullable Claim take(Line line, JobRow row) {
        full = !budget.take(row.payload());
        if (full) {
            return null;
        }
        Claim claim = desk.running.enter(line, row, asked.node());
        line.counts().running.incrementAndGet();
        String group = line instanceof GroupLine ? (String) row.place().lane() : null;
        jobs.add(new ClaimedJob(new Attempt(desk.ids.of(row.seq()), line.name(), claim.attempt()),
                row.tally().failures(), row.tally().crashes(), group, row.seq(), row.payload(), row.params(),
                row.user()));
        return claim;
    }

    @Override
    public boolean isFull() {
        return full;
    }

    private static void putBack(Desk desk, List<ClaimedJob> jobs) {
        for (ClaimedJob job : jobs.reversed()) {
            Claim claim = desk.running.find(job.sequence());
            if (claim != null) {
                desk.running.leave(claim);
                claim.line.counts().running.decrementAndGet();
                claim.line.again(claim, claim.place);
            }
        }
    }
}
