package dev.orderly.testkit.jobsim;

import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.schedule.ScheduledRun;
import dev.orderly.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges a run by the handlers' own log and the operators' calls. It knows nothing of the engine, of leases and of
 * attempts but their numbers; of the network it knows when a heartbeat was answered last. Every rule costs a lookup in
 * a sorted map.
 */
final class JobReferee {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** The time from the sending of an answered heartbeat after which a node may have lost its jobs. */
    static final long LEASE = 20 * SECOND;
    /** A node hears of a pause or a cancellation by its next heartbeat, or its lease ends. */
    private static final long HEARD = 26 * SECOND;
    /** The time within which a handler ends once its node's lease is over, unless it takes no notice of interrupts. */
    private static final long FENCED = 3 * SECOND;
    /** The time after a fault in which a node has forgotten it: the longest wait for an answer, and some. */
    private static final long CALM = 20 * SECOND;
    /** A scheduled job is pushed within this time of its instant. */
    private static final Duration PUSHED = Duration.ofSeconds(2);
    /** The end of a run is noticed within this time, and until then its schedule skips instants. */
    private static final Duration NOTICED = Duration.ofSeconds(3);
    private static final int NOTES_MAX = 60;

    final SimulatedQueues queues;
    final EventReferee events = new EventReferee();
    private final Turns turns;
    private final LimitReferee<Tracked> limits = new LimitReferee<>(this::unfenced);
    private final Map<JobId, Tracked> jobs = new TreeMap<>();
    private final Map<Integer, JobId> byNumber = new HashMap<>();
    private final List<JobId> pushed = new ArrayList<>();
    /** Those of the pushed jobs that ask for an event. */
    private final List<JobId> awaiting = new ArrayList<>();
    private final Map<String, Line> lines = new TreeMap<>();
    private final Map<String, PauseState> pauses = new HashMap<>();
    /** When the request was sent by which an attempt was claimed; none for a job that was handed off with its push. */
    private final Map<AttemptId, Long> claims = new HashMap<>();
    private final Map<SimulatedNode, Seen> nodes = new HashMap<>();
    private final Map<Instant, JobId> instants = new TreeMap<>();
    private final List<Note> notes = new ArrayList<>();
    private final Set<Long> states = new HashSet<>();
    private final Map<String, Long> redriven = new HashMap<>();
    /** When the push of a job was sent first, by its number. */
    private final Map<Integer, Long> sent = new HashMap<>();
    /** Processes that have died. */
    private int deaths;
    private @Nullable String broken;
    private @Nullable Throwable cause;
    private @Nullable String concerns;
    private boolean healed;
    private long healedAt;
    /** Requests of workers elsewhere for jobs, whose answer came late or not at all. */
    private int pullsUnsure;
    /** Spans in which a node works and nothing befalls it: it fires the instants of its schedules. */
    private final List<Calm> calms = new ArrayList<>();
    private Map<String, Integer> meeting = Map.of();
    private final Set<String> met = new HashSet<>();
    private final List<LimitTrial.Mark> marks = new ArrayList<>();

    /** An event for the timeline. */
    private record Note(long at, @Nullable SimulatedNode node, String subject, String what) {}

    /** What is known of a job. */
    private static final class Tracked {
        final JobId id;
        final String queue;
        final @Nullable String group;
        final @Nullable String key;
        int number;
        /** When its first push was answered. */
        long answeredAt = Long.MAX_VALUE;
        long lastStart = Long.MIN_VALUE;
        /** When the last push was sent that was answered with this job, as one of its unique key. */
        long joined = Long.MIN_VALUE;
        int lastAttempt;
        int failures;
        int deaths;
        boolean succeeded;
        boolean unprocessable;
        boolean cancelAsked;
        boolean settled;
        @Nullable
        String mayNotStart;
        /** When the answer to a cancellation came that another node may not know yet; -1 for none. */
        long requestedAt = -1;
        int startsSinceRequest;
        /** Whether it has begun again behind later jobs of its group, as only a redriven dead letter may. */
        boolean mayBeRedriven;
        long lastEnd;
        /** The last attempt, if it waits for an event. */
        @Nullable
        Run awaiting;
        /** The attempt that has done the step of the job, as a handler was told; zero if none was. */
        int stepped;
        final Map<Integer, Run> running = new TreeMap<>();
        /** What workers elsewhere have reported, by attempt. */
        final Map<Integer, Report> reported = new TreeMap<>();

        Tracked(JobId id, String queue, @Nullable String group, @Nullable String key) {
            this.id = id;
            this.queue = queue;
            this.group = group;
            this.key = key;
        }

        @Nullable
        String keyOrGroup() {
            return group == null ? key : group;
        }
    }

