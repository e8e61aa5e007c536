package dev.orderly.store.sqlite;

import dev.orderly.job.Attempt;
import dev.orderly.job.ClaimBudget;
import dev.orderly.job.ClaimRequest;
import dev.orderly.job.ClaimedJob;
import dev.orderly.job.Claims;
import dev.orderly.job.JobStore;
import dev.orderly.job.QueueName;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link JobStore#claim}. */
final class ClaimJobs extends Request<Claims> {
    private final ClaimRequest asked;
    private final Instant now;
    private final ClaimBudget budget;
    private final List<Claim> taken = new ArrayList<>();
    private final List<ClaimedJob> jobs = new ArrayList<>();
    private final Set<QueueName> paused = new HashSet<>();

    ClaimJobs(ClaimRequest asked, Instant now) {
        this.asked = asked;
        this.now = now;
        this.budget = asked.budget();
    }

    @Override
    Kind kind() {
        return Kind.LIGHT;
    }

    @Override
    Claims answer(Desk desk) throws SQLException {
        boolean alive = desk.nodes.isAlive(asked.node());
        long nextDue = Long.MAX_VALUE;
        try {
            for (ClaimRequest.Want want : asked.wants()) {
                Line line = desk.lines.find(want.queue());
                if (line != null) {
                    if (line.identity().paused) {
                        paused.add(want.queue());
                    }
                    nextDue = Math.min(nextDue, serve(desk, line, alive ? want.lines() : 0));
                }
            }
        } catch (SQLException | RuntimeException e) {
            putBack(desk);
            throw e;
        }
        return new Claims(jobs, nextDue == Long.MAX_VALUE ? null : Instant.ofEpochMilli(nextDue), paused);
    }

    private long serve(Desk desk, Line line, int lines) throws SQLException {
        if (line.identity().paused || lines == 0) {
            // Whatever comes due, nothing is handed out: there is no moment worth asking at.
            return Long.MAX_VALUE;
        }
        long millis = now.toEpochMilli();
        line.take(lines, millis, new WithinBudget(desk, line));
        return line.nextDue(millis);
    }

    private final class WithinBudget implements Line.Taker {
        private final Desk desk;
        private final Line line;
        private boolean full;

        WithinBudget(Desk desk, Line line) {
            this.desk = desk;
            this.line = line;
        }

        @Override
        public @Nullable Claim take(JobRow row) {
            full = !budget.take(row.payload());
            return full ? null : claimed(desk, line, row);
        }

        @Override
        public boolean isFull() {
            return full;
        }
    }

    private Claim claimed(Desk desk, Line line, JobRow row) {
        Claim claim = desk.running.enter(line, row, asked.node());
        line.counts().running.incrementAndGet();
        taken.add(claim);
        String group = line instanceof GroupLine ? (String) row.place().lane() : null;
        jobs.add(new ClaimedJob(new Attempt(desk.id(row.seq()), line.name(), claim.attempt()),
                row.tally().failures(), row.tally().crashes(), group, row.seq(), row.payload(), row.params(),
                row.user()));
        return claim;
    }

    /** The node never hears of these jobs: they wait again as if nothing had been. */
    @Override
    void untaken(Desk desk, Claims unheard) {
        putBack(desk);
    }

    private void putBack(Desk desk) {
        for (Claim claim : taken.reversed()) {
            desk.running.leave(claim);
            claim.line.counts().running.decrementAndGet();
            claim.line.again(claim, claim.place);
        }
        taken.clear();
    }
}
