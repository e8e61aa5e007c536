package dev.orderly.testkit;

import dev.orderly.job.CancelResult;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.limit.StartAllowance;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.BatchRules;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Budget;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Rest;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The jobs port over a {@link MemoryTable}: the simplest code for the sentences of the port's Javadoc. */
final class MemoryJobs implements JobStore {
    /** Stands for a job that is not stored. */
    private static final JobId ANY = JobId.of(0, 0);

    final MemoryTable table;

    MemoryJobs(MemoryTable table) {
        this.table = table;
    }

    @Override
    public List<PushResult> push(List<NewJob> jobs, Instant now) {
        return table.locked(() -> {
            MemoryBatches.check(table, newMembers(jobs, table.time.stored(now)));
            return jobs.stream().map(job -> push(job.in(table.time, now), table.time.stored(now))).toList();
        });
    }

    /** The members of batches that no job of before, or before them in the call, answers. Changes nothing. */
    private List<NewJob> newMembers(List<NewJob> jobs, Instant now) {
        if (BatchRules.members(jobs).isEmpty()) {
            return List.of();
        }
        MemoryKeys keys = table.keys.copy();
        Set<DedupeKey> unique = new HashSet<>();
        List<NewJob> members = new ArrayList<>();
        for (NewJob job : jobs) {
            if (keys.answer(job, now) != null) {
                continue;
            }
            if (job.unique() != null && (!unique.add(job.unique())
                    || table.queue(job.queue()).newest(job.unique(), now) != null)) {
                keys.rememberIdempotency(job.idempotency(), ANY, now);
                continue;
            }
            keys.accepted(job, ANY, now);
            if (job.terms().isMember()) {
                members.add(job);
            }
        }
        return members;
    }

    PushResult push(NewJob job, Instant now) {
        PushResult earlier = table.keys.answer(job, now);
        if (earlier != null) {
            return earlier;
        }
        MemoryQueue queue = table.queue(job.queue());
        MemoryJob same = job.unique() == null ? null : queue.newest(job.unique(), now);
        if (same != null && job.terms().debounce() != null) {
            return replace(same, job, now);
        }
        if (same != null) {
            table.keys.rememberIdempotency(job.idempotency(), same.id, now);
            return new PushResult.Duplicate(same.id);
        }
        promote(queue, now);
        boolean overtakes = queue.order.hasNext();
        MemoryJob stored = table.insert(job, now);
        table.keys.accepted(job, stored.id, now);
        NodeId claimer = job.claimer();
        MemoryNode node = claimer == null ? null : table.nodes.get(claimer);
        if (node == null || node.dead || queue.paused || overtakes || !queue.order.isNext(stored)
                || table.limits.of(job.queue()).isPresent() || queue.rates.isBounding()
                || job.terms().key() != null) {
            return new PushResult.Accepted(stored.id);
        }
        table.change(stored, it -> it.claimedBy(node, true, now));
        return new PushResult.Accepted(stored.id, true);
    }

    private PushResult replace(MemoryJob waiting, NewJob later, Instant now) {
        if (!Objects.equals(waiting.pushed.user(), later.user())) {
            return new PushResult.DebounceReused(waiting.id);
        }
        table.change(waiting, job -> job.replaced(later, now));
        table.keys.rememberIdempotency(later.idempotency(), waiting.id, now);
        return new PushResult.Replaced(waiting.id);
    }

