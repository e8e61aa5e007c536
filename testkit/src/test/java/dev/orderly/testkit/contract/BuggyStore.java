package dev.orderly.testkit.contract;

import dev.orderly.job.Attempt;
import dev.orderly.job.Beat;
import dev.orderly.job.CancelResult;
import dev.orderly.job.ClaimRequest;
import dev.orderly.job.Claims;
import dev.orderly.job.Ending;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStore;
import dev.orderly.job.JobView;
import dev.orderly.job.NewJob;
import dev.orderly.job.NodeId;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.ProgressReport;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.SettleResult;
import dev.orderly.job.Settlement;
import dev.orderly.job.UpkeepReport;
import dev.orderly.job.UpkeepRequest;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
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

/** The memory store behind a decorator that gets one thing wrong. */
final class BuggyStore extends BuggedStore implements JobStore {
    private final JobStore jobs;
    private final Bug bug;
    private final Time clock;
    private final Map<JobId, NodeId> holders = new HashMap<>();
    private Instant latest = Instant.EPOCH;
    private final Map<JobId, Integer> crashes = new HashMap<>();
    /** When nodes beat last, by the wall clock. */
    private final Map<NodeId, Instant> beats = new HashMap<>();
    private final Set<NodeId> dead = new HashSet<>();
    /** Under which names the store inside knows nodes that came back. */
    private final Map<NodeId, NodeId> aliases = new HashMap<>();

    BuggyStore(MemoryStore store, Bug bug, Time clock) {
        super(store, bug);
        this.clock = clock;
        this.jobs = store.jobs();
        this.bug = bug;
    }

    BuggyStore crash() {
        BuggyStore next = new BuggyStore(
                bug == Bug.LOSES_EVERYTHING ? new MemoryStore(clock) : store.crash(), bug, clock);
        if (bug == Bug.RESUMES_AT_START) {
            next.store.jobViews().queues().forEach(view -> next.jobs.pause(view.queue(), false));
        }
        return next;
    }

    @Override
    public List<PushResult> push(List<NewJob> batch, Instant asked) {
        Instant now = latest(asked);
        return switch (bug) {
            case TURNS_BATCHES_ROUND -> jobs.push(batch.reversed(), now);
            case FORGETS_KEYS_OF_THE_DONE -> jobs.push(batch, now).stream().map(answer -> forget(answer, batch, now))
                    .toList();
            default -> jobs.push(batch.stream().map(job -> TextBugs.distorted(bug, job)).toList(), now);
        };
    }

    private PushResult forget(PushResult answer, List<NewJob> batch, Instant now) {
        boolean done = answer instanceof PushResult.Duplicate
                && store.jobViews().find(answer.id()).map(JobView::state).equals(Optional.of(JobState.DONE));
        NewJob job = batch.getFirst();
        return done
                ? jobs.push(List.of(new NewJob(job.queue(), job.group(), job.priority(), job.runAt(), job.payload(),
                        job.params(), job.user(), null, null)), now).getFirst()
                : answer;
    }

    @Override
    public Claims claim(ClaimRequest request, Instant now) {
        NodeId node = alias(request.node());
        ClaimRequest asked = bug == Bug.HANDS_OUT_MORE_THAN_FITS
                ? new ClaimRequest(node, request.wants())
                : new ClaimRequest(node, request.wants(), request.bytes());
        Claims claims = jobs.claim(asked, bug == Bug.IS_EARLY ? now.plus(Duration.ofSeconds(1)) : now);
        claims.jobs().forEach(job -> holders.put(job.id(), request.node()));
        return switch (bug) {
            case ASKS_FOR_THE_PAST -> new Claims(claims.jobs(), now.minusSeconds(1), claims.paused());
            case HIDES_PAUSES -> new Claims(claims.jobs(), claims.nextDue(), Set.of());
            default -> claims;
        };
    }

    /** The time of the bug that takes the last moment it heard of for now. */
    private Instant latest(Instant now) {
        latest = bug == Bug.NEVER_GOES_BACK && latest.isAfter(now) ? latest : now;
        return latest;
    }