    /**
     * An attempt under way.
     *
     * @param node null for a worker elsewhere
     * @param until the end of a lease of such a worker, which has the job until then at least
     */
    private record Run(@Nullable SimulatedNode node, long began, long until) {
        String where() {
            return node == null ? "a worker elsewhere" : node.id.value();
        }
    }

    /** A group. */
    private static final class Line {
        /** Jobs that may not be settled, by number. */
        final TreeMap<JobId, Tracked> open = new TreeMap<>();
        @Nullable
        JobId highest;
        final Map<JobId, Tracked> running = new TreeMap<>();
        /** The answered push with the highest number, and the moment of the answer. */
        @Nullable
        JobId newest;
    }

    private static final class PauseState {
        boolean paused;
        int resumes;
        int resuming;
        long at;
        @Nullable
        SimulatedNode by;
    }

    /** The plan of a report that was refused. */
    private static final char REFUSED = 'x';

    /** The report of a worker elsewhere, whose lease ends at {@code until}. */
    private record Report(char plan, long until) {}

    private record Calm(SimulatedNode node, long from, long to) {}

    private static final class Seen {
        long troubledUntil;
        long calmFrom = Long.MAX_VALUE;
        boolean stopping;
        boolean draining;
        boolean dead;
        final Set<String> detached = new HashSet<>();
        final Map<String, Integer> busy = new HashMap<>();
    }

    JobReferee(Turns turns, SimulatedQueues queues) {
        this.turns = turns;
        this.queues = queues;
    }

    // ---- verdict

    boolean isBroken() {
        return broken != null;
    }

    void broken(String why, @Nullable Throwable thrown) {
        if (broken == null) {
            broken = why;
            cause = thrown;
            note(null, "", "BROKEN: " + why);
        }
    }

    private void broken(@Nullable String why, Tracked job) {
        if (why == null) {
            return;
        }
        if (broken == null) {
            concerns = subject(job.queue, job.group);
        }
        broken(name(job) + " " + why, (Throwable) null);
    }

    /** @throws BrokenJobPromise if a rule was broken */
    void judge() {
        if (broken != null) {
            throw new BrokenJobPromise(broken + "\n" + timeline(), cause);
        }
    }

    /** The number of distinct abstract states of the nodes and queues that were seen. */
    Set<Long> states() {
        return states;
    }

    private String timeline() {
        List<Note> told = notes.stream().filter(note -> concerns == null || note.subject.isEmpty()
                || note.subject.equals(concerns) || note.subject.equals(concerns.split(" ", 2)[0])).toList();
        return told.stream().skip(Math.max(0, told.size() - NOTES_MAX)).map(note -> String.format("%9.3f s  %-5s %s%s",
                note.at / 1e9, note.node == null ? "" : note.node.id.value(),
                note.subject.isEmpty() ? "" : note.subject + ": ", note.what)).collect(Collectors.joining("\n"));
    }

    private void note(@Nullable SimulatedNode node, String subject, String what) {
        notes.add(new Note(turns.now(), node, subject, what));
        turns.note(what.hashCode());
    }

    /** The name of a queue, or of one of its groups or keys. */
    static String subject(String queue, @Nullable String group) {
        return group == null ? queue : queue + " " + group;
    }

    private static String name(Tracked job) {
        return "job " + job.number + " (" + subject(job.queue, job.group) + ")";
    }

    /** Counts the abstract state: of each node and queue, what is on. */
    private void state(String event) {
        long hash = event.hashCode();
        List<Integer> each = new ArrayList<>();
        nodes.forEach((node, seen) -> each.add(Objects.hash(node.state().name(), node.isFrozen(), seen.draining,
                node.link.way().name(), seen.detached.size(),
                seen.busy.values().stream().mapToInt(busy -> Math.min(busy, 2)).sum())));
        each.sort(null);
        for (Integer one : each) {
            hash = hash * 31 + one;
        }
        for (PauseState pause : pauses.values()) {
            hash = hash * 31 + (pause.paused ? 1 : 0);
        }
        states.add(hash);
    }

    // ---- nodes and network

    private Seen seen(SimulatedNode node) {
        return nodes.computeIfAbsent(node, _ -> new Seen());
    }

    void called(SimulatedNode node, String what) {
        state(what);
    }

    void lost(SimulatedNode node, String what, RuntimeException why) {
        note(node, "", what + " fails: " + why.getClass().getSimpleName());
        state("lost " + what);
    }

    void working(SimulatedNode node) {
        Seen seen = seen(node);
        seen.calmFrom = Math.max(turns.now(), seen.troubledUntil) + CALM;
        note(node, "", "works");
    }

