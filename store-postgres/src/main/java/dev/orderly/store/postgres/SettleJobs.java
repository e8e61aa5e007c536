package dev.orderly.store.postgres;

import dev.orderly.job.Attempt;
import dev.orderly.job.Ending;
import dev.orderly.job.JobId;
import dev.orderly.job.JobStore.ProgressReport;
import dev.orderly.job.JobStore.SettleResult;
import dev.orderly.job.NodeId;
import dev.orderly.job.Settlement;
import dev.orderly.store.sql.JobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes what nodes report about the jobs they hold. */
final class SettleJobs {
    private final JobIds ids;

    SettleJobs(JobIds ids) {
        this.ids = ids;
    }

    /**
     * Those of standard queues that are simply done go in one statement, after the others; unless a job is named twice,
     * when the first report counts. Without patience each is looked at, and what is held stays out.
     */
    List<SettleResult> settle(Connection connection, List<Settlement> settlements, Instant now, Patience patience)
            throws SQLException {
        if (patience == Patience.NONE
                || settlements.stream().map(one -> one.attempt().id()).distinct().count() < settlements.size()) {
            return settleCarefully(connection, settlements, now, patience);
        }
        Map<Boolean, List<Settlement>> byCare = settlements.stream().collect(Collectors.partitioningBy(this::isSimple));
        List<Settlement> careful = Objects.requireNonNull(byCare.get(false));
        List<Settlement> simple = Objects.requireNonNull(byCare.get(true));
        Iterator<SettleResult> others = settleCarefully(connection, careful, now, patience).iterator();
        Set<Attempt> done = DoneJobs.write(connection, simple, now, patience);
        List<SettleResult> results = new ArrayList<>();
        for (Settlement one : settlements) {
            if (isSimple(one)) {
                results.add(done.contains(one.attempt()) ? SettleResult.ACCEPTED : SettleResult.LEASE_LOST);
            } else {
                results.add(others.next());
            }
        }
        return results;
    }

    private boolean isSimple(Settlement one) {
        return one.ending() instanceof Ending.Done && !one.attempt().queue().isFifo() && ids.isOwn(one.attempt().id());
    }

    private List<SettleResult> settleCarefully(Connection connection, List<Settlement> settlements, Instant now,
            Patience patience) throws SQLException {
        if (settlements.isEmpty()) {
            return List.of();
        }
        Held held = Held.lock(connection,
                numbers(settlements.stream().map(one -> one.attempt().id()).toList()),
                settlements.stream().anyMatch(one -> one.attempt().queue().isFifo()), patience);
        Changes changes = new Changes(now);
        List<SettleResult> results = new ArrayList<>();
        for (Settlement one : settlements) {
            Held.Row row = held(held, one.node(), one.attempt());
            if (row != null) {
                end(held, changes, row, one.ending());
            }
            results.add(result(held, row, one.attempt()));
        }
        changes.write(connection, held, now);
        return results;
    }

    /** Gives back what a node holds besides the jobs named. */
    int release(Connection connection, NodeId node, Set<JobId> except, Instant now, Patience patience)
            throws SQLException {
        Set<Long> kept = new HashSet<>(numbers(except));
        List<Long> over = new ArrayList<>(new Sql(connection, """
                SELECT held.seq FROM node
                  CROSS JOIN LATERAL (SELECT seq FROM job WHERE job.node = node.id AND job.state = 2 OFFSET 0) AS held
                WHERE node.name = ? AND NOT node.dead""").with(node.value()).list(row -> row.getLong(1)));
        over.removeAll(kept);
        if (over.isEmpty()) {
            return 0;
        }
        Held held = Held.lock(connection, over, true, patience);
        Changes changes = new Changes(now);
        int released = 0;
        for (long seq : over) {
            Held.Row row = held.find(seq);
            if (row != null && isWith(row, node)) {
                end(held, changes, row, new Ending.GiveBack());
                released++;
            }
        }
        changes.write(connection, held, now);
        return released;
    }

    List<SettleResult> progress(Connection connection, List<ProgressReport> reports) throws SQLException {
        Held held = Held.lock(connection,
                numbers(reports.stream().map(one -> one.attempt().id()).toList()), false, Patience.NONE);
        List<SettleResult> results = new ArrayList<>();
        List<Long> seqs = new ArrayList<>();
        List<@Nullable String> texts = new ArrayList<>();
        for (ProgressReport one : reports.reversed()) {
            Held.Row row = held(held, one.node(), one.attempt());
            // The last report of a job counts, and comes first here.
            if (row != null && !seqs.contains(row.seq())) {
                seqs.add(row.seq());
                texts.add(Columns.progress(one.progress()));
            }
            results.add(result(held, row, one.attempt()));
        }
        if (!seqs.isEmpty()) {
            new Sql(connection, """
                    UPDATE job SET progress = report.text FROM unnest(?, ?) AS report(seq, text)
                    WHERE job.seq = report.seq""").longs(seqs).texts(texts).update();
        }
        return results.reversed();
    }

    private static void end(Held held, Changes changes, Held.Row row, Ending ending) {
        long seq = row.seq();
        boolean goesOn = switch (ending) {
            case Ending.Done done -> {
                changes.done(seq, done.result());
                yield true;
            }
            case Ending.Cancelled cancelled -> {
                changes.cancelled(seq, cancelled.reason());
                yield true;
            }
            case Ending.Retry retry -> {
                changes.retry(seq, retry.at(), retry.failure());
                yield false;
            }
            case Ending.Snooze snooze -> {
                changes.putBack(seq, snooze.at());
                yield false;
            }
            case Ending.GiveBack _ -> {
                changes.putBack(seq, null);
                yield false;
            }
            case Ending.Dead dead -> {
                boolean halts = dead.halt() && row.lane() != null;
                changes.dead(seq, dead.failure(), halts, false);
                yield !halts;
            }
        };
        held.letGo(row, goesOn);
    }

    /** The fence: the job if this attempt is its newest and this node, in this life, holds it. */
    private Held.@Nullable Row held(Held held, NodeId node, Attempt attempt) {
        Held.Row row = ids.isOwn(attempt.id()) ? held.find(attempt.id().sequence()) : null;
        return row != null && row.attempt() == attempt.number() && isWith(row, node) ? row : null;
    }

    private SettleResult result(Held held, Held.@Nullable Row row, Attempt attempt) {
        if (row != null) {
            return SettleResult.ACCEPTED;
        }
        boolean blocked = ids.isOwn(attempt.id()) && held.isBlocked(attempt.id().sequence());
        return blocked ? SettleResult.BLOCKED : SettleResult.LEASE_LOST;
    }

    private static boolean isWith(Held.Row row, NodeId node) {
        return !row.nodeDead() && Objects.equals(row.node(), node.value());
    }

    private List<Long> numbers(Collection<JobId> all) {
        return all.stream().filter(ids::isOwn).map(JobId::sequence).distinct().toList();
    }
}
