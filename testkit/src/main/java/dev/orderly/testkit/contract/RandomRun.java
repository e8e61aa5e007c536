package dev.orderly.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.Attempt;
import dev.orderly.job.CancelResult;
import dev.orderly.job.ClaimRequest.Want;
import dev.orderly.job.ClaimRequest;
import dev.orderly.job.ClaimedJob;
import dev.orderly.job.Ending;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStore.Beat;
import dev.orderly.job.JobStore.Claims;
import dev.orderly.job.JobStore.SettleResult;
import dev.orderly.job.JobStore.UpkeepReport;
import dev.orderly.job.JobView;
import dev.orderly.job.NewJob;
import dev.orderly.job.NodeId;
import dev.orderly.job.OnDead;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.Settlement;
import dev.orderly.job.UpkeepRequest.Retention;
import dev.orderly.job.UpkeepRequest;
import dev.orderly.testkit.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Runs the same commands on the store under test and on the memory store, and compares all results that the port
 * defines.
 *
 * <p>The port leaves open which of the due jobs a claim hands out. The model therefore claims all due jobs, the choice
 * of the store under test must be a valid part of them, and the model gives the rest back. For that reason attempt
 * numbers differ; only the {@link Ledger} checks them.
 */
final class RandomRun {
    private static final int NODES = 3;
    private static final int ALL = 1_000;
    private static final Duration RECOVERY = Trial.NODE_DEAD.plusMillis(1_007);
    private static final Retention KEEP = new Retention(Duration.ofMinutes(40).plusMillis(1), 1_000_000,
            Duration.ofMinutes(90).plusMillis(1));

    private final Trial trial;
    private final Twins twins = new Twins();
    private final Ledger ledger = new Ledger();
    private final List<Member> members = new ArrayList<>();
    private final List<Line> lines = new ArrayList<>();
    private final List<Settlement> over = new ArrayList<>();
    private final Set<QueueName> paused = new HashSet<>();
    private MemoryStore model;
    private int named;

    RandomRun(Trial trial) {
        this.trial = trial;
        model = new MemoryStore(trial.time());
        trial.accompaniedBy(() -> model.jobs());
        for (int n = 0; n < NODES; n++) {
            members.add(join());
        }
    }

    /** Runs all commands, then completes all remaining jobs. */
    void take(List<Command> commands) {
        int taken = 0;
        for (Command command : commands) {
            take(command);
            if (++taken % 12 == 0) {
                compareViews();
            }
        }
        compareViews();
        finish();
    }

    private void take(Command command) {
        switch (command) {
            case Command.Push push -> push(push.items());
            case Command.Claim claim -> claim(picked(members, claim.pick()), claim.queue(), claim.lines());
            case Command.Settle settle -> settle(settle);
            case Command.SettleAgain again -> settleAgain(again);
            case Command.SettleOthers others -> settleOthers(others);
            case Command.Beat beat -> beat(picked(members, beat.pick()));
            case Command.Die die -> members.set(die.pick() % NODES, join());
            case Command.Upkeep upkeep -> upkeep(upkeep.limit(), upkeep.onDead());
            case Command.Pass pass -> trial.pass(pass.step());
            case Command.Pause pause -> pause(pause.queue(), pause.paused());
            case Command.Redrive redrive -> redrive(redrive.queue(), redrive.limit());
            case Command.Cancel cancel -> cancel(cancel.pick());
            case Command.Crash crash -> crash();
        }
    }

    private void push(List<Command.Item> items) {
        List<NewJob> jobs = items.stream().map(this::job).toList();
        List<PushResult> subject = trial.jobs().push(jobs, trial.now());
        List<PushResult> expected = model.jobs().push(jobs, trial.now());
        assertThat(subject).as("answers to a push").hasSameSizeAs(expected);
        for (int n = 0; n < jobs.size(); n++) {
            assertThat(subject.get(n)).as("answer to %s", items.get(n)).hasSameClassAs(expected.get(n));
            if (expected.get(n) instanceof PushResult.Accepted) {
                twins.add(subject.get(n).id(), expected.get(n).id());
                ledger.accepted(items.get(n).group());
            } else {
                assertThat(twins.number(subject.get(n).id())).as("first job of %s", items.get(n))
                        .isEqualTo(twins.number(expected.get(n).id()));
            }
        }
    }

