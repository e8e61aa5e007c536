package dev.orderly.store.postgres.interleaving;

import dev.orderly.job.BatchLink;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.contract.job.JobDraft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The calls of nodes of one database, each noted in a ledger. */
final class NodeCalls {
    private static final int LIMIT = 2;
    private static final int LIMIT_OF_KEYS = 2;
    private static final LimitName SHARED = new LimitName("shared");
    private static final List<Demand> ALL = demands(3);
    private static final JobFailure FAILURE = new JobFailure("It broke", "at Handler.java:7");
    private static final int MOST_ROUNDS = 200;
    private static final Duration PASSES = Duration.ofSeconds(2);

    private final Cluster cluster;
    private final Ledger ledger = new Ledger(LIMIT, LIMIT_OF_KEYS);
    private final EventCalls events;
    private final BatchCalls batches;

    NodeCalls(Cluster cluster) {
        this.cluster = cluster;
        this.events = new EventCalls(cluster, ledger);
        this.batches = new BatchCalls(cluster, ledger);
        IntStream.range(0, Step.NODES).forEach(node -> jobs(node).beat(id(node)));
        upkeep(0);
    }

    private static NodeId id(int node) {
        return Cluster.id(node);
    }

    private JobStore jobs(int node) {
        return cluster.jobs(node);
    }

    Ledger ledger() {
        return ledger;
    }

    /** Calls what a step says. A call that a lock or the scheduler held up for too long has done nothing. */
    void call(Step step) {
        int node = step.node();
        long began = ledger.begin(node, step.kind());
        try {
            switch (step.kind()) {
                case PUSH_MAIL -> push(node, began, List.of(JobDraft.mail("m")));
                case PUSH_REPORT -> push(node, began, List.of(JobDraft.to(Step.REPORTS, null, "r")));
                case PUSH_ORDER -> push(node, began, List.of(order(step)));
                case PUSH_EXPORT -> push(node, began, List.of(export(step)));
                case PUSH_ROW -> push(node, began, List.of(row(node)));
                case PUSH_UNIQUE -> push(node, began, List.of(JobDraft.mail("u").unique("u" + step.pick() % 2)));
                case PUSH_DEDUPED -> push(node, began, List.of(JobDraft.mail("d").dedupe("d" + step.pick() % 2)));
                case PUSH_SEVERAL -> push(node, began, List.of(order(step), row(node), export(step), order(step),
                        JobDraft.mail("m"), JobDraft.mail("u").unique("u" + step.pick() % 2)));
                case CLAIM -> claim(node, began, drawn(step.pick()));
                case CLAIM_ROWS -> claim(node, began, List.of(new Demand(Step.ROWS, 2), new Demand(Step.CALLED, 2)));
                case DONE -> settle(node, step.pick(), new AttemptOutcome.Done(null), false);
                case DONE_ALL -> settleAll(node);
                case GIVE_BACK -> settle(node, step.pick(), new AttemptOutcome.GiveBack(), true);
                case RETRY -> settle(node, step.pick(), new AttemptOutcome.Retry(cluster.now(), FAILURE), true);
                case CANCEL -> any(step.pick()).ifPresent(job -> {
                    ledger.cancelling(job);
                    ledger.cancelled(job, jobs(node).cancel(job, cluster.now()));
                });
                case RUN_NOW -> any(step.pick()).ifPresent(job -> jobs(node).runNow(job, cluster.now()));
                case BEAT -> jobs(node).beat(id(node));
                case UPKEEP -> upkeep(node);
                case PAUSE_AND_RESUME -> {
                    QueueName queue = ALL.get(step.pick() % ALL.size()).queue();
                    jobs(node).pause(queue, true);
                    jobs(node).pause(queue, false);
                }
                case PAUSE_KEY -> set(node, Step.EXPORTS, key(step), true);
                case RESUME_KEY -> set(node, Step.EXPORTS, key(step), false);
                case PAUSE_GROUP -> set(node, Step.ORDERS, group(step), true);
                case RESUME_GROUP -> set(node, Step.ORDERS, group(step), false);
                case DEAD -> settle(node, step.pick(), new AttemptOutcome.Dead(FAILURE, false), true);
                case REDRIVE -> ALL.forEach(each -> jobs(node).redriveAll(each.queue(), 100, cluster.now()));
                case CRASH -> crash(node);
                case PASS -> cluster.time().advance(PASSES);
                case EVENT -> any(step.pick()).ifPresent(job -> events.send(node, job, began));
                case AWAIT -> held(node, step.pick()).ifPresent(each -> events.ask(node, each, step.pick(), began)
                        .filter(_ -> held(node, step.pick()).equals(Optional.of(each)))
                        .ifPresent(outcome -> settle(node, step.pick(), outcome, true)));
                case KEEP_STEP -> held(node, step.pick()).ifPresent(each -> events.keep(node, each, step.pick()));
                case EVICT -> evict(beside(node), step.pick());
                case DONE_BESIDE -> settle(beside(node), step.pick(), new AttemptOutcome.Done(null), false);
                case STALE -> {
                    List<AttemptId> over = ledger.over();
                    if (!over.isEmpty()) {
                        events.stale(node, over.get(step.pick() % over.size()));
                    }
                }
                case PUSH_MEMBER -> push(node, began, batches.open(node, step.pick()), null, drafts(step));
                case PUSH_CHILD -> pushChild(node, step);
                case CLOSE -> batches.close(node, step.pick(), false);
                case CANCEL_BATCH -> batches.close(node, step.pick(), true);
                case FINISH -> batches.finish(node);
            }
        } catch (StoreException.Unavailable e) {
            String why = String.valueOf(e.getMessage());
            if (!(e instanceof StoreException.Blocked || why.contains("an open transaction")
                    || why.contains("lock timeout") || why.contains("statement timeout"))) {
                throw e;
            }
            ledger.begin(node, "was held up");
        }
    }