    /** Something befalls a node, and is over after this time. */
    void disturbed(SimulatedNode node, int millis) {
        Seen seen = seen(node);
        if (turns.now() > seen.calmFrom) {
            calms.add(new Calm(node, seen.calmFrom, turns.now()));
        }
        seen.troubledUntil = Math.max(seen.troubledUntil, turns.now() + millis * 1_000_000L);
        seen.calmFrom = Math.max(seen.calmFrom, seen.troubledUntil + CALM);
    }

    void disturbance(@Nullable SimulatedNode node, String what) {
        note(node, "", what);
    }

    void stopping(SimulatedNode node) {
        disturbed(node, 0);
        seen(node).stopping = true;
        note(node, "", "begins to stop");
    }

    void stopped(SimulatedNode node) {
        note(node, "", "has stopped");
        gone(node);
        nodes.remove(node);
    }

    /** Judges what a node holds that has stopped, with every call answered. */
    void left(SimulatedNode node, List<JobView> running) {
        for (JobView view : running) {
            if (view.run() != null && node.id.equals(view.run().node())) {
                broken("Job " + view.id() + " is held by " + node.id + ", which has stopped", (Throwable) null);
            }
        }
    }

    void died(SimulatedNode node) {
        disturbed(node, 0);
        deaths++;
        note(node, "", "dies");
        gone(node);
        nodes.remove(node);
    }

    /** What runs on a node that is gone never comes back. */
    private void gone(SimulatedNode node) {
        seen(node).dead = true;
        for (Tracked job : jobs.values()) {
            if (job.running.values().removeIf(run -> run.node == node)) {
                job.deaths++;
                job.lastEnd = turns.now();
                if (job.running.isEmpty()) {
                    line(job).running.remove(job.id);
                }
            }
        }
    }

    void attached(SimulatedNode node, String queue, boolean on) {
        if (on) {
            seen(node).detached.remove(queue);
        } else {
            seen(node).detached.add(queue);
            note(node, queue, "its handler is detached");
        }
    }

    // ---- clients and operators

    /** The jobs pushed so far, for operators that choose one. */
    Optional<JobId> pick(int random) {
        return pick(pushed, random);
    }

    /** A pushed job that asks for an event. */
    Optional<JobId> pickAwaiting(int random) {
        return pick(awaiting, random);
    }

    private static Optional<JobId> pick(List<JobId> jobs, int random) {
        return jobs.isEmpty() ? Optional.empty() : Optional.of(jobs.get(random % jobs.size()));
    }

    private Line line(Tracked job) {
        return lines.computeIfAbsent(subject(job.queue, job.group), _ -> new Line());
    }

    private Tracked tracked(JobId id, String queue, Work work) {
        int number = work.number();
        String group = group(queue, work);
        JobId known = byNumber.putIfAbsent(number, id);
        Tracked job = jobs.computeIfAbsent(id, _ -> {
            Tracked made = new Tracked(id, queue, group, SimulatedQueues.key(queue, work));
            made.number = number;
            if (group != null) {
                lines.computeIfAbsent(subject(queue, group), _ -> new Line()).open.put(id, made);
            }
            return made;
        });
        if (known != null && !known.equals(id)) {
            broken("is there twice: as " + known + " and as " + id, job);
        }
        return job;
    }

    /** The newest answered push of a group before another is sent: its number must be smaller. */
    @Nullable
    JobId newest(String queue, String group) {
        Line line = lines.get(subject(queue, group));
        return line == null ? null : line.newest;
    }

    /** A client is about to push a job. */
    void sending(Work work) {
        sent.putIfAbsent(work.number(), turns.now());
    }

    void pushed(SimulatedNode node, JobId id, String queue, Work work, @Nullable JobId before, boolean duplicate) {
        Tracked job = tracked(id, queue, work);
        pushed.add(id);
        if (work.awaits()) {
            awaiting.add(id);
        }
        job.answeredAt = Math.min(job.answeredAt, turns.now());
        note(node, subject(queue, job.group),
                "push of " + work.number() + " answered" + (duplicate ? " as a duplicate" : ""));
        Line line = line(job);
        if (!duplicate && before != null && before.compareTo(id) > 0) {
            broken("was pushed after an answered push and has a smaller number", job);
        }
        if (line.newest == null || line.newest.compareTo(id) < 0) {
            line.newest = id;
        }
    }

    /** A push was answered with the job of its unique key, of which an attempt has yet to start. */
    void joined(JobId id, Work work) {
        Tracked job = jobs.get(id);
        if (job == null) {
            return; // its own push has no answer yet
        }
        job.joined = Math.max(job.joined, Objects.requireNonNull(sent.get(work.number())));
    }

