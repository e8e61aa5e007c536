package dev.orderly.testkit.contract;

import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobTerms;
import dev.orderly.job.JobView;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.testkit.ForwardingJobs;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.job.TestNode;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The jobs of a memory store behind a decorator with a planted bug. */
final class BuggyJobs extends ForwardingJobs {
    private static final Duration LONG_SILENCE = Duration.ofMinutes(10);
    private static final NodeId ANY = new NodeId("any");
    private static final int NEWEST = 200;

    private final MemoryStore store;
    private final Bug bug;
    private final Time clock;
    private final Map<JobId, NodeId> holders = new HashMap<>();
    private Instant latest = Instant.EPOCH;
    private final Map<JobId, Integer> crashes = new HashMap<>();
    /** The last heartbeats of nodes, by the wall clock. */
    private final Map<NodeId, Instant> beats = new HashMap<>();
    private final Set<NodeId> dead = new HashSet<>();
    /** The names under which the inner store knows returning nodes. */
    private final Map<NodeId, NodeId> aliases = new HashMap<>();
    /** Nodes that were silent while all nodes were silent. */
    private final Set<NodeId> sleepers = new HashSet<>();
    private final Map<QueueName, Declared<OnDead>> firstPolicies = new HashMap<>();
    private final Set<JobId> passedOver = new HashSet<>();
    private final Set<QueueName> forgotten = ConcurrentHashMap.newKeySet();
    private final List<JobId> pushed = new ArrayList<>();
    private final Map<String, NewJob> firsts = new ConcurrentHashMap<>();
    private final boolean restarted;
    private final LeaseBugs leases;
    private final CancelBugs cancels;
    private final LimitBugs limits;
    private final KeyBugs keys;
    private final BatchBugs batches;

    BuggyJobs(MemoryStore store, Bug bug, Time clock) {
        this(store, bug, clock, false);
    }

    private BuggyJobs(MemoryStore store, Bug bug, Time clock, boolean restarted) {
        super(store.jobs());
        this.store = store;
        this.bug = bug;
        this.clock = clock;
        this.restarted = restarted;
        this.leases = new LeaseBugs(bug, clock);
        this.cancels = new CancelBugs(store, bug);
        this.limits = new LimitBugs(store, bug, clock);
        this.keys = new KeyBugs(bug, restarted);
        this.batches = new BatchBugs(jobs, bug, restarted);
    }

    /** The jobs as the next process sees them. */
    BuggyJobs crash() {
        cancels.crashes(jobs, clock.now());
        BuggyJobs next = new BuggyJobs(bug == Bug.LOSES_EVERYTHING ? new MemoryStore(clock) : store.crash(), bug, clock,
                true);
        next.latest = latest;
        leases.crashed(next.jobs);
        next.limits.crashed(limits);
        next.crashes.putAll(crashes);
        if (bug == Bug.FORGETS_KEY_SETTINGS_IN_A_CRASH) {
            eachSetting(next.store, (queue, key) -> next.jobs.set(queue, key.key(), key.settings(), KeySettings.NONE));
        }
        if (bug == Bug.RESUMES_AT_START) {
            next.store.jobViews().queues().forEach(view -> next.jobs.pause(view.queue(), false));
        }
        return next;
    }

    /** Whether a process before had these jobs. */
    boolean isRestarted() {
        return restarted;
    }

    MemoryStore store() {
        return store;
    }

    @Override
    public BatchStore batches() {
        return batches;
    }