    /** The node of which a step is another thread. */
    private static int beside(int node) {
        return (node + Step.NODES - 1) % Step.NODES;
    }

    private static String group(Step step) {
        return "g" + step.pick() % 2;
    }

    private static String key(Step step) {
        return "k" + step.pick() % 2;
    }

    private static JobDraft order(Step step) {
        return JobDraft.order(group(step), "o");
    }

    private static JobDraft export(Step step) {
        return JobDraft.to(Step.EXPORTS, null, "e").key(key(step));
    }

    /** Pauses or resumes a key or group, unless another call changes it in between. */
    private void set(int node, QueueName queue, String name, boolean paused) {
        if (!paused) {
            ledger.resuming(name);
        }
        boolean isSet = false;
        try {
            KeySettings seen = cluster.stores().get(node).jobViews().keys(queue, name, 1).stream()
                    .map(KeyView::settings)
                    .findFirst().orElse(KeySettings.NONE);
            isSet = jobs(node).set(queue, name, seen,
                    seen.withPaused(paused).changed("node " + node, cluster.now())) == SetResult.SET;
        } finally {
            ledger.set(name, paused, isSet);
        }
    }

    private static JobDraft row(int node) {
        return new JobDraft(JobDraft.to(Step.ROWS, null, "w").job().claimedBy(id(node)));
    }

    private static List<Demand> demands(int most) {
        return List.of(new Demand(Step.MAIL, most), new Demand(Step.REPORTS, most), new Demand(Step.ORDERS, most, 2),
                new Demand(Step.EXPORTS, most), new Demand(Step.ROWS, most),
                new Demand(Step.CALLED, most));
    }

    /** Demands of one to three jobs of each of some queues, in one of several orders. */
    private static List<Demand> drawn(int pick) {
        List<Demand> demands = new ArrayList<>(demands(1 + pick % 3));
        Collections.rotate(demands, pick);
        return demands.subList(0, 1 + pick % demands.size());
    }

