package dev.orderly.store.sqlite;

import dev.orderly.job.Beat;
import dev.orderly.job.Liveness;
import dev.orderly.job.NodeId;
import dev.orderly.time.Time;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes of this process by their last beat. */
final class Nodes {
    /** How long a dead node may come back and hear that it was declared dead. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    private final Time time;
    private final Liveness liveness;
    private final Map<NodeId, Death> dead = new HashMap<>();

    /**
     * A node that was declared dead.
     *
     * @param suspects jobs for which that was counted as a crash
     */
    record Death(long forgetAt, Set<Long> suspects) {}

    Nodes(Time time) {
        this.time = time;
        this.liveness = new Liveness(time);
    }

    /** {@link dev.orderly.job.JobStore#beat}. Writes only if the node was declared dead and comes back. */
    static Request<Beat> beatOf(NodeId node) {
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

    /** Notes a beat; returns whether the node was not declared dead since its last one. */
    boolean beat(NodeId node) {
        liveness.beat(node);
        return dead.remove(node) == null;
    }

    boolean isAlive(NodeId node) {
        return liveness.isKnown(node);
    }

    /** For which jobs the death of a node was counted as a crash; none if it lives. */
    Set<Long> suspects(NodeId node) {
        Death death = dead.get(node);
        return death == null ? Set.of() : Set.copyOf(death.suspects);
    }

    /** The death of a node was counted as a crash of a job. */
    void crashed(NodeId node, long seq) {
        Death death = dead.get(node);
        if (death != null) {
            death.suspects.add(seq);
        }
    }

    /** Declares nodes dead; returns them. */
    List<NodeId> declareDead(Duration deadAfter) {
        List<NodeId> silent = liveness.silent(deadAfter);
        for (NodeId node : silent) {
            liveness.forget(node);
            dead.put(node, new Death(time.deadline(REMEMBERED), new HashSet<>()));
        }
        dead.values().removeIf(death -> time.reached(death.forgetAt));
        return silent;
    }
}