    @Override
    public List<PushResult> push(List<NewJob> pushes, Instant asked) {
        Instant now = latest(asked);
        return switch (bug) {
            case REVERSES_CALLS -> jobs.push(pushes.reversed(), now);
            case FORGETS_KEYS_OF_DONE_JOBS -> jobs.push(pushes, now).stream().map(answer -> forget(answer, pushes, now))
                    .toList();
            case FORGETS_WHAT_A_DEDUPE_ID_STANDS_FOR -> jobs.push(pushes, now).stream()
                    .map(answer -> answer instanceof PushResult.DedupeReused(JobId id)
                            ? new PushResult.Duplicate(id)
                            : answer)
                    .toList();
            case IGNORES_KEYS, TAKES_ALL_KEYS_FOR_ONE, FORGETS_KEYS_IN_A_CRASH, LETS_NEW_KEYS_BEGIN_AT_ZERO ->
                jobs.push(keys.pushed(pushes), now);
            case IGNORES_UNIQUE_KEYS -> jobs.push(pushes.stream().map(job -> job.on(job.terms(), null)).toList(), now);
            case FORGETS_UNIQUE_KEYS_IN_A_CRASH -> jobs.push(
                    pushes.stream().map(job -> job.on(job.terms(), restarted ? null : job.unique())).toList(), now);
            case LETS_ANYBODY_INTO_CLOSED_BATCHES, LOSES_MEMBERSHIPS -> jobs.push(batches.pushed(pushes), now);
            case FORGETS_COSTS -> jobs.push(
                    pushes.stream().map(job -> job.on(job.terms().withCost(1), job.unique())).toList(), now);
            case KEEPS_EXPIRED_JOBS -> jobs.push(pushes.stream()
                    .map(job -> job.on(job.terms().withExpiresAt(null), job.unique())).toList(), now);
            case KEEPS_THE_FIRST_PAYLOAD, DOES_NOT_PUT_OFF, PUTS_OFF_WITHOUT_END, REPLACES_JOBS_OF_OTHERS ->
                jobs.push(pushes.stream().map(this::debounced).toList(), now);
            case KEEPS_IDS_FOR_FIVE_MINUTES -> jobs.push(pushes.stream()
                    .map(job -> job.on(new JobTerms(null, null, null, null), job.unique())).toList(), now);
            case ANSWERS_WITH_RUNNING_JOBS -> pushes.stream().map(job -> ofRunning(job, now)).toList();
            case REMEMBERS_THE_NEWEST_KEYS -> pushes.stream().map(job -> remembered(job, now)).toList();
            case HANDS_OFF_WHAT_IT_DID_NOT_CLAIM, HANDS_OFF_OUT_OF_TURN, HANDS_OFF_DESPITE_A_PAUSE,
                    HANDS_OFF_TO_NODES_THAT_ARE_NOT_ALIVE ->
                HandOffBugs.push(bug, jobs, pushes, now);
            case LOSES_PUSHES_INTO_FORGOTTEN_QUEUES -> pushes.stream()
                    .map(job -> kept(job, jobs.push(List.of(job), now).getFirst(), now)).toList();
            default -> jobs.push(pushes.stream().map(job -> TextBugs.distorted(bug, job)).toList(), now);
        };
    }

    private NewJob debounced(NewJob job) {
        JobTerms.Debounce debounce = job.terms().debounce();
        if (debounce == null) {
            return job;
        }
        NewJob first = firsts.putIfAbsent(debounce.key(), job);
        if (first == null) {
            return job;
        }
        return switch (bug) {
            case KEEPS_THE_FIRST_PAYLOAD -> changed(job, job.runAt(), first.payload(), job.user());
            case DOES_NOT_PUT_OFF -> changed(job, null, job.payload(), job.user());
            case REPLACES_JOBS_OF_OTHERS -> changed(job, job.runAt(), job.payload(), first.user());
            default -> job.on(new JobTerms(null, null, null, null, new JobTerms.Debounce(debounce.key(), null), null),
                    job.unique());
        };
    }

    private static NewJob changed(NewJob job, @Nullable Instant runAt, Payload payload, @Nullable UserId user) {
        return new NewJob(job.queue(), job.group(), job.priority(), runAt, payload, job.params(), user, job.dedupe(),
                job.fingerprint(), job.idempotency(), job.claimer(), job.trace(), job.origin(), job.terms(),
                job.unique());
    }