    void eventAnswered(SimulatedNode node, JobId id, int value, EventResult result) {
        Tracked job = jobs.get(id);
        if (job == null) {
            return;
        }
        note(node, subject(job.queue, job.group), "event " + value + " for " + job.number + " answered " + result);
        state("event " + result);
        if (result == EventResult.UNKNOWN) {
            broken("was acknowledged and is unknown", job);
        }
        broken(result == EventResult.ACCEPTED ? events.accepted(id, value, turns.now()) : null, job);
    }

    void told(SimulatedNode node, JobId id, int value) {
        Tracked job = Objects.requireNonNull(jobs.get(id));
        note(node, subject(job.queue, job.group), job.number + " has event " + value);
        state("told");
        broken(events.told(id, value), job);
    }

    void timedOut(SimulatedNode node, JobId id) {
        Tracked job = Objects.requireNonNull(jobs.get(id));
        note(node, subject(job.queue, job.group), job.number + " is told that its wait is over");
        state("timed out");
        broken(events.timedOut(id, turns.now()), job);
    }

    void cancelAsked(JobId id) {
        Tracked job = jobs.get(id);
        if (job != null) {
            job.cancelAsked = true;
        }
    }

    void cancelled(SimulatedNode node, JobId id, CancelResult result) {
        Tracked job = jobs.get(id);
        if (job == null) {
            return;
        }
        note(node, subject(job.queue, job.group), "cancel of " + job.number + " answered " + result);
        state("cancel " + result);
        switch (result) {
            case CANCELLED -> job.mayNotStart = "starts after its cancellation was answered \"cancelled\"";
            case ENDED -> job.mayNotStart = "starts after a cancellation was answered \"ended\"";
            case SIGNALLED -> job.mayNotStart = "starts again after its cancellation was answered \"signalled\"";
            case REQUESTED -> job.requestedAt = job.requestedAt < 0 ? turns.now() : job.requestedAt;
            case UNKNOWN -> broken("was acknowledged and is unknown", job);
        }
    }

    /**
     * A number for {@link #pauseAnswered}; negative for a pause that is asked while a resume is under way.
     *
     * @param what a queue, or a {@link #subject subject} for one of its keys or groups
     */
    int pauseAsked(String what, boolean on) {
        PauseState pause = pause(what);
        if (!on) {
            pause.paused = false;
            pause.resumes++;
            pause.resuming++;
        }
        return on && pause.resuming > 0 ? -1 : pause.resumes;
    }

    /** A pause binds from its answer on, unless a resume was under way beside it. */
    void pauseAnswered(SimulatedNode node, String what, boolean on, int asked) {
        note(node, what, on ? "pause answered" : "resume answered");
        PauseState pause = pause(what);
        if (on && !pause.paused && pause.resumes == asked && pause.resuming == 0) {
            pause.paused = true;
            pause.at = turns.now();
            pause.by = node;
        }
        state("pause " + on);
    }

    /** A request to pause or resume has an answer, or none will come. */
    void pauseOver(String what, boolean on) {
        if (!on) {
            pause(what).resuming--;
        }
    }

    private PauseState pause(String what) {
        return pauses.computeIfAbsent(what, _ -> new PauseState());
    }

    /** A node or a worker elsewhere has jobs by a request that was sent at this moment. */
    void claimed(List<ClaimedJob> claimed, long asked) {
        claimed.forEach(job -> claims.put(job.attempt(), asked));
    }

    /** Judges that nobody gets a job whose key or group was paused when it was asked for, or pushed and handed off. */
    private void startedOfPaused(Tracked job, AttemptId attempt) {
        String key = job.keyOrGroup();
        PauseState pause = key == null ? null : pauses.get(subject(job.queue, key));
        if (pause != null && pause.paused && claims.getOrDefault(attempt, sent(job)) > pause.at) {
            broken("starts by a claim or push that was sent after a pause of " + key + " was answered", job);
        }
    }

    void redriveAsked(String queue) {
        redriven.put(queue, turns.now());
        note(null, queue, "redrive asked");
    }

    /** An operator is about to set the concurrency of the shared limit. */
    void limitAsked(int concurrency) {
        limits.mayBe(SimulatedQueues.SHARED, queues.shared().concurrency(), concurrency);
        note(null, "", "limit " + SimulatedQueues.SHARED + " set to " + concurrency + " asked");
    }

    /** Every node has the declared concurrency of the shared limit in force. */
    void limitReset() {
        limits.is(SimulatedQueues.SHARED, queues.shared().concurrency());
    }

    void drained(SimulatedNode node, boolean on) {
        seen(node).draining = on;
        note(node, "", on ? "drains" : "resumes work");
    }

    // ---- handlers