    private NewJob job(Command.Item item) {
        Draft draft = Draft.to(item.queue(), item.group(), item.body()).priority(item.priority());
        if (item.delay() > 0) {
            draft = draft.at(trial.in(Duration.ofSeconds(item.delay())));
        }
        if (item.dedupe() != null) {
            draft = draft.dedupe(item.dedupe());
        }
        if (item.key() != null) {
            // Two requests share each key, so that some are refused.
            draft = draft.idempotency(item.key(), item.body().length() % 2 == 0 ? "even" : "odd");
        }
        return draft.job();
    }

    private void claim(Member member, QueueName queue, int limit) {
        Claims claims = trial.jobs().claim(new ClaimRequest(member.id, List.of(new Want(queue, limit))), trial.now());
        Claims possible = model.jobs().claim(new ClaimRequest(member.id, List.of(new Want(queue, ALL))), trial.now());
        Map<String, List<ClaimedJob>> chosen = runs(claims.jobs());
        Map<String, List<ClaimedJob>> due = runs(possible.jobs());
        assertThat(chosen).as("lines of %s handed out, of these: %s", queue, due.keySet())
                .hasSize(Math.min(limit, due.size()));
        checkNextDue(member, queue, claims, possible);
        for (Map.Entry<String, List<ClaimedJob>> run : due.entrySet()) {
            List<ClaimedJob> taken = chosen.getOrDefault(run.getKey(), List.of());
            List<ClaimedJob> rest = run.getValue().subList(Math.min(taken.size(), run.getValue().size()),
                    run.getValue().size());
            model.jobs().settle(rest.stream()
                    .map(job -> new Settlement(member.id, job.attempt(), new Ending.GiveBack())).toList(), trial.now());
        }
        chosen.forEach((name, run) -> hold(member, run, due.getOrDefault(name, List.of())));
    }

    private void hold(Member member, List<ClaimedJob> run, List<ClaimedJob> possible) {
        List<Integer> numbers = run.stream().map(job -> twins.number(job.id())).toList();
        assertThat(possible.stream().map(job -> twins.number(job.id())).toList()).as("what could be handed out")
                .startsWith(numbers.toArray(Integer[]::new));
        Line line = new Line(member, new ArrayDeque<>());
        for (int n = 0; n < run.size(); n++) {
            ClaimedJob job = run.get(n);
            assertThat(job.payload()).isEqualTo(possible.get(n).payload());
            assertThat(job.failures()).as("failures of job %s", numbers.get(n)).isEqualTo(possible.get(n).failures());
            ledger.handedOut(numbers.get(n), member.id, job.attempt().number());
            line.jobs.add(new Held(numbers.get(n), job.attempt(), possible.get(n).attempt()));
        }
        lines.add(line);
    }

    /** Jobs by group; a standard job is a group of its own. */
    private Map<String, List<ClaimedJob>> runs(List<ClaimedJob> jobs) {
        Map<String, List<ClaimedJob>> runs = new LinkedHashMap<>();
        for (ClaimedJob job : jobs) {
            String name = job.group() == null ? "job " + twins.number(job.id()) : job.group();
            runs.computeIfAbsent(name, key -> new ArrayList<>()).add(job);
        }
        return runs;
    }

    /**
     * The answer to a dead node does not matter. A FIFO queue may leave out a delayed job that is behind others of its
     * group.
     */
    private void checkNextDue(Member member, QueueName queue, Claims claims, Claims possible) {
        Instant due = possible.nextDue();
        if (due != null && !member.dead && !queue.isFifo() && !paused.contains(queue)) {
            assertThat(claims.nextDue()).as("next due in %s", queue).isNotNull().isBeforeOrEqualTo(due);
        }
    }

    private void settle(Command.Settle settle) {
        if (!lines.isEmpty()) {
            settle(picked(lines, settle.pick()), settle.how(), settle.seconds());
        }
    }