    private PushResult forget(PushResult answer, List<NewJob> pushes, Instant now) {
        boolean done = answer instanceof PushResult.Duplicate
                && store.jobViews().find(answer.id()).map(JobView::state).equals(Optional.of(JobState.DONE));
        return done ? pushWithoutKey(pushes.getFirst(), now) : answer;
    }

    private PushResult pushWithoutKey(NewJob job, Instant now) {
        return jobs.push(List.of(new NewJob(job.queue(), job.group(), job.priority(), job.runAt(), job.payload(),
                job.params(), job.user(), null, null)), now).getFirst();
    }

    private PushResult ofRunning(NewJob job, Instant now) {
        Optional<JobView> running = store.jobViews().list(job.queue(), JobState.RUNNING, null, 1_000).stream()
                .filter(view -> job.unique() != null && Objects.equals(view.terms().unique(), job.terms().unique()))
                .findFirst();
        return running.<PushResult>map(view -> new PushResult.Duplicate(view.id()))
                .orElseGet(() -> jobs.push(List.of(job), now).getFirst());
    }

    private PushResult remembered(NewJob job, Instant now) {
        PushResult answer = jobs.push(List.of(job), now).getFirst();
        if (answer instanceof PushResult.Accepted) {
            pushed.add(answer.id());
        }
        int at = pushed.indexOf(answer.id());
        return answer instanceof PushResult.Duplicate && at >= 0 && at < pushed.size() - NEWEST
                ? pushWithoutKey(job, now)
                : answer;
    }

    @Override
    public ClaimedJobs claim(ClaimRequest request, Instant now) {
        if (limits.isOne()) {
            return limits.claim(jobs, request, now);
        }
        NodeId node = known(request.node());
        List<ClaimRequest.Demand> wants = bug == Bug.HANDS_OUT_WHOLE_GROUPS
                ? request.wants().stream().map(want -> new ClaimRequest.Demand(want.queue(), want.limit())).toList()
                : keys.wanted(request);
        ClaimRequest asked = bug == Bug.HANDS_OUT_MORE_THAN_FITS
                ? new ClaimRequest(node, wants)
                : new ClaimRequest(node, wants, request.bytes(), passedOver(request));
        ClaimedJobs claimed = jobs.claim(asked, bug == Bug.IS_EARLY ? now.plus(Duration.ofSeconds(1)) : now);
        claimed.jobs().forEach(job -> holders.put(job.id(), request.node()));
        return switch (bug) {
            case ASKS_FOR_THE_PAST -> new ClaimedJobs(claimed.jobs(), now.minusSeconds(1), claimed.paused());
            case HIDES_PAUSES -> new ClaimedJobs(claimed.jobs(), claimed.nextDue(), Set.of());
            case HIDES_CRASHES ->
                new ClaimedJobs(claimed.jobs().stream().map(BuggyJobs::unharmed).toList(), claimed.nextDue(),
                        claimed.paused());
            case LOSES_TERMS -> new ClaimedJobs(claimed.jobs().stream().map(BuggyJobs::plain).toList(),
                    claimed.nextDue(), claimed.paused());
            case LOSES_TRACES_OF_RETRIES -> new ClaimedJobs(claimed.jobs().stream().map(BuggyJobs::untraced).toList(),
                    claimed.nextDue(), claimed.paused());
            case STARVES_LARGE_JOBS -> claimed.jobs().stream().anyMatch(job -> job.payload().size() > request.bytes())
                    ? givenBack(node, claimed, now)
                    : claimed;
            default -> claimed;
        };
    }

    private Set<JobId> passedOver(ClaimRequest request) {
        passedOver.addAll(request.passedOver());
        return switch (bug) {
            case PASSES_OVER_NOTHING -> Set.of();
            case PASSES_OVER_FOR_ALL_NODES -> passedOver;
            default -> request.passedOver();
        };
    }