    @Override
    public ClaimedJobs claim(ClaimRequest request, Instant asked) {
        return table.locked(() -> {
            Instant now = table.time.stored(asked);
            MemoryNode node = table.nodes.get(request.node());
            List<ClaimedJob> claimed = new ArrayList<>();
            Budget budget = request.budget();
            Set<QueueName> paused = new HashSet<>();
            Set<QueueName> limited = new HashSet<>();
            Instant nextDue = null;
            for (ClaimRequest.Demand demand : request.wants()) {
                MemoryQueue queue = table.queue(demand.queue());
                promote(queue, now);
                if (queue.paused) {
                    paused.add(demand.queue());
                } else if (node != null && !node.dead) {
                    StartAllowance room = table.room(demand.queue());
                    int most = Math.min(demand.limit(), room.jobs());
                    int run = room.jobs() < Integer.MAX_VALUE || queue.rates.isBounding() ? 1 : demand.run();
                    List<ClaimedJob> taken = new ArrayList<>(claim(queue.order.next(most, request.passedOver()).stream()
                            .map(jobs -> jobs.subList(0, Math.min(jobs.size(), run))).toList(), budget, room, node,
                            now));
                    if (queue.keyed != null) {
                        queue.keyed.turns.ran(demand.ran());
                        queue.keyed.turns.slots(table.limits.slots(demand.queue()), table.leaseNow().toEpochMilli());
                        taken.addAll(claimKeyed(queue.keyed, most - taken.size(), request, budget, room, now));
                    }
                    table.limits.took(demand.queue(), room.taken(), table.leaseNow().toEpochMilli());
                    if (queue.rates.isBounding()) {
                        taken.forEach(job -> queue.rates.took(Objects.requireNonNull(job.group()),
                                job.terms().cost(), table.leaseNow().toEpochMilli()));
                    }
                    claimed.addAll(taken);
                    boolean held = queue.keyed != null && queue.keyed.turns.isHolding();
                    if ((most < demand.limit() && taken.size() == most) || room.isRefused()
                            || (held && taken.size() < demand.limit())) {
                        limited.add(demand.queue());
                    }
                }
                nextDue = earlier(nextDue, queue.delayed.isEmpty() ? null : queue.delayed.first().dueAt());
                Long token = queue.paused ? null : queue.nextToken();
                nextDue = earlier(nextDue, token == null ? null : now.plusMillis(token));
            }
            return new ClaimedJobs(claimed, nextDue == null ? null : table.time.clockTime(nextDue), paused, limited);
        });
    }

    /** Serves keys in turns, one job each. */
    private List<ClaimedJob> claimKeyed(MemoryKeyedJobs keyed, int limit, ClaimRequest request, Budget budget,
            StartAllowance room, Instant now) {
        long millis = table.leaseNow().toEpochMilli();
        MemoryNode node = Objects.requireNonNull(table.nodes.get(request.node()));
        List<ClaimedJob> claimed = new ArrayList<>();
        String key = keyed.turns.next(millis);
        while (key != null && claimed.size() < limit) {
            MemoryJob job = keyed.first(key, request.passedOver());
            int cost = job == null ? 1 : job.pushed.terms().cost();
            if (job == null) {
                keyed.turns.pass(key);
            } else if (keyed.turns.admits(key, cost, millis)) {
                if (!room.fits(cost) || !budget.take(job.pushed.payload())) {
                    break;
                }
                room.take(cost);
                keyed.turns.took(key, cost, millis);
                claimed.addAll(claimRun(List.of(job), node, now));
            }
            key = keyed.turns.next(millis);
        }
        keyed.turns.resume(millis);
        return claimed;
    }

    private List<ClaimedJob> claim(List<List<MemoryJob>> runs, Budget budget, StartAllowance room, MemoryNode node,
            Instant now) {
        List<ClaimedJob> claimed = new ArrayList<>();
        for (List<MemoryJob> run : runs) {
            List<MemoryJob> fits = run.stream().takeWhile(job -> room.fits(job.pushed.terms().cost())
                    && budget.take(job.pushed.payload())).peek(job -> room.take(job.pushed.terms().cost())).toList();
            claimed.addAll(claimRun(fits, node, now));
            if (fits.size() < run.size()) {
                break;
            }
        }
        return claimed;
    }

    private void promote(MemoryQueue queue, Instant now) {
        while (!queue.delayed.isEmpty() && !isLater(queue.delayed.first().dueAt(), now)) {
            table.change(queue.delayed.first(), job -> job.waitUntil(null, now));
        }
    }