    private Optional<JobId> any(int pick) {
        List<JobId> all = ledger.all();
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(pick % all.size()));
    }

    private void push(int node, long began, List<JobDraft> drafts) {
        List<NewJob> jobs = drafts.stream().map(JobDraft::job).toList();
        List<PushResult> answers = jobs(node).push(jobs, cluster.now());
        List<ClaimedJob> handedOff = new ArrayList<>();
        for (int n = 0; n < jobs.size(); n++) {
            PushResult answer = answers.get(n);
            ledger.pushed(node, jobs.get(n), answer.id(), answer instanceof PushResult.Accepted, began);
            if (answer instanceof PushResult.Accepted(JobId job, boolean isHandedOff) && isHandedOff) {
                handedOff.add(ClaimedJob.handedOff(job, jobs.get(n)));
            }
        }
        ledger.claimed(node, handedOff, began);
        events.claimed(handedOff);
    }

    /** Members for a batch. */
    private static List<JobDraft> drafts(Step step) {
        return switch (step.pick() % 3) {
            case 0 -> List.of(order(step), JobDraft.mail("m"));
            case 1 -> List.of(JobDraft.to(Step.ROWS, null, "w"));
            default -> List.of(export(step), order(step));
        };
    }

    /** @param parent the running member that pushes; null for none */
    private void push(int node, long began, BatchLink batch, @Nullable JobId parent, List<JobDraft> drafts) {
        List<NewJob> jobs = drafts.stream().map(JobDraft::job)
                .map(job -> job.on(job.terms().withBatch(batch), null).childOf(parent)).toList();
        try {
            List<PushResult> answers = jobs(node).push(jobs, cluster.now());
            for (int n = 0; n < jobs.size(); n++) {
                ledger.pushed(node, jobs.get(n), answers.get(n).id(), true, began);
                batches.pushed(batch, answers.get(n).id(), parent, began);
            }
        } catch (PushRefusedException e) {
            batches.refused(batch, parent);
        }
    }

    private void pushChild(int node, Step step) {
        for (AttemptId held : ledger.heldBy(node)) {
            BatchLink batch = ledger.termsOf(held.id()).batch();
            if (batch != null && batch.isMember()) {
                push(node, ledger.begin(node, "child of " + held.id().sequence()), batch, held.id(),
                        List.of(order(step)));
                return;
            }
        }
    }

    private void crash(int node) {
        ledger.crashing(node);
        jobs(node).release(id(node), Set.of(), cluster.now());
    }

    /** The first held job of some group that a node holds. */
    private Optional<AttemptId> held(int node, int pick) {
        List<AttemptId> held = ledger.heldBy(node);
        if (held.isEmpty()) {
            return Optional.empty();
        }
        String group = ledger.groupOf(held.get(pick % held.size()).id());
        return held.stream().filter(each -> ledger.groupOf(each.id()).equals(group)).findFirst();
    }

    private int claim(int node, long began, List<Demand> demands) {
        ClaimedJobs claimed = jobs(node).claim(new ClaimRequest(id(node), demands), cluster.now());
        ledger.claimed(node, claimed.jobs(), began);
        events.claimed(claimed.jobs());
        batches.claimed(claimed.jobs());
        return claimed.jobs().size();
    }

    /** Reports the outcome of the first job of a group; its node then gives back those behind it, if it says so. */
    private void settle(int node, int pick, AttemptOutcome outcome, boolean backBehind) {
        List<AttemptId> held = ledger.heldBy(node);
        if (held.isEmpty()) {
            return;
        }
        String group = ledger.groupOf(held.get(pick % held.size()).id());
        List<AttemptId> members = held.stream().filter(each -> ledger.groupOf(each.id()).equals(group)).toList();
        List<Settlement> reports = new ArrayList<>();
        reports.add(new Settlement(id(node), members.getFirst(), outcome));
        if (backBehind) {
            members.stream().skip(1)
                    .forEach(each -> reports.add(new Settlement(id(node), each, new AttemptOutcome.GiveBack())));
        }
        report(node, reports, false);
    }

    /** Gives back the jobs of a group that another thread of a node holds. */
    private void evict(int node, int pick) {
        List<AttemptId> held = ledger.heldBy(node);
        if (!held.isEmpty()) {
            String group = ledger.groupOf(held.get(pick % held.size()).id());
            List<Settlement> reports = held.stream().filter(each -> ledger.groupOf(each.id()).equals(group))
                    .map(each -> new Settlement(id(node), each, new AttemptOutcome.GiveBack())).toList();
            report(node, reports, true);
        }
    }

    private void settleAll(int node) {
        report(node, ledger.heldBy(node).stream()
                .map(each -> new Settlement(id(node), each, new AttemptOutcome.Done(null))).toList(), false);
    }

    /** @param beside whether the node may give back the same jobs meanwhile */
    private void report(int node, List<Settlement> reports, boolean beside) {
        if (reports.isEmpty()) {
            return;
        }
        reports.forEach(each -> ledger.settling(each.attempt().id(), each.outcome() instanceof AttemptOutcome.Done,
                each.outcome() instanceof AttemptOutcome.Dead));
        List<SettleResult> results = settle(node, reports);
        for (int n = 0; n < reports.size(); n++) {
            if (!beside || results.get(n) != SettleResult.LEASE_LOST) {
                ledger.settled(node, reports.get(n).attempt().id(), results.get(n));
            }
        }
    }

    private List<SettleResult> settle(int node, List<Settlement> reports) {
        try {
            return jobs(node).settle(reports, cluster.now());
        } catch (StoreException.Unavailable e) {
            reports.forEach(each -> ledger.held(node, each.attempt().id()));
            throw e;
        }
    }

    private void upkeep(int node) {
        Declared<Optional<LimitName>> shared = Declared.anew(Optional.of(SHARED), id(node));
        LimitName keys = LimitName.ofKeys(Step.EXPORTS);
        jobs(node).upkeep(new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(), UpkeepRequest.Retention.DEFAULT,
                1_000, UpkeepRequest.LeaseRules.DEFAULT, new DeclaredLimits(
                        Map.of(SHARED, Declared.anew(Limit.concurrency(LIMIT), id(node)), keys,
                                Declared.anew(Limit.concurrency(LIMIT_OF_KEYS), id(node))),
                        Map.of(Step.MAIL, shared, Step.REPORTS, shared),
                        Map.of(Step.EXPORTS, Declared.anew(Optional.of(keys), id(node))))),
                cluster.now());
    }

    /** Runs what is left, one call after the other: every job has to end. */
    void drain() {
        for (String number : List.of("0", "1")) {
            set(0, Step.EXPORTS, "k" + number, false);
            set(0, Step.ORDERS, "g" + number, false);
        }
        ledger.all().forEach(job -> {
            if (!ledger.mayHaveEnded(job, false)) {
                events.send(0, job, ledger.begin(0, "EVENT"));
            }
        });
        Set<Integer> idle = new HashSet<>();
        for (int round = 0; round < MOST_ROUNDS && idle.size() < Step.NODES; round++) {
            int node = round % Step.NODES;
            settleAll(node);
            cluster.time().advance(Duration.ofSeconds(1));
            jobs(node).beat(id(node));
            jobs(node).release(id(node), Set.of(), cluster.now()); // a crash leaves what a lock of others held
            ALL.forEach(each -> jobs(node).redriveAll(each.queue(), 100, cluster.now()));
            batches.finish(node);
            if (claim(node, ledger.begin(node, "CLAIM"), ALL) > 0) {
                idle.clear();
            } else {
                idle.add(node);
            }
        }
        events.ended();
        batches.ended();
        ledger.ended(cluster.stores().getFirst().jobViews());
    }
}