    private static ClaimedJob unharmed(ClaimedJob job) {
        return new ClaimedJob(job.attempt(), job.failures(), 0, job.group(), job.sequence(), job.payload(),
                job.params(), job.user(), job.trace());
    }

    private static ClaimedJob plain(ClaimedJob job) {
        return new ClaimedJob(job.attempt(), job.failures(), job.crashes(), job.group(), job.sequence(), job.payload(),
                job.params(), job.user(), job.trace());
    }

    private static ClaimedJob untraced(ClaimedJob job) {
        return new ClaimedJob(job.attempt(), job.failures(), job.crashes(), job.group(), job.sequence(), job.payload(),
                job.params(), job.user(), job.attempt().number() == 1 ? job.trace() : null);
    }

    private ClaimedJobs givenBack(NodeId node, ClaimedJobs claimed, Instant now) {
        jobs.settle(claimed.jobs().stream()
                .map(job -> new Settlement(node, job.attempt(), new AttemptOutcome.GiveBack())).toList(), now);
        return new ClaimedJobs(List.of(), claimed.nextDue(), claimed.paused());
    }

    /** The time, for a bug that uses the last moment it was given as now. */
    private Instant latest(Instant now) {
        boolean back = latest.isAfter(now) && (bug == Bug.NEVER_GOES_BACK
                || (bug == Bug.GOES_ON_FROM_THE_LATEST_MOMENT_AT_A_RESTART && restarted));
        Instant believed = back ? latest : now;
        latest = latest.isAfter(now) ? latest : now;
        return believed;
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        List<SettleResult> answers = new ArrayList<>();
        Instant believed = bug == Bug.ENDS_JOBS_AT_THE_LATEST_MOMENT && latest.isAfter(now) ? latest : now;
        for (Settlement settlement : settlements) {
            Settlement distorted = leases.distorted(distorted(settlement));
            cancels.settles(jobs, settlement, now);
            SettleResult result = jobs.settle(List.of(new Settlement(alias(distorted.node()), distorted.attempt(),
                    TextBugs.distorted(bug, distorted.outcome()))), believed).getFirst();
            answers.add(leases.answered(settlement, result));
            limits.settled(settlement);
            if (bug == Bug.RETRIES_AT_THE_END && settlement.outcome() instanceof AttemptOutcome.Retry
                    && answers.getLast() == SettleResult.ACCEPTED && settlement.attempt().queue().isFifo()) {
                pushAgain(settlement.attempt().id(), now);
            }
        }
        return answers;
    }

    private void pushAgain(JobId id, Instant now) {
        JobView view = store.jobViews().find(id).orElseThrow();
        Payload payload = Objects.requireNonNull(view.payload());
        if (jobs.cancel(id, now) == CancelResult.CANCELLED) {
            jobs.push(List.of(new NewJob(view.queue(), view.group(), view.priority(), null, payload, view.params(),
                    view.user(), null, null)), now);
        }
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        return bug == Bug.REDRIVES_ALL_FOR_NONE && ids.isEmpty()
                ? jobs.redriveAll(queue, limit, now)
                : jobs.redrive(queue, ids, limit, now);
    }

    @Override
    public RunNowResult runNow(JobId id, Instant now) {
        if (bug == Bug.RUNS_NOW_BY_A_NEW_JOB
                && store.jobViews().find(id).map(JobView::state).equals(Optional.of(JobState.DELAYED))) {
            pushAgain(id, now);
            return RunNowResult.DUE;
        }
        return bug == Bug.RUNS_NOTHING_NOW ? RunNowResult.DUE : jobs.runNow(id, now);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return cancels.cancel(jobs, id, now);
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        cancels.ends(jobs, Set.of(node), Bug.ERASES_CANCELS_AT_A_RELEASE, now);
        return jobs.release(known(node), except, now);
    }

    @Override
    public int leave(NodeId node, Instant now) {
        cancels.ends(jobs, Set.of(node), Bug.ERASES_CANCELS_AT_A_RELEASE, now);
        return bug == Bug.KEEPS_NODES_THAT_LEFT
                ? jobs.release(node, Set.of(), now)
                : jobs.leave(known(node), now);
    }

