package dev.orderly.testkit;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.UpkeepRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** One round of upkeep: jobs of dead nodes are given back, jobs and keys past their retention are deleted. */
final class MemoryUpkeep {
    private final MemoryTable table;
    private final UpkeepRequest request;
    private final Instant now;
    private final List<JobId> givenBack = new ArrayList<>();
    private final List<JobId> poisoned = new ArrayList<>();
    private final List<JobId> cancelled = new ArrayList<>();
    private final List<JobId> timedOut = new ArrayList<>();

    private MemoryUpkeep(MemoryTable table, UpkeepRequest request, Instant now) {
        this.table = table;
        this.request = request;
        this.now = now;
    }

    static UpkeepReport round(MemoryTable table, MemoryJobs jobs, UpkeepRequest request, Instant now) {
        MemoryUpkeep round = new MemoryUpkeep(table, request, now);
        request.onDead().forEach(round::declare);
        DeclaredLimits.Changes limits = table.limits.changes(request.limits(), table.liveness::isKnown);
        table.limits.apply(limits);
        limits.limited().forEach(queue -> table.queue(queue).limit());
        table.limitKeys();
        round.declareDead();
        round.giveBackOfDeadNodes(jobs);
        round.endLeases(jobs);
        List<JobId> expired = round.endExpired();
        int pruned = round.prune();
        boolean more = round.taken() == request.limit() || pruned == request.limit()
                || round.timedOut.size() == request.limit() || expired.size() == request.limit();
        return new UpkeepReport(round.givenBack, round.poisoned, round.cancelled, round.timedOut, expired, pruned,
                0, more);
    }

    private void declare(QueueName name, Declared<OnDead> then) {
        MemoryQueue queue = table.queue(name);
        if (then.replaces(queue.haltsDeclarer, table.liveness::isKnown)) {
            queue.halt(then.value() == OnDead.HALT);
            queue.haltsDeclarer = then.node();
        }
    }

    private void declareDead() {
        for (NodeId id : table.liveness.silent(request.deadAfter())) {
            table.liveness.forget(id);
            MemoryNode node = Objects.requireNonNull(table.nodes.get(id));
            node.die();
            table.fallen.add(node);
        }
    }

    private void giveBackOfDeadNodes(MemoryJobs jobs) {
        for (MemoryNode node : table.fallen) {
            while (taken() < request.limit() && !node.running.isEmpty()) {
                MemoryJob job = node.running.first();
                if (job.cancelAsked) {
                    table.change(job, it -> jobs.end(it, new AttemptOutcome.GiveBack(), now));
                    cancelled.add(job.id);
                } else {
                    giveBack(node, job);
                }
            }
        }
        table.fallen.removeIf(node -> node.running.isEmpty());
    }

    private void endLeases(MemoryJobs jobs) {
        if (!request.leases().end() || !table.liveness.mayJudge()) {
            return;
        }
        Instant present = table.leaseNow();
        List<MemoryJob> over = table.queues().stream().flatMap(queue -> queue.in(JobState.RUNNING).values().stream())
                .filter(job -> job.leasedUntil != null && !job.leasedUntil.isAfter(present))
                .sorted(Comparator.comparing((MemoryJob job) -> job.id)).limit(request.limit()).toList();
        for (MemoryJob job : over) {
            QueueName queue = job.pushed.queue();
            AttemptOutcome outcome = request.leases().outcome(queue, job.pushed.terms(), job.failures,
                    job.cancelAsked, table.queue(queue).halts, now);
            table.change(job, it -> jobs.end(it, outcome, now));
            jobs.startNext(job);
            timedOut.add(job.id);
        }
    }

    private List<JobId> endExpired() {
        List<MemoryJob> over = table.queues().stream().flatMap(MemoryQueue::notRunning)
                .filter(job -> job.isExpired(now)).limit(request.limit()).toList();
        over.forEach(job -> table.change(job,
                it -> it.cancelled(AttemptOutcome.Cancelled.expired(it.terms(table.time).expiresAt(),
                        it.attempts(table.time)).reason(), now)));
        return over.stream().map(job -> job.id).toList();
    }

    private int taken() {
        return givenBack.size() + poisoned.size() + cancelled.size();
    }

    private void giveBack(MemoryNode node, MemoryJob job) {
        table.change(job, it -> {
            boolean crashed = node.crashed(it);
            if (crashed) {
                it.crashed(node.ranOne());
            }
            boolean poison = crashed && node.ranOne() && it.loneCrashes >= request.crashLimit();
            JobFailure why = poison ? UpkeepRequest.poison(it.loneCrashes) : null;
            it.ended(AttemptSnapshot.lost(it.attempt, it.run(), why, now));
            it.release();
            if (why != null) {
                it.dead(why, table.queue(it.pushed.queue()).halts, now);
            } else {
                it.waitUntil(null, now);
            }
            (poison ? poisoned : givenBack).add(it.id);
        });
    }

    private int prune() {
        UpkeepRequest.Retention keep = request.keep();
        int pruned = table.keys.prune(now, request.limit());
        while (pruned < request.limit() && !table.finished.isEmpty() && (table.finished.size() > keep.doneMax()
                || table.finished.first().endedBefore(now.minus(keep.done())))) {
            table.remove(table.finished.first());
            pruned++;
        }
        List<MemoryJob> old = table.deadLetters.stream().takeWhile(job -> job.endedBefore(now.minus(keep.dead())))
                .filter(job -> !job.halts).limit(request.limit() - pruned).toList();
        old.forEach(table::remove);
        MemoryBatches.prune(table);
        return pruned + old.size();
    }
}