    void started(SimulatedNode node, String queue, Work work, JobId id, int attempt) {
        Tracked job = tracked(id, queue, work);
        note(node, subject(queue, job.group), "start of " + work.number() + ", attempt " + attempt);
        state("start");
        Seen seen = seen(node);
        int busy = seen.busy.merge(queue, 1, Integer::sum);
        mark(work, true);
        if (node.isDeceived()) {
            begun(job, node, attempt);
            return;
        }
        if (seen.dead) {
            broken("starts on a node that is gone", job);
        }
        if (seen.stopping) {
            broken("starts on a node that stops", job);
        }
        if (seen.draining) {
            broken("starts on a node that drains", job);
        }
        if (seen.detached.contains(queue)) {
            broken("starts on a node whose handler is detached", job);
        }
        if (node.longestSilence() >= LEASE) {
            broken("starts on a node that heard nothing of the store for " + node.longestSilence() / 1e9
                    + " s by one of its clocks", job);
        }
        PauseState pause = pause(queue);
        if (pause.paused && (pause.by == node || turns.now() - pause.at > HEARD)) {
            broken("starts " + (turns.now() - pause.at) / 1e9 + " s after a pause was answered"
                    + (pause.by == node ? " on this node" : ""), job);
        }
        if (attempt <= job.lastAttempt) {
            broken("starts attempt " + attempt + " after attempt " + job.lastAttempt, job);
        }
        broken(job.mayNotStart, job);
        if (job.requestedAt >= 0 && (++job.startsSinceRequest > 1 || turns.now() - job.requestedAt > HEARD)) {
            broken("starts " + (turns.now() - job.requestedAt) / 1e9 + " s after its cancellation was answered"
                    + " \"requested\"", job);
        }
        if (busy > queues.of(queue).concurrency()) {
            broken("is one of " + busy + " that run at once on a node", job);
        }
        for (Run run : job.running.values()) {
            if (!mayBeLost(job, run)) {
                broken("starts while it runs on " + run.where(), job);
            }
        }
        if (job.group != null) {
            startedInLine(job);
        }
        startedOfKey(job);
        AttemptId started = new AttemptId(id, new QueueName(queue), attempt);
        startedOfPaused(job, started);
        begun(job, node, attempt);
        // tokens are of the moment of the claim; a start that seems to follow at once counts for none
        boolean seemsPrompt = node.deceivedAt() > claims.getOrDefault(started, sent(job));
        startedUnderLimits(job, seemsPrompt ? 0 : queues.cost(work));
    }

    /** Of a key that runs one job at a time the jobs start in the order of their pushes. */
    private void startedOfKey(Tracked job) {
        String key = job.key;
        boolean alone = queues.of(job.queue).perKey().filter(each -> each.concurrency() == 1)
                .isPresent();
        // a job that processes had claimed that died thrice never starts
        if (key == null || !alone || job.lastAttempt > 0 || deaths >= 3) {
            return;
        }
        long sent = sent(job);
        for (Tracked earlier : jobs.values()) {
            if (earlier.id.compareTo(job.id) >= 0) {
                return;
            }
            if (earlier.queue.equals(job.queue) && key.equals(earlier.key) && earlier.lastAttempt == 0
                    && earlier.answeredAt < sent && !earlier.cancelAsked) {
                broken("starts before " + name(earlier) + " of its key, whose push was answered before", job);
            }
        }
    }

    private void startedUnderLimits(Tracked job, int cost) {
        broken(limits.started(job, cost, queues.bounds(job.queue, job.keyOrGroup()), turns.now()), job);
    }

    private int unfenced(Tracked job) {
        return (int) job.running.values().stream().filter(run -> !mayBeLost(job, run)).count();
    }

    private long sent(Tracked job) {
        return sent.getOrDefault(job.number, Long.MIN_VALUE);
    }

    private void begun(Tracked job, SimulatedNode node, int attempt) {
        Run waits = job.awaiting;
        job.awaiting = null;
        if (waits != null && !mayBeLost(job, waits)) {
            boolean calm = healed && job.lastEnd > healedAt + CALM && !queues.isLimited();
            broken(events.started(job.id, job.lastEnd, turns.now(), calm), job);
        }
        job.lastStart = turns.now();
        job.lastAttempt = Math.max(attempt, job.lastAttempt);
        job.running.put(attempt, new Run(node, turns.now(), 0));
    }

    private void startedInLine(Tracked job) {
        Line line = line(job);
        for (Tracked other : List.copyOf(line.running.values())) {
            for (Run run : other.running.values()) {
                if (!mayBeLost(other, run)) {
                    broken("starts while " + name(other) + " runs on " + run.where(), job);
                }
            }
        }
        for (Tracked earlier : List.copyOf(line.open.headMap(job.id).values())) {
            if (maySettled(earlier)) {
                earlier.settled = true;
                line.open.remove(earlier.id);
            } else {
                broken("starts before " + name(earlier) + ", which was pushed earlier and is not settled", job);
            }
        }
        if (line.highest != null && line.highest.compareTo(job.id) > 0 && !mayBeRedriven(job)) {
            broken("starts after " + name(Objects.requireNonNull(jobs.get(line.highest)))
                    + ", which was pushed later", job);
        }
        if (line.highest == null || line.highest.compareTo(job.id) < 0) {
            line.highest = job.id;
        }
        line.open.put(job.id, job);
        line.running.put(job.id, job);
    }