    private List<ClaimedJob> claimRun(List<MemoryJob> run, MemoryNode node, Instant now) {
        run.forEach(job -> table.change(job, it -> it.claimedBy(node, it.id.equals(run.getFirst().id), now)));
        return run.stream().map(job -> job.claimed(table.time)).toList();
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        return table.locked(() -> settlements.stream()
                .map(each -> settle(each.in(table.time, now), table.time.stored(now))).toList());
    }

    private SettleResult settle(Settlement settlement, Instant now) {
        MemoryJob job = fenced(settlement.node(), settlement.attempt());
        if (job == null) {
            return SettleResult.LEASE_LOST;
        }
        if (settlement.outcome() instanceof AttemptOutcome.Leased && job.cancelAsked) {
            return SettleResult.CANCELLED;
        }
        table.change(job, it -> end(it, settlement.outcome(), now));
        if (settlement.outcome().isFinal()) { // else the node gives back the rest of its run
            startNext(job);
        }
        return SettleResult.ACCEPTED;
    }

    void end(MemoryJob job, AttemptOutcome reported, Instant now) {
        AttemptOutcome outcome = job.cancelAsked ? reported.whenCancelling() : kept(job, reported);
        JobRun run = job.run();
        job.release();
        boolean toldByJob = outcome instanceof AttemptOutcome.Done || outcome instanceof AttemptOutcome.Cancelled;
        if (!toldByJob && !(outcome instanceof AttemptOutcome.Leased)) {
            job.ended(AttemptSnapshot.ended(job.attempt, run, outcome, now));
        }
        switch (outcome) {
            case AttemptOutcome.Done done -> job.done(done.result(), run, now);
            case AttemptOutcome.Retry retry -> {
                job.failed(retry.failure());
                job.waitUntil(retry.at(), now);
            }
            case AttemptOutcome.Snooze snooze -> job.waitUntil(snooze.at(), now);
            case AttemptOutcome.Awaiting awaiting -> job.waitUntil(awaiting.at(), now);
            case AttemptOutcome.Throttle throttle -> job.waitUntil(throttle.at(), now);
            case AttemptOutcome.Unread unread -> job.waitUntil(unread.at(), now);
            case AttemptOutcome.GiveBack giveBack -> job.waitUntil(null, now);
            case AttemptOutcome.Dead dead -> {
                job.failed(dead.failure());
                job.dead(dead.failure(), dead.halt(), now);
            }
            case AttemptOutcome.Cancelled cancelled -> job.cancelled(cancelled.reason(), now);
            case AttemptOutcome.Leased leased -> job.leasedUntil(table.leaseNow().plus(leased.length()));
        }
    }

    /** Keeps what an outcome says beside the job; the outcome of the job itself. */
    private AttemptOutcome kept(MemoryJob job, AttemptOutcome outcome) {
        return switch (outcome) {
            case AttemptOutcome.Throttle throttle -> rest(job, throttle);
            case AttemptOutcome.Awaiting awaiting -> job.events.settle(job.attempt, awaiting);
            default -> outcome;
        };
    }

    /** Lets rest what a throttled job says; the outcome of the job itself. */
    private AttemptOutcome rest(MemoryJob job, AttemptOutcome.Throttle throttle) {
        QueueName name = job.pushed.queue();
        MemoryKeyedJobs keyed = table.queue(name).keyed;
        String key = job.pushed.terms().key();
        Optional<LimitName> limit = table.limits.of(name);
        Rest rest = new Rest(table.leaseNow().plus(throttle.rest()), job.id, job.attempt);
        return switch (throttle.resting(key != null, name.isFifo(), limit.isPresent())) {
            case KEY -> {
                Objects.requireNonNull(keyed).turns.rest(Objects.requireNonNull(key), rest,
                        table.leaseNow().toEpochMilli());
                yield throttle.atOnce();
            }
            case LIMIT -> {
                table.limits.rest(limit.orElseThrow(), rest);
                yield throttle.atOnce();
            }
            case JOB -> throttle;
        };
    }