    @Override
    public List<SettleResult> settle(List<Settlement> settlements, Instant now) {
        List<SettleResult> answers = new ArrayList<>();
        for (Settlement one : settlements) {
            Settlement distorted = distorted(one);
            answers.addAll(jobs.settle(List.of(new Settlement(alias(distorted.node()), distorted.attempt(),
                    TextBugs.distorted(bug, distorted.ending()))), now));
            if (bug == Bug.RETRIES_AT_THE_END && one.ending() instanceof Ending.Retry
                    && answers.getLast() == SettleResult.ACCEPTED && one.attempt().queue().isFifo()) {
                pushAgain(one.attempt().id(), now);
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

    private Settlement distorted(Settlement one) {
        return switch (bug) {
            case FORGETS_WHICH_ATTEMPT -> new Settlement(one.node(), newest(one.attempt()), one.ending());
            case FORGETS_WHICH_NODE -> new Settlement(holders.getOrDefault(one.attempt().id(), one.node()),
                    one.attempt(), one.ending());
            case COUNTS_SNOOZES -> one.ending() instanceof Ending.Snooze snooze
                    ? new Settlement(one.node(), one.attempt(), new Ending.Retry(snooze.at(), Node.FAILURE))
                    : one;
            case NEVER_HALTS -> one.ending() instanceof Ending.Dead dead
                    ? new Settlement(one.node(), one.attempt(), new Ending.Dead(dead.failure(), false))
                    : one;
            default -> one;
        };
    }

    private Attempt newest(Attempt attempt) {
        int number = store.jobViews().find(attempt.id()).map(JobView::attempt).orElse(attempt.number());
        return new Attempt(attempt.id(), attempt.queue(), number);
    }

    @Override
    public List<SettleResult> progress(List<ProgressReport> reports, Instant now) {
        return bug != Bug.FORGETS_WHICH_ATTEMPT
                ? jobs.progress(reports, now)
                : jobs.progress(reports.stream()
                        .map(one -> new ProgressReport(one.node(), newest(one.attempt()), one.progress())).toList(),
                        now);
    }

    @Override
    public int release(NodeId node, Set<JobId> except, Instant now) {
        return jobs.release(node, except, now);
    }

    @Override
    public Beat beat(NodeId node) {
        beats.put(node, clock.now());
        if (bug == Bug.HOLDS_FALSE_DEATHS_AGAINST_JOBS && dead.remove(node)) {
            NodeId alias = new NodeId(alias(node).value() + "-again");
            aliases.put(node, alias);
            return new Beat(false, jobs.beat(alias).cancelled());
        }
        Beat beat = jobs.beat(alias(node));
        return bug == Bug.TELLS_NOBODY ? new Beat(beat.alive(), Set.of()) : beat;
    }

    @Override
    public UpkeepReport upkeep(UpkeepRequest request, Instant now) {
        Instant deadBefore = clock.now().minus(request.deadAfter());
        List<NodeId> silent = beats.entrySet().stream().filter(each -> each.getValue().isBefore(deadBefore))
                .map(Map.Entry::getKey).toList();
        if (bug == Bug.BELIEVES_ITS_CLOCK) {
            silent.forEach(node -> jobs.release(node, Set.of(), now));
            return new UpkeepReport(List.of(), List.of(), 0, false);
        }
        dead.addAll(silent);
        UpkeepReport report = jobs.upkeep(distorted(request), now);
        if (bug == Bug.BLAMES_BYSTANDERS) {
            report.givenBack().stream().filter(id -> crashes.merge(id, 1, Integer::sum) >= request.crashLimit())
                    .forEach(id -> jobs.cancel(id, now));
        }
        return report;
    }

    private UpkeepRequest distorted(UpkeepRequest request) {
        return switch (bug) {
            case CRASHES_UNCOUNTED -> new UpkeepRequest(request.deadAfter(), Integer.MAX_VALUE, request.onDead(),
                    request.keep(), request.limit());
            case HALTS_WHERE_IT_IS_SAID -> new UpkeepRequest(request.deadAfter(), request.crashLimit(),
                    said(request.onDead()), request.keep(), request.limit());
            default -> request;
        };
    }

    /** Queues that are not named go on. */
    private Map<QueueName, OnDead> said(Map<QueueName, OnDead> onDead) {
        Map<QueueName, OnDead> said = new HashMap<>();
        store.jobViews().queues().forEach(view -> said.put(view.queue(), OnDead.CONTINUE));
        said.putAll(onDead);
        return said;
    }

    private NodeId alias(NodeId node) {
        return aliases.getOrDefault(node, node);
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        jobs.pause(queue, paused);
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit, Instant now) {
        return jobs.redrive(queue, ids, limit, now);
    }

    @Override
    public CancelResult cancel(JobId id, Instant now) {
        return jobs.cancel(id, now);
    }

    @Override
    public JobStore jobs() {
        return this;
    }
}