    /**
     * Whether a run may be on a node that lost its jobs, since it heard nothing of the store for a lease, or stops; or
     * the lease of a worker elsewhere may be over, also by a cancellation.
     */
    private boolean mayBeLost(Tracked job, Run run) {
        if (run.node == null) {
            return turns.now() >= run.until || job.cancelAsked;
        }
        Seen seen = nodes.get(run.node);
        return seen == null || seen.stopping || turns.now() - run.node.lastBeat() >= LEASE
                || run.node.lostAt() > run.began;
    }

    private boolean mayBeDead(Tracked job) {
        int failures = job.failures;
        if (SimulatedQueues.PULLED.contains(job.queue)) {
            failures += pullsUnsure; // leases that ended count as failures, also after a report that came too late
            failures += (int) job.running.values().stream().filter(run -> turns.now() >= run.until).count();
            failures += (int) job.reported.values().stream()
                    .filter(report -> "os".indexOf(report.plan) >= 0 || report.plan == REFUSED)
                    .filter(report -> turns.now() >= report.until).count();
        }
        return job.unprocessable || failures >= queues.of(job.queue).retry().attempts() || job.deaths >= 3;
    }

    /** Whether a job that was pushed earlier may have ended, so that the next of its group may start. */
    private boolean maySettled(Tracked job) {
        boolean halts = queues.of(job.queue).onDead() == OnDead.HALT;
        return job.settled || job.succeeded || job.cancelAsked || (mayBeDead(job) && !halts);
    }

    private boolean mayBeRedriven(Tracked job) {
        Long asked = redriven.get(job.queue);
        job.mayBeRedriven |= asked != null && mayBeDead(job) && asked >= job.lastEnd - HEARD;
        return job.mayBeRedriven;
    }

    void ended(SimulatedNode node, String queue, Work work, JobId id, int attempt, String how, boolean deaf) {
        Tracked job = Objects.requireNonNull(jobs.get(id));
        Run run = job.running.remove(attempt);
        if (run == null) {
            return; // of a node that is gone
        }
        note(node, subject(queue, job.group), "end of " + work.number() + ", attempt " + attempt + ": " + how);
        state("end " + how);
        mark(work, false);
        long unfenced = Math.min(node.silence() - LEASE, turns.now() - node.thawedAt());
        if (!deaf && !how.equals("interrupted") && unfenced > FENCED) {
            broken("runs " + unfenced / 1e9 + " s after the lease of its node, undisturbed", job);
        }
        seen(node).busy.merge(queue, -1, Integer::sum);
        job.lastEnd = turns.now();
        if (job.running.isEmpty() && job.group != null) {
            line(job).running.remove(id);
        }
        switch (how) {
            case "done" -> {
                job.succeeded = true;
                // of a handler that takes no notice of its timeout, the engine takes no success
                job.failures += turns.now() - run.began >= queues.of(queue).timeout().toNanos() ? 1 : 0;
            }
            case "unprocessable" -> job.unprocessable = true;
            case "snoozed" -> {
            }
            // of a handler that takes no notice of its timeout, the engine takes no wait
            case "awaiting" ->
                job.awaiting = turns.now() - run.began < queues.of(queue).timeout().toNanos() ? run : null;
            default -> job.failures++;
        }
    }

    /** The work of the step of a job; its value is the number of the attempt. */
    int stepping(SimulatedNode node, JobId id, int attempt) {
        Tracked job = Objects.requireNonNull(jobs.get(id));
        note(node, subject(job.queue, job.group), "step of " + job.number + ", attempt " + attempt);
        state("step");
        if (job.stepped > 0 && job.stepped < attempt) {
            broken("repeats its step in attempt " + attempt + ", which attempt " + job.stepped + " has done", job);
        }
        return attempt;
    }

    /** A handler has the value of the step of its job. */
    void stepped(JobId id, int by) {
        Tracked job = Objects.requireNonNull(jobs.get(id));
        if (job.stepped > 0 && job.stepped != by) {
            broken("has the step of attempt " + by + ", and had that of attempt " + job.stepped, job);
        }
        job.stepped = by;
    }

    // ---- workers elsewhere

    /** A request for jobs has no answer, or a late one: leases may end of which no worker knows. */
    void pullUnsure() {
        pullsUnsure++;
    }