    private Settlement distorted(Settlement settlement) {
        return switch (bug) {
            case FORGETS_WHICH_ATTEMPT ->
                new Settlement(settlement.node(), newest(settlement.attempt()), settlement.outcome());
            case FORGETS_WHICH_NODE ->
                settlement.node() == null
                        ? settlement
                        : new Settlement(holders.getOrDefault(settlement.attempt().id(), settlement.node()),
                                settlement.attempt(), settlement.outcome());
            case COUNTS_SNOOZES -> settlement.outcome() instanceof AttemptOutcome.Snooze snooze
                    ? new Settlement(settlement.node(), settlement.attempt(),
                            new AttemptOutcome.Retry(snooze.at(), TestNode.FAILURE))
                    : settlement;
            case COUNTS_UNREADABLE_ATTEMPTS -> settlement.outcome() instanceof AttemptOutcome.Unread unread
                    ? new Settlement(settlement.node(), settlement.attempt(),
                            new AttemptOutcome.Retry(unread.at() == null ? latest : unread.at(), unread.why()))
                    : settlement;
            case DELAYS_UNREADABLE_JOBS_NEVER -> settlement.outcome() instanceof AttemptOutcome.Unread unread
                    ? new Settlement(settlement.node(), settlement.attempt(),
                            new AttemptOutcome.Unread(unread.why(), null))
                    : settlement;
            case COUNTS_THROTTLES, RESTS_NOTHING, RESTS_ALL_FOR_ONE ->
                settlement.outcome() instanceof AttemptOutcome.Throttle throttle
                        ? new Settlement(settlement.node(), settlement.attempt(), throttled(throttle))
                        : settlement;
            case MISSES_EARLY_EVENTS, SLEEPS_THROUGH_EVENTS, LETS_GROUPS_PASS_AWAITING_JOBS,
                    KEEPS_THE_SLOT_OF_AWAITING_JOBS ->
                settlement.outcome() instanceof AttemptOutcome.Awaiting awaiting
                        ? new Settlement(settlement.node(), settlement.attempt(), awaiting(awaiting))
                        : settlement;
            case NEVER_HALTS -> settlement.outcome() instanceof AttemptOutcome.Dead dead
                    ? new Settlement(settlement.node(), settlement.attempt(),
                            new AttemptOutcome.Dead(dead.failure(), false))
                    : settlement;
            default -> settlement;
        };
    }

    private AttemptOutcome throttled(AttemptOutcome.Throttle throttle) {
        return switch (bug) {
            case COUNTS_THROTTLES -> new AttemptOutcome.Retry(Objects.requireNonNull(throttle.at()), TestNode.FAILURE);
            case RESTS_ALL_FOR_ONE -> new AttemptOutcome.Throttle(throttle.rest(), true, throttle.at());
            default -> new AttemptOutcome.Snooze(Objects.requireNonNull(throttle.at()));
        };
    }

    private AttemptId newest(AttemptId attempt) {
        int number = store.jobViews().find(attempt.id()).map(JobView::attempt).orElse(attempt.number());
        return new AttemptId(attempt.id(), attempt.queue(), number);
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return bug != Bug.FORGETS_WHICH_ATTEMPT
                ? jobs.progress(reports, now)
                : jobs.progress(reports.stream()
                        .map(report -> new ProgressReport(report.node(), newest(report.attempt()), report.progress()))
                        .toList(),
                        now);
    }

    @Override
    public StepResult keep(StepReport report, Instant now) {
        AttemptId attempt = report.attempt();
        StepResult result = jobs.keep(bug == Bug.LETS_STALE_ATTEMPTS_KEEP_STEPS
                ? new StepReport(null, newest(attempt), report.name(), report.value())
                : report, now);
        return bug == Bug.ANSWERS_REUSED_STEPS_AS_KEPT && result == StepResult.TAKEN ? StepResult.KEPT : result;
    }