    /** Once a job is settled for good, the next job of its run may run. */
    void startNext(MemoryJob settled) {
        MemoryJob next = table.queue(settled.pushed.queue()).order.firstHeld(settled.pushed.group());
        if (next != null && !settled.unsettled() && !settled.halts) {
            next.mayHaveRun = true;
        }
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return table.locked(() -> reports.stream().map(this::progress).toList());
    }

    private SettleResult progress(ProgressReport report) {
        MemoryJob job = fenced(report.node(), report.attempt());
        if (job == null) {
            return SettleResult.LEASE_LOST;
        }
        job.progress = report.progress();
        return SettleResult.ACCEPTED;
    }

    @Override
    public StepResult keep(StepReport report, Instant now) {
        return table.locked(() -> {
            MemoryJob job = fenced(report.node(), report.attempt());
            return job == null ? StepResult.LEASE_LOST : job.keep(report, table.time.stored(now));
        });
    }

    @Override
    public AwaitAnswer await(EventWait wait, Instant now) {
        return table.locked(() -> {
            MemoryJob job = fenced(wait.node(), wait.attempt());
            return job == null
                    ? AwaitAnswer.Refused.LEASE_LOST
                    : job.events.await(wait.in(table.time, now), table.time.stored(now)).shown(table.time);
        });
    }

    @Override
    public EventResult event(NewEvent event, Instant asked) {
        return table.locked(() -> {
            Instant now = table.time.stored(asked);
            MemoryJob job = table.find(event.job());
            if (job == null || job.finished()) {
                return job == null ? EventResult.UNKNOWN : EventResult.ENDED;
            }
            EventResult result = job.events.keep(event, now);
            if (result == EventResult.ACCEPTED && job.state == JobState.DELAYED
                    && job.events.isAwaited(event.name(), job.attempt)) {
                table.change(job, it -> it.waitUntil(null, now));
            }
            return result;
        });
    }

    /** The fence: the job if this attempt is its newest and this node, in its current life, holds it; else null. */
    private @Nullable MemoryJob fenced(@Nullable NodeId node, AttemptId attempt) {
        MemoryJob job = table.find(attempt.id());
        if (node == null) {
            return job != null && job.state == JobState.RUNNING && job.attempt == attempt.number() ? job : null;
        }
        return job != null && job.holder != null && !job.holder.dead && job.holder.id.equals(node)
                && job.attempt == attempt.number() ? job : null;
    }

    @Override
    public int release(NodeId id, Set<JobId> except, Instant asked) {
        return table.locked(() -> {
            Instant now = table.time.stored(asked);
            MemoryNode node = table.nodes.get(id);
            return node == null || node.dead ? 0 : release(node, except, now);
        });
    }

    private int release(MemoryNode node, Set<JobId> except, Instant now) {
        List<MemoryJob> over = node.running.stream().filter(job -> !except.contains(job.id)).toList();
        over.forEach(job -> table.change(job, it -> end(it, new AttemptOutcome.GiveBack(), now)));
        return over.size();
    }

    @Override
    public Set<JobId> held(NodeId id) {
        return table.locked(() -> {
            MemoryNode node = table.nodes.get(id);
            return node == null || node.dead
                    ? Set.of()
                    : node.running.stream().map(job -> job.id).collect(Collectors.toUnmodifiableSet());
        });
    }

    @Override
    public int leave(NodeId id, Instant asked) {
        return table.locked(() -> {
            MemoryNode node = table.nodes.get(id);
            if (node == null || node.dead) {
                return 0;
            }
            int released = release(node, Set.of(), table.time.stored(asked));
            table.liveness.forget(id);
            node.die();
            return released;
        });
    }