    /** A worker has a job, by a request that it sent at this moment. */
    void leased(Work work, AttemptId attempt, long asked, Duration lease) {
        String queue = attempt.queue().value();
        Tracked job = tracked(attempt.id(), queue, work);
        note(null, subject(queue, job.group), "lease of " + work.number() + ", attempt " + attempt.number() + ", for "
                + lease.toSeconds() + " s");
        state("lease");
        PauseState pause = pause(queue);
        if (pause.paused && asked > pause.at) {
            broken("is leased by a request that was sent after a pause was answered", job);
        }
        startedOfPaused(job, attempt);
        if (attempt.number() <= job.lastAttempt) {
            broken("starts attempt " + attempt.number() + " after attempt " + job.lastAttempt, job);
        }
        broken(job.mayNotStart, job);
        for (Run run : job.running.values()) {
            if (!mayBeLost(job, run)) {
                broken("is leased while it runs on " + run.where(), job);
            }
        }
        if (job.group != null) {
            startedInLine(job);
        }
        job.lastAttempt = attempt.number();
        job.lastStart = turns.now();
        job.running.put(attempt.number(), new Run(null, turns.now(), asked + lease.toNanos()));
        startedUnderLimits(job, queues.cost(work));
    }

    void prolonged(AttemptId attempt, long until) {
        Tracked job = Objects.requireNonNull(jobs.get(attempt.id()));
        job.running.computeIfPresent(attempt.number(),
                (_, run) -> new Run(null, run.began, Math.max(run.until, until)));
        note(null, subject(job.queue, job.group), "lease of " + job.number + " prolonged");
    }

    /** A worker is about to report: from now on the job may have ended. */
    void reporting(Work work, AttemptId attempt, char plan) {
        Tracked job = Objects.requireNonNull(jobs.get(attempt.id()));
        note(null, subject(job.queue, job.group), "report of " + work.number() + ", attempt " + attempt.number() + ": "
                + plan);
        state("report " + plan);
        Run run = job.running.get(attempt.number());
        job.reported.put(attempt.number(), new Report(plan, run == null ? 0 : run.until));
        ran(job, attempt);
        job.lastEnd = turns.now();
        switch (plan) {
            case 'd' -> job.unprocessable = true;
            case 'f', 'l' -> job.failures++;
            case 's' -> {
            }
            default -> job.succeeded = true;
        }
    }

    void accepted(AttemptId attempt, char plan) {
        Tracked job = Objects.requireNonNull(jobs.get(attempt.id()));
        note(null, subject(job.queue, job.group), "report of " + job.number + " accepted");
        if (plan == 'o') {
            job.mayNotStart = "starts after the report that it is done was accepted";
        }
    }

    /** @param sure whether no earlier report of the attempt may have taken effect */
    void refused(AttemptId attempt, SettleResult result, boolean sure) {
        Tracked job = Objects.requireNonNull(jobs.get(attempt.id()));
        Run run = job.running.get(attempt.number());
        Report report = job.reported.get(attempt.number());
        long until = report != null ? report.until : run != null ? run.until : 0;
        note(null, subject(job.queue, job.group), "report of " + job.number + " refused: " + result);
        if (result == SettleResult.CANCELLED ? !job.cancelAsked : sure && turns.now() < until && !job.cancelAsked) {
            broken("is taken from its worker (" + result + ") " + (until - turns.now()) / 1e9
                    + " s before its lease ends", job);
        }
        ran(job, attempt);
        if (sure && report != null) {
            job.reported.put(attempt.number(), new Report(REFUSED, until));
        }
        if (sure && report != null && job.reported.values().stream().noneMatch(other -> other.plan == 'o')) {
            job.succeeded = false;
        }
    }

    private void ran(Tracked job, AttemptId attempt) {
        job.running.remove(attempt.number());
        if (job.running.isEmpty()) {
            line(job).running.remove(job.id);
        }
    }

    static @Nullable String group(String queue, Work work) {
        return SimulatedQueues.isFifo(queue) ? "g" + work.number() / 100_000 : null;
    }

    void fired(SimulatedNode node, Instant instant, JobId id) {
        note(node, SimulatedNode.SCHEDULE, "instant " + instant);
        JobId before = instants.putIfAbsent(instant, id);
        if (before != null && !before.equals(id)) {
            broken("Instant " + instant + " of the schedule has two jobs: " + before + " and " + id, (Throwable) null);
        }
    }

    // ---- the end

    boolean isHealed() {
        return healed;
    }

    /** From now on nothing fails, and every attempt is done. */
    void healed() {
        healed = true;
        healedAt = turns.now();
        note(null, "", "nothing fails any more");
    }

    /** The ids of acknowledged and started jobs. */
    Collection<JobId> known() {
        return jobs.keySet();
    }