    @Override
    public AwaitAnswer await(EventWait wait, Instant now) {
        return switch (bug) {
            case LETS_STALE_ATTEMPTS_AWAIT ->
                jobs.await(new EventWait(null, newest(wait.attempt()), wait.name(), wait.until()), now);
            case PROLONGS_WAITS -> jobs.await(wait, now) instanceof AwaitAnswer.Known(JobEvent event)
                    && event.awaited() != null && event.arrival() == null
                            ? new AwaitAnswer.Known(new JobEvent(event.name(),
                                    new JobEvent.Awaited(wait.until(), event.awaited().attempt(), false), null))
                            : jobs.await(wait, now);
            default -> jobs.await(wait, now);
        };
    }

    @Override
    public EventResult event(NewEvent event, Instant now) {
        boolean awaited = store.jobViews().events(event.job()).stream()
                .anyMatch(each -> each.name().equals(event.name()));
        if (bug == Bug.LOSES_EVENTS_THAT_NOBODY_AWAITS && !awaited) {
            return EventResult.ACCEPTED;
        }
        EventResult result = jobs.event(event, now);
        return switch (bug) {
            case TAKES_REPEATED_EVENTS -> result == EventResult.REPEATED ? EventResult.ACCEPTED : result;
            case TAKES_LATE_EVENTS -> result == EventResult.LATE ? EventResult.ACCEPTED : result;
            default -> result;
        };
    }

    /** What becomes of an awaiting job. */
    private AttemptOutcome awaiting(AttemptOutcome.Awaiting outcome) {
        Instant at = outcome.at() == null ? latest : outcome.at();
        return switch (bug) {
            case LETS_GROUPS_PASS_AWAITING_JOBS -> new AttemptOutcome.Dead(TestNode.FAILURE, false);
            case KEEPS_THE_SLOT_OF_AWAITING_JOBS -> new AttemptOutcome.Leased(AttemptOutcome.LEASE_MAX);
            default -> new AttemptOutcome.Snooze(at);
        };
    }

    @Override
    public Heartbeat beat(NodeId node, Set<QueueName> works) {
        if (beats.values().stream().allMatch(clock.now().minus(LONG_SILENCE)::isAfter)) {
            sleepers.addAll(beats.keySet());
        }
        beats.put(node, clock.now());
        limits.beat(node);
        if (bug == Bug.HOLDS_FALSE_DEATHS_AGAINST_JOBS && dead.remove(node)) {
            NodeId alias = new NodeId(known(node).value() + "-again");
            aliases.put(node, alias);
            Heartbeat beat = jobs.beat(alias, works);
            return new Heartbeat(false, beat.cancelled(), beat.paused());
        }
        Heartbeat beat = cancels.told(node,
                jobs.beat(known(node), bug == Bug.FORGETS_WORKERS ? Set.of() : works));
        return switch (bug) {
            case HIDES_CANCELLATIONS -> new Heartbeat(beat.alive(), Set.of(), beat.paused());
            case HIDES_PAUSES -> new Heartbeat(beat.alive(), beat.cancelled(), Set.of());
            default -> beat;
        };
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        Instant deadBefore = clock.now().minus(request.deadAfter());
        List<NodeId> silent = beats.entrySet().stream().filter(each -> each.getValue().isBefore(deadBefore))
                .map(Map.Entry::getKey).toList();
        if (bug == Bug.USES_THE_WALL_CLOCK) {
            silent.forEach(node -> jobs.release(node, Set.of(), now));
            return new UpkeepReport(List.of(), List.of(), 0, false);
        }
        if (bug == Bug.SPARES_SUSPENDED_NODES) {
            sleepers.forEach(jobs::beat);
        }
        dead.addAll(silent);
        request.onDead().forEach(firstPolicies::putIfAbsent);
        cancels.ends(jobs, silent, Bug.ERASES_CANCELS_AT_A_DEATH, now);
        UpkeepRequest asked = limits.isOne() ? limits.upkeep(request) : distorted(request, silent);
        UpkeepReport report = jobs.upkeep(leases.upkeep(jobs, asked, silent, now), now);
        if (bug == Bug.CONVICTS_BY_THE_LAST_DEATH) {
            report.givenBack().forEach(id -> crashes.merge(id, 1, Integer::sum));
        } else if (bug == Bug.BLAMES_BYSTANDERS) {
            report.givenBack().stream().filter(id -> crashes.merge(id, 1, Integer::sum) >= request.crashLimit())
                    .forEach(id -> jobs.cancel(id, now));
        }
        return report;
    }