    @Override
    public Heartbeat beat(NodeId id, Set<QueueName> works) {
        return table.locked(() -> {
            table.liveness.beat(id);
            MemoryNode before = table.nodes.get(id);
            boolean declaredDead = before != null && before.dead;
            if (before != null && before.dead) {
                before.comeBack();
            }
            if (before == null || declaredDead) {
                table.nodes.put(id, new MemoryNode(id));
            }
            MemoryNode node = Objects.requireNonNull(table.nodes.get(id));
            node.works = Set.copyOf(works);
            Set<JobId> cancelled = node.running.stream().filter(job -> job.cancelAsked).map(job -> job.id)
                    .collect(Collectors.toSet());
            return new Heartbeat(!declaredDead, cancelled, table.paused());
        });
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        return table.locked(() -> MemoryUpkeep.round(table, this, request, table.time.stored(now)));
    }

    @Override
    public BatchStore batches() {
        return new MemoryBatches(this);
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        table.locked(() -> {
            table.queue(queue).pause(paused);
            return paused;
        });
    }

    @Override
    public SetResult set(QueueName queue, String key, KeySettings expected, KeySettings next) {
        return table.locked(() -> table.queue(queue).set(key, expected, next));
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        Set<JobId> meant = new HashSet<>(ids);
        return redrive(queue, job -> meant.contains(job.id), limit, now);
    }

    @Override
    public int redriveAll(QueueName queue, int limit, Instant now) {
        return redrive(queue, _ -> true, limit, now);
    }

    private int redrive(QueueName queue, Predicate<MemoryJob> meant, int limit, Instant asked) {
        return table.locked(() -> {
            Instant now = table.time.stored(asked);
            List<MemoryJob> dead = table.queue(queue).in(JobState.DEAD).values().stream().filter(meant).limit(limit)
                    .toList();
            dead.forEach(job -> table.change(job, it -> it.redriven(now)));
            return dead.size();
        });
    }

    @Override
    public CancelResult cancel(JobId id, Instant asked) {
        return table.locked(() -> {
            Instant now = table.time.stored(asked);
            MemoryJob job = table.find(id);
            if (job == null) {
                return CancelResult.UNKNOWN;
            }
            return switch (job.state) {
                case DONE, CANCELLED -> CancelResult.ENDED;
                case RUNNING -> {
                    job.cancelAsked = true;
                    Instant end = job.leasedUntil;
                    Instant soon = table.leaseNow().plus(CANCEL_GRACE);
                    job.leasedUntil = end == null || end.isBefore(soon) ? end : soon;
                    yield CancelResult.REQUESTED;
                }
                case WAITING, DELAYED, DEAD -> {
                    table.change(job, it -> it.cancelled(AttemptOutcome.Cancelled.onRequest().reason(), now));
                    yield CancelResult.CANCELLED;
                }
            };
        });
    }

    @Override
    public RunNowResult runNow(JobId id, Instant asked) {
        return table.locked(() -> {
            Instant now = table.time.stored(asked);
            MemoryJob job = table.find(id);
            if (job != null && job.state == JobState.DELAYED && isLater(job.dueAt(), now)) {
                table.change(job, it -> it.waitUntil(null, now));
                return RunNowResult.DUE;
            }
            return job == null ? RunNowResult.UNKNOWN : RunNowResult.NOT_DELAYED;
        });
    }

    @Override
    public ForgetQueueResult forget(QueueName name) {
        return table.locked(() -> {
            MemoryQueue queue = table.queue(name);
            QueueView view = queue.view(table.time);
            NodeId declarer = queue.haltsDeclarer;
            Set<NodeId> nodes = table.nodes.values().stream().filter(node -> !node.dead)
                    .filter(node -> node.id.equals(declarer) || node.works.contains(name)).map(node -> node.id)
                    .collect(Collectors.toSet());
            if (!queue.isKnown()) {
                return new ForgetQueueResult.Unknown(name);
            }
            if (ForgetQueueResult.InUse.holdsJobs(view) || !nodes.isEmpty()) {
                return new ForgetQueueResult.InUse(view, nodes);
            }
            queue.forget();
            table.limits.forget(name);
            table.limitKeys();
            return new ForgetQueueResult.Forgotten(name);
        });
    }

    private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isBefore(one)) ? other : one;
    }

    private static boolean isLater(@Nullable Instant moment, Instant now) {
        return moment != null && moment.isAfter(now);
    }
}