    /** Judges how the jobs ended. */
    void ended(Function<JobId, Optional<JobView>> views) {
        for (Tracked job : jobs.values()) {
            JobView view = views.apply(job.id).orElse(null);
            if (view == null) {
                broken("was acknowledged and is gone", job);
            } else if (view.state() == JobState.DONE) {
                if (!job.succeeded) {
                    broken("is done, and no handler has done it", job);
                } else if (job.lastAttempt > view.attempt()) {
                    broken("is done by attempt " + view.attempt() + ", and started attempt " + job.lastAttempt, job);
                } else if (job.lastStart < job.joined) {
                    broken("is the answer to a later push of its unique key, and ran before it only", job);
                }
            } else if (view.state() == JobState.CANCELLED) {
                if (!job.cancelAsked) {
                    broken("is cancelled, and nobody asked for it", job);
                }
            } else {
                broken("is " + view.state() + (view.run() == null ? "" : " on " + view.run().node()) + " "
                        + turns.now() / SECOND + " s after the start, long after the last"
                        + " fault", job);
            }
        }
    }

    /** Judges the jobs of the schedule: each instant has one in time, while a node that declares it has peace. */
    void scheduled(List<JobView> runs) {
        List.copyOf(nodes.keySet()).forEach(node -> disturbed(node, 0));
        TreeMap<Instant, JobView> byInstant = new TreeMap<>();
        for (JobView run : runs) {
            Instant instant = Instant.parse(Objects.requireNonNull(run.params().get(ScheduledRun.INSTANT)));
            if (byInstant.put(instant, run) != null) {
                broken("Instant " + instant + " of the schedule has two jobs", (Throwable) null);
            }
        }
        Timing timing = Timing.every(SimulatedNode.EVERY);
        for (Calm calm : calms) {
            Instant last = SimulatedTime.START.plusNanos(calm.to).minus(PUSHED);
            for (Instant instant = timing.next(SimulatedTime.START.plusNanos(calm.from)).orElseThrow(); instant
                    .isBefore(last); instant = timing.next(instant).orElseThrow()) {
                scheduled(calm.node, instant, byInstant);
            }
        }
    }

    private void scheduled(SimulatedNode node, Instant instant, NavigableMap<Instant, JobView> runs) {
        JobView run = runs.get(instant);
        boolean late = run != null && run.id().pushedAt().isAfter(instant.plus(PUSHED));
        boolean free = runs.headMap(instant).values().stream().allMatch(before -> before.endedAt() != null
                && before.endedAt().isBefore(instant.minus(NOTICED)));
        if (late || (run == null && free)) {
            broken("Instant " + instant + " of the schedule has " + (run == null
                    ? "no job"
                    : "its job at "
                            + run.id().pushedAt())
                    + ", and " + node.id + " worked undisturbed", (Throwable) null);
        }
    }

    private void mark(Work work, boolean start) {
        if (work.isTrial()) {
            marks.add(new LimitTrial.Mark(work.number(), turns.now(), start));
        }
    }

    /** The log of the handlers about trials. */
    List<LimitTrial.Mark> marks() {
        return marks;
    }

    boolean isAnswered(int number) {
        JobId id = byNumber.get(number);
        return id != null && Objects.requireNonNull(jobs.get(id)).answeredAt < Long.MAX_VALUE;
    }

    /** Begins a meeting: as many jobs of a queue as there are handlers must run at once. */
    void meet(Map<String, Integer> handlers) {
        meeting = handlers;
    }

    boolean awaitsOthers(Work work) {
        return work.plan().equals("m");
    }

    boolean allMet(Work work) {
        String queue = queueOf(work);
        int wanted = meeting.getOrDefault(queue, 0);
        if (nodes.values().stream().mapToInt(seen -> seen.busy.getOrDefault(queue, 0)).sum() >= wanted) {
            met.add(queue);
        }
        return met.contains(queue);
    }

    boolean haveMet() {
        return met.size() == meeting.size();
    }

    private String queueOf(Work work) {
        return Objects.requireNonNull(jobs.get(byNumber.get(work.number()))).queue;
    }

    /** Judges the meeting. */
    void parted() {
        meeting.forEach((queue, wanted) -> {
            if (!met.contains(queue)) {
                concerns = queue;
                broken("Queue " + queue + " has " + wanted + " handlers, and as many jobs do not run at once: a slot is"
                        + " lost", (Throwable) null);
            }
        });
    }

    /** The time after the last fault within which everything ends: jobs under limits wait for each other. */
    Duration patience() {
        return Duration.ofMinutes(6).plus(queues.isLimited() ? Duration.ofSeconds(jobs.size()) : Duration.ZERO);
    }
}