    /** Other limits in place of those of keys that have a share. */
    private static UpkeepRequest withKeyLimits(UpkeepRequest request, IntFunction<Limit> ofSlots) {
        int slots = request.limits().limits().values().stream().mapToInt(each -> each.value().concurrency()).max()
                .orElse(0);
        Map<LimitName, Declared<Limit>> limits = new HashMap<>(request.limits().limits());
        limits.replaceAll((_, each) -> each.value().share() == 0
                ? each
                : new Declared<>(ofSlots.apply(slots), each.node(), each.anew()));
        return withLimits(request, new DeclaredLimits(limits, request.limits().queues(), request.limits().keys()));
    }

    private static UpkeepRequest withLimits(UpkeepRequest request, DeclaredLimits limits) {
        return new UpkeepRequest(request.deadAfter(), request.crashLimit(), request.onDead(), request.keep(),
                request.limit(), request.leases(), limits);
    }

    private UpkeepRequest distorted(UpkeepRequest request, List<NodeId> silent) {
        return switch (bug) {
            case IGNORES_SHARES -> withKeyLimits(request, _ -> Limit.concurrency(Limit.CONCURRENCY_MAX));
            case WASTES_SLOTS_BEYOND_A_SHARE -> withKeyLimits(request, all -> Limit.concurrency(all / 2));
            case IGNORES_RATES_OF_GROUPS -> withLimits(request,
                    new DeclaredLimits(request.limits().limits(), request.limits().queues()));
            case TAKES_ALL_GROUPS_FOR_ONE -> withLimits(request,
                    new DeclaredLimits(request.limits().limits(), request.limits().keys()));
            case CRASHES_UNCOUNTED -> limited(request, Integer.MAX_VALUE);
            case CONVICTS_BY_THE_LAST_DEATH -> limited(request,
                    crashes.containsValue(request.crashLimit() - 1) ? 1 : request.crashLimit());
            case COUNTS_CLAIMED_JOBS_AS_RUNNING -> silent.stream().anyMatch(this::claimedMany)
                    ? limited(request, Integer.MAX_VALUE)
                    : request;
            case HALTS_ONLY_WHERE_THE_REQUEST_SAYS_SO -> withPolicies(request, completed(request.onDead()));
            case KEEPS_THE_FIRST_POLICY -> withPolicies(request, firstPolicies);
            case KEEPS_THE_POLICY_OF_A_DEAD_NODE -> withPolicies(request, request.onDead().entrySet().stream()
                    .filter(each -> each.getValue().anew())
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
            case REPLACES_THE_POLICY_OF_A_LIVE_NODE -> withPolicies(request, request.onDead().entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey,
                            each -> Declared.anew(each.getValue().value(), each.getValue().node()))));
            default -> request;
        };
    }

    private boolean claimedMany(NodeId node) {
        return holders.values().stream().filter(node::equals).count() > 1;
    }

    private static UpkeepRequest limited(UpkeepRequest request, int crashLimit) {
        return new UpkeepRequest(request.deadAfter(), crashLimit, request.onDead(), request.keep(), request.limit());
    }

    private static UpkeepRequest withPolicies(UpkeepRequest request, Map<QueueName, Declared<OnDead>> onDead) {
        return new UpkeepRequest(request.deadAfter(), request.crashLimit(), onDead, request.keep(), request.limit());
    }

    /** Queues without an entry continue after a dead letter. */
    private Map<QueueName, Declared<OnDead>> completed(Map<QueueName, Declared<OnDead>> onDead) {
        Map<QueueName, Declared<OnDead>> policies = new HashMap<>();
        store.jobViews().queues().forEach(view -> policies.put(view.queue(),
                Declared.anew(OnDead.CONTINUE, ANY)));
        policies.putAll(onDead);
        return policies;
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        boolean repeated = store.jobViews().queues().stream()
                .anyMatch(view -> view.queue().equals(queue) && view.paused() == paused);
        jobs.pause(queue, (bug == Bug.TURNS_REPEATED_PAUSES_ROUND && paused && repeated) != paused);
    }

    @Override
    public SetResult set(QueueName queue, String key, KeySettings expected, KeySettings next) {
        KeySettings stored = switch (bug) {
            case IGNORES_PAUSES_OF_KEYS -> next.withPaused(false);
            case IGNORES_BOUNDS_OF_KEYS -> next.withBounds(LimitOverride.NONE);
            default -> next;
        };
        if (bug == Bug.PAUSES_ALL_KEYS_FOR_ONE && next.paused()) {
            jobs.pause(queue, true);
        }
        KeySettings seen = bug == Bug.OVERWRITES_KEY_SETTINGS
                ? store.jobViews().keys(queue, key, 1).stream().map(KeyView::settings).findFirst()
                        .orElse(KeySettings.NONE)
                : expected;
        return jobs.set(queue, key, seen, stored);
    }

    private static void eachSetting(MemoryStore store, BiConsumer<QueueName, KeyView> sink) {
        store.jobViews().queues().forEach(queue -> store.jobViews().keys(queue.queue(), null, 1_000).stream()
                .filter(key -> !key.settings().isEmpty()).forEach(key -> sink.accept(queue.queue(), key)));
    }

    @Override
    public ForgetQueueResult forget(QueueName queue) {
        boolean paused = store.jobViews().queues().stream()
                .anyMatch(view -> view.queue().equals(queue) && view.paused());
        List<KeyView> set = store.jobViews().keys(queue, null, 1_000);
        ForgetQueueResult result = bug == Bug.KEEPS_FORGOTTEN_QUEUES
                ? new ForgetQueueResult.Forgotten(queue)
                : jobs.forget(queue);
        if (result instanceof ForgetQueueResult.InUse(QueueView view, Set<NodeId> nodes)) {
            boolean onlyDead = view.dead() > 0 && view.waiting() + view.delayed() + view.running() == 0;
            return (bug == Bug.FORGETS_QUEUES_WITH_DEAD_LETTERS && onlyDead)
                    || (bug == Bug.FORGETS_DECLARED_QUEUES && !nodes.isEmpty())
                            ? new ForgetQueueResult.Forgotten(queue)
                            : result;
        }
        if (bug == Bug.KEEPS_PAUSES_OF_FORGOTTEN_QUEUES && paused) {
            jobs.pause(queue, true);
        }
        if (bug == Bug.KEEPS_SETTINGS_OF_FORGOTTEN_KEYS) {
            set.forEach(key -> jobs.set(queue, key.key(), KeySettings.NONE, key.settings()));
        }
        forgotten.add(queue);
        return result;
    }

    /** Loses pushes into forgotten queues, if that is the bug. */
    private PushResult kept(NewJob job, PushResult answer, Instant now) {
        if (bug == Bug.LOSES_PUSHES_INTO_FORGOTTEN_QUEUES && forgotten.remove(job.queue())) {
            jobs.cancel(answer.id(), now);
        }
        return answer;
    }

    private @Nullable NodeId alias(@Nullable NodeId node) {
        return node == null ? null : known(node);
    }

    private NodeId known(NodeId node) {
        return aliases.getOrDefault(node, node);
    }
}