    /** Ends the first job of a run as a node does: unless the group may continue, the jobs behind it are given back. */
    private void settle(Line line, Command.How how, int seconds) {
        Ending ending = ending(how, seconds);
        List<Held> reported = goesOn(ending) ? List.of(line.jobs.getFirst()) : List.copyOf(line.jobs);
        List<Settlement> subject = new ArrayList<>();
        List<Settlement> expected = new ArrayList<>();
        for (Held job : reported) {
            Ending its = subject.isEmpty() ? ending : new Ending.GiveBack();
            subject.add(new Settlement(line.member.id, job.subject, its));
            expected.add(new Settlement(line.member.id, job.model, its));
        }
        assertThat(model.jobs().settle(expected, trial.now())).containsOnly(SettleResult.ACCEPTED);
        assertThat(trial.jobs().settle(subject, trial.now())).as("answer to the node that holds the job")
                .hasSameSizeAs(subject).containsOnly(SettleResult.ACCEPTED);
        for (int n = 0; n < reported.size(); n++) {
            ledger.released(line.jobs.removeFirst().number, n == 0 && isFinal(ending));
        }
        over.addAll(subject);
        lines.removeIf(each -> each.jobs.isEmpty());
    }

    private Ending ending(Command.How how, int seconds) {
        Instant later = trial.in(Duration.ofSeconds(seconds));
        return switch (how) {
            case DONE -> new Ending.Done(null);
            case RETRY -> new Ending.Retry(later, Node.FAILURE);
            case SNOOZE -> new Ending.Snooze(later);
            case GIVE_BACK -> new Ending.GiveBack();
            case DEAD -> new Ending.Dead(Node.FAILURE, false);
            case HALT -> new Ending.Dead(Node.FAILURE, true);
            case CANCELLED -> new Ending.Cancelled("Given up");
        };
    }

    private static boolean isFinal(Ending ending) {
        return switch (ending) {
            case Ending.Done done -> true;
            case Ending.Dead dead -> true;
            case Ending.Cancelled cancelled -> true;
            case Ending.Retry retry -> false;
            case Ending.Snooze snooze -> false;
            case Ending.GiveBack giveBack -> false;
        };
    }

    private static boolean goesOn(Ending ending) {
        return isFinal(ending) && !(ending instanceof Ending.Dead dead && dead.halt());
    }

    private void settleAgain(Command.SettleAgain again) {
        List<Settlement> tempting = over.stream().filter(this::isHeldAgain).toList();
        if (!over.isEmpty()) {
            Settlement past = picked(tempting.isEmpty() ? over : tempting, again.pick());
            refused(new Settlement(past.node(), past.attempt(), ending(again.how(), 0)));
        }
    }

    /** Whether the same node holds the same job again, so that only the attempt number fences. */
    private boolean isHeldAgain(Settlement past) {
        return lines.stream().filter(line -> line.member.id.equals(past.node()))
                .anyMatch(line -> line.jobs.stream().anyMatch(job -> job.subject.id().equals(past.attempt().id())));
    }

    private void settleOthers(Command.SettleOthers others) {
        if (!lines.isEmpty()) {
            Line line = picked(lines, others.pick());
            members.stream().filter(member -> !member.equals(line.member)).forEach(other -> refused(
                    new Settlement(other.id, line.jobs.getFirst().subject, ending(others.how(), 0))));
        }
    }

    private void refused(Settlement settlement) {
        assertThat(trial.jobs().settle(List.of(settlement), trial.now())).as("answer to %s", settlement)
                .containsExactly(SettleResult.LEASE_LOST);
    }

    private Member join() {
        Member member = new Member(new NodeId("member-" + ++named));
        beat(member);
        return member;
    }

    private void beat(Member member) {
        Beat subject = trial.jobs().beat(member.id);
        Beat expected = model.jobs().beat(member.id);
        assertThat(subject.alive()).as("%s alive", member.id).isEqualTo(expected.alive());
        assertThat(twins.numbers(subject.cancelled())).as("cancellations told to %s", member.id)
                .isEqualTo(twins.numbers(expected.cancelled()));
        member.lastBeat = trial.now();
        member.dead = false;
    }

    private void upkeep(int limit, Map<QueueName, OnDead> onDead) {
        List<UpkeepReport> subject = trial.upkeep(onDead, KEEP, limit);
        UpkeepReport expected = modelUpkeep(onDead);
        assertThat(twins.numbers(subject.stream().flatMap(report -> report.givenBack().stream()).toList()))
                .as("jobs given back").isEqualTo(twins.numbers(expected.givenBack()));
        assertThat(twins.numbers(subject.stream().flatMap(report -> report.poisoned().stream()).toList()))
                .as("jobs poisoned").isEqualTo(twins.numbers(expected.poisoned()));
        taken(expected);
    }

    private UpkeepReport modelUpkeep(Map<QueueName, OnDead> onDead) {
        return model.jobs().upkeep(
                new UpkeepRequest(Trial.NODE_DEAD, 3, onDead, KEEP, 1_000_000), trial.now());
    }

    private void taken(UpkeepReport report) {
        Instant deadBefore = trial.now().minus(Trial.NODE_DEAD);
        members.stream().filter(member -> member.lastBeat.isBefore(deadBefore)).forEach(member -> member.dead = true);
        Set<Integer> lost = new HashSet<>(twins.numbers(report.givenBack()));
        report.poisoned().forEach(id -> ledger.released(twins.number(id), true));
        lost.forEach(number -> ledger.released(number, false));
        report.poisoned().forEach(id -> lost.add(twins.number(id)));
        for (Line line : List.copyOf(lines)) {
            if (lost.contains(line.jobs.getFirst().number)) {
                line.jobs.forEach(job -> over.add(new Settlement(line.member.id, job.subject, new Ending.GiveBack())));
                lines.remove(line);
            }
        }
    }

    private void pause(QueueName queue, boolean stop) {
        trial.jobs().pause(queue, stop);
        model.jobs().pause(queue, stop);
        if (stop) {
            paused.add(queue);
        } else {
            paused.remove(queue);
        }
    }

    private void redrive(QueueName queue, int limit) {
        List<JobId> dead = model.jobViews().list(queue, JobState.DEAD, null, limit).stream().map(JobView::id).toList();
        int expected = model.jobs().redrive(queue, List.of(), limit, trial.now());
        assertThat(trial.jobs().redrive(queue, List.of(), limit, trial.now())).as("redriven").isEqualTo(expected);
        dead.forEach(id -> ledger.ended(twins.number(id), false));
    }

    private void cancel(int pick) {
        if (twins.size() > 0) {
            int number = pick % twins.size();
            CancelResult expected = model.jobs().cancel(twins.ofModel(number), trial.now());
            assertThat(trial.cancel(twins.ofSubject(number))).as("cancelling job %s", number).isEqualTo(expected);
            if (expected == CancelResult.CANCELLED) {
                ledger.ended(number, true);
            }
        }
    }

    private void crash() {
        trial.crash();
        model = model.crash();
        trial.pass(RECOVERY);
        trial.upkeep(Map.of(), KEEP, ALL);
        taken(modelUpkeep(Map.of()));
        members.replaceAll(gone -> join());
        compareViews();
    }

    private void compareViews() {
        trial.eventually(() -> twins.compare(trial.views(), model.jobViews(), trial.now()));
    }

    /** Completes every accepted job that is neither dead nor behind a halted head. */
    private void finish() {
        pause(Draft.MAIL, false);
        pause(Draft.ORDERS, false);
        for (int round = 0; round < ALL; round++) {
            while (!lines.isEmpty()) {
                settle(lines.getFirst(), Command.How.DONE, 0);
            }
            trial.pass(Duration.ofMinutes(3).plusMillis(7));
            Member member = members.getFirst();
            beat(member);
            claim(member, Draft.MAIL, ALL);
            claim(member, Draft.ORDERS, ALL);
            if (lines.isEmpty()) {
                break;
            }
        }
        compareViews();
    }

    private static <T> T picked(List<T> choice, int pick) {
        return Objects.requireNonNull(choice.get(pick % choice.size()));
    }

    private static final class Member {
        private final NodeId id;
        private Instant lastBeat = Instant.MIN;
        private boolean dead;

        Member(NodeId id) {
            this.id = id;
        }
    }

    /** The jobs that one handler of a node holds: a single job, or a run of a group. */
    private record Line(Member member, Deque<Held> jobs) {}

    private record Held(int number, Attempt subject, Attempt model) {}
}
