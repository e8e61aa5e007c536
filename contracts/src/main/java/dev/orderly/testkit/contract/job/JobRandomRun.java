package dev.orderly.testkit.contract.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.BatchView;
import dev.orderly.job.CancelResult;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.job.JobTwins.GroupRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the same commands on the store under test and on the memory store, and compares all results that the port
 * defines.
 *
 * <p>The port leaves open which of the due jobs a claim hands out. The model therefore claims all due jobs, the choice
 * of the store under test must be a valid part of them, and the model gives the rest back. For that reason attempt
 * numbers differ; only the {@link JobLedger} checks them.
 */
final class JobRandomRun {
    private static final int NODES = 3;
    private static final int ALL = 1_000;
    private static final Duration RECOVERY = JobTrial.NODE_DEAD.plusMillis(1_007);
    private static final Retention KEEP = new Retention(Duration.ofMinutes(40).plusMillis(1), 1_000_000,
            Duration.ofMinutes(90).plusMillis(1));

    private final JobTrial trial;
    private final JobTwins twins = new JobTwins();
    private final JobLedger ledger = new JobLedger();
    private final List<GroupRun.Member> members = new ArrayList<>();
    private final List<GroupRun> runs = new ArrayList<>();
    private final List<GroupRun.Held> leases = new ArrayList<>();
    private final List<Settlement> over = new ArrayList<>();
    private final Set<QueueName> paused = new HashSet<>();
    private final BatchTwins batches;
    /** Jobs that may have steps or events. */
    private final Set<Integer> kept = new TreeSet<>();
    private MemoryStore model;
    private int named;

    JobRandomRun(JobTrial trial) {
        this.trial = trial;
        model = new MemoryStore(trial.time());
        trial.accompaniedBy(() -> model.jobs());
        batches = new BatchTwins(twins, () -> trial.jobs().batches(), () -> model.jobs().batches());
        for (int n = 0; n < NODES; n++) {
            members.add(join());
        }
    }

    /** Runs all commands, then completes all remaining jobs. */
    void take(List<RandomJobStep> commands) {
        int taken = 0;
        for (RandomJobStep command : commands) {
            take(command);
            if (++taken % 12 == 0) {
                compareViews();
            }
        }
        compareViews();
        compareKept();
        finish();
    }

    private void take(RandomJobStep command) {
        switch (command) {
            case RandomJobStep.Push push -> push(push.items());
            case RandomJobStep.HandOff handOff -> handOff(picked(members, handOff.pick()), handOff.items());
            case RandomJobStep.Claim claim ->
                claim(picked(members, claim.pick()), claim.queue(), claim.limit(), List.of());
            case RandomJobStep.PassOver claim ->
                claim(picked(members, claim.pick()), claim.queue(), claim.limit(), some(claim.pick()));
            case RandomJobStep.Settle settle -> settle(settle);
            case RandomJobStep.Lease lease -> lease(lease);
            case RandomJobStep.Report report -> report(report);
            case RandomJobStep.SettleAgain again -> settleAgain(again);
            case RandomJobStep.SettleOthers others -> settleOthers(others);
            case RandomJobStep.Beat beat -> beat(picked(members, beat.pick()));
            case RandomJobStep.Die die -> members.set(die.pick() % NODES, join());
            case RandomJobStep.Upkeep upkeep -> upkeep(upkeep.limit(), upkeep.onDead());
            case RandomJobStep.Pass pass -> trial.pass(pass.step());
            case RandomJobStep.Pause pause -> pause(pause.queue(), pause.paused());
            case RandomJobStep.Redrive redrive -> redrive(redrive.queue(), redrive.limit());
            case RandomJobStep.Cancel cancel -> pickedJob(cancel.pick()).ifPresent(this::cancel);
            case RandomJobStep.CancelAndGiveBack cancel -> cancelAndGiveBack(cancel.pick());
            case RandomJobStep.RunNow now -> pickedJob(now.pick()).ifPresent(this::runNow);
            case RandomJobStep.Release release -> release(picked(members, release.pick()), release.kept());
            case RandomJobStep.Leave leave -> leave(picked(members, leave.pick()));
            case RandomJobStep.OpenBatch open -> batches.open(open, trial.now());
            case RandomJobStep.CloseBatch close -> batches.close(close.pick(), trial.now());
            case RandomJobStep.CancelBatch cancel -> batches.cancel(cancel.pick(), trial.now());
            case RandomJobStep.CancelMembers cancel -> batches.left(cancel.pick()).forEach(this::cancel);
            case RandomJobStep.FinishBatches _ -> finishBatches();
            case RandomJobStep.KeepStep step -> keep(step);
            case RandomJobStep.Await await -> await(await);
            case RandomJobStep.SendEvent event -> send(event);
            case RandomJobStep.Crash crash -> crash();
            case RandomJobStep.Copy copy -> copy();
        }
    }

    private void push(List<RandomJobStep.Item> items) {
        push(items, null);
    }

    /** The answers to a push into both stores; null if a batch has refused it. */
    private @Nullable PushAnswers push(List<RandomJobStep.Item> items, @Nullable NodeId claimer) {
        List<NewJob> ofSubject = new ArrayList<>();
        List<NewJob> ofModel = new ArrayList<>();
        List<Optional<BatchTwins.Twin>> asked = new ArrayList<>();
        for (RandomJobStep.Item item : items) {
            NewJob job = claimer == null ? item.job(trial) : item.job(trial).claimedBy(claimer);
            RandomJobStep.Member member = item.member();
            Optional<BatchTwins.Twin> batch = member == null ? Optional.empty() : batches.picked(member.batch());
            Optional<GroupRun.Held> parent = batch.filter(_ -> member != null && member.ofRunning())
                    .flatMap(of -> running().map(Running::job)
                            .min(Comparator.comparing(held -> !batches.isMember(held.number(), of.name()))));
            ofSubject.add(member(job, batch.map(BatchTwins.Twin::subject), parent.map(GroupRun.Held::subject)));
            ofModel.add(member(job, batch.map(BatchTwins.Twin::model), parent.map(GroupRun.Held::model)));
            asked.add(batch);
        }
        int first = twins.size();
        List<PushResult> subject = answers(trial.jobs(), ofSubject);
        List<PushResult> expected = answers(model.jobs(), ofModel);
        assertThat(subject == null).as("refusal of %s", items).isEqualTo(expected == null);
        if (subject == null || expected == null) {
            return null;
        }
        twins.pushed(items, subject, expected).forEach(item -> ledger.accepted(item.group()));
        for (int n = 0; n < items.size(); n++) {
            int number = twins.number(expected.get(n).id());
            if (expected.get(n) instanceof PushResult.Accepted && number >= first) {
                asked.get(n).ifPresent(batch -> batches.pushed(number, batch.name()));
            }
        }
        return new PushAnswers(subject, expected);
    }

    private record PushAnswers(List<PushResult> subject, List<PushResult> expected) {}

    private static NewJob member(NewJob job, Optional<BatchView> batch, Optional<AttemptId> parent) {
        return batch.map(of -> job.on(job.terms().withBatch(of.member()), job.unique())
                .childOf(parent.map(AttemptId::id).orElse(null))).orElse(job);
    }

    private @Nullable List<PushResult> answers(JobStore jobs, List<NewJob> pushed) {
        try {
            return jobs.push(pushed, trial.now());
        } catch (PushRefusedException _) {
            return null;
        }
    }

    /** The store under test may hand off less than the model; the model gives that back. */
    private void handOff(GroupRun.Member member, List<RandomJobStep.Item> items) {
        PushAnswers answers = push(items, member.id);
        for (int n = 0; answers != null && n < items.size(); n++) {
            QueueName queue = items.get(n).queue();
            PushResult subject = answers.subject.get(n);
            PushResult expected = answers.expected.get(n);
            if (isHandedOff(expected)) {
                AttemptId ofModel = new AttemptId(expected.id(), queue, 1);
                if (isHandedOff(subject)) {
                    int number = twins.number(ofModel.id());
                    ledger.handedOut(number, member.id, 1);
                    runs.add(new GroupRun(member, new ArrayDeque<>(List.of(new GroupRun.Held(number,
                            new AttemptId(subject.id(), queue, 1), ofModel)))));
                } else {
                    model.jobs().settle(
                            List.of(new Settlement(member.id, ofModel, new AttemptOutcome.GiveBack())), trial.now());
                }
            } else {
                assertThat(isHandedOff(subject)).as("hand-off of %s", items.get(n)).isFalse();
            }
        }
    }

    private static boolean isHandedOff(PushResult result) {
        return result instanceof PushResult.Accepted(JobId _, boolean handedOff) && handedOff;
    }

    /** The numbers of up to three jobs. */
    private List<Integer> some(int pick) {
        return twins.size() == 0
                ? List.of()
                : Stream.of(pick, pick / 7, pick / 49).map(each -> each % twins.size()).distinct().toList();
    }

    private void claim(GroupRun.Member member, QueueName queue, int limit, List<Integer> passedOver) {
        Set<JobId> ofSubject = passedOver.stream().map(twins::ofSubject).collect(Collectors.toSet());
        Set<JobId> ofModel = passedOver.stream().map(twins::ofModel).collect(Collectors.toSet());
        ClaimedJobs claims = trial.jobs().claim(
                new ClaimRequest(member.id, List.of(new Demand(queue, limit)), Long.MAX_VALUE, ofSubject), trial.now());
        ClaimedJobs possible = model.jobs().claim(
                new ClaimRequest(member.id, List.of(new Demand(queue, ALL)), Long.MAX_VALUE, ofModel), trial.now());
        Map<String, List<ClaimedJob>> chosen = twins.runs(claims.jobs());
        Map<String, List<ClaimedJob>> due = twins.runs(possible.jobs());
        assertThat(chosen).as("runs of %s handed out, of these: %s", queue, due.keySet())
                .hasSize(Math.min(limit, due.size()));
        checkNextDue(member, queue, claims, possible);
        for (Map.Entry<String, List<ClaimedJob>> run : due.entrySet()) {
            List<ClaimedJob> taken = chosen.getOrDefault(run.getKey(), List.of());
            List<ClaimedJob> rest = run.getValue().subList(Math.min(taken.size(), run.getValue().size()),
                    run.getValue().size());
            model.jobs().settle(rest.stream()
                    .map(job -> new Settlement(member.id, job.attempt(), new AttemptOutcome.GiveBack())).toList(),
                    trial.now());
        }
        chosen.forEach((name, run) -> hold(member, run, due.getOrDefault(name, List.of())));
    }

    private void hold(GroupRun.Member member, List<ClaimedJob> claimed, List<ClaimedJob> possible) {
        List<Integer> numbers = claimed.stream().map(job -> twins.number(job.id())).toList();
        assertThat(possible.stream().map(job -> twins.number(job.id())).toList()).as("what could be handed out")
                .startsWith(numbers.toArray(Integer[]::new));
        GroupRun run = new GroupRun(member, new ArrayDeque<>());
        for (int n = 0; n < claimed.size(); n++) {
            ClaimedJob job = claimed.get(n);
            assertThat(job.payload()).isEqualTo(possible.get(n).payload());
            assertThat(job.failures()).as("failures of job %s", numbers.get(n)).isEqualTo(possible.get(n).failures());
            ledger.handedOut(numbers.get(n), member.id, job.attempt().number());
            run.jobs().add(new GroupRun.Held(numbers.get(n), job.attempt(), possible.get(n).attempt()));
        }
        runs.add(run);
    }

    /**
     * The answer to a dead node does not matter. A FIFO queue may leave out a delayed job that is behind others of its
     * group.
     */
    private void checkNextDue(GroupRun.Member member, QueueName queue, ClaimedJobs claims, ClaimedJobs possible) {
        Instant due = possible.nextDue();
        if (due != null && !member.dead && !queue.isFifo() && !paused.contains(queue)) {
            assertThat(claims.nextDue()).as("next due in %s", queue).isNotNull().isBeforeOrEqualTo(due);
        }
    }

    private void settle(RandomJobStep.Settle settle) {
        if (!runs.isEmpty()) {
            settle(picked(runs, settle.pick()), settle.how().outcome(trial, settle.seconds()));
        }
    }

    /** Ends the first job of a run as a node does: unless the group may continue, the jobs behind it are given back. */
    private void settle(GroupRun run, AttemptOutcome outcome) {
        List<GroupRun.Held> reported = outcome.isFinal() ? List.of(run.jobs().getFirst()) : List.copyOf(run.jobs());
        List<Settlement> subject = new ArrayList<>();
        List<Settlement> expected = new ArrayList<>();
        for (GroupRun.Held job : reported) {
            AttemptOutcome its = subject.isEmpty() ? outcome : new AttemptOutcome.GiveBack();
            subject.add(new Settlement(run.member().id, job.subject(), its));
            expected.add(new Settlement(run.member().id, job.model(), its));
        }
        assertThat(model.jobs().settle(expected, trial.now())).containsOnly(SettleResult.ACCEPTED);
        assertThat(trial.jobs().settle(subject, trial.now())).as("answer to the node that holds the job")
                .hasSameSizeAs(subject).containsOnly(SettleResult.ACCEPTED);
        for (int n = 0; n < reported.size(); n++) {
            released(run.jobs().removeFirst().number());
        }
        over.addAll(subject);
        runs.removeIf(each -> each.jobs().isEmpty());
    }

    /** Records the end of an attempt, for good if the model says so. */
    private void released(int number) {
        ledger.released(number,
                model.jobViews().find(twins.ofModel(number)).map(view -> view.state().isEnd()).orElse(true));
    }

    /** Leases the first job of a run as a node does: the jobs behind it are given back. */
    private void lease(RandomJobStep.Lease lease) {
        if (runs.isEmpty()) {
            return;
        }
        GroupRun run = picked(runs, lease.pick());
        GroupRun.Held first = run.jobs().getFirst();
        AttemptOutcome leased = new AttemptOutcome.Leased(Duration.ofSeconds(lease.seconds()));
        NodeId node = run.member().id;
        List<SettleResult> expected = model.jobs().settle(List.of(new Settlement(node, first.model(), leased)),
                trial.now());
        assertThat(trial.jobs().settle(List.of(new Settlement(node, first.subject(), leased)), trial.now()))
                .as("answer to a lease").isEqualTo(expected);
        if (expected.getFirst() == SettleResult.ACCEPTED) {
            run.jobs().removeFirst();
            leases.add(first);
            ledger.leased(first.number());
            over.add(new Settlement(node, first.subject(), leased));
            if (!run.jobs().isEmpty()) {
                settle(run, new AttemptOutcome.GiveBack());
            }
            runs.remove(run);
        }
    }

    private void report(RandomJobStep.Report report) {
        if (leases.isEmpty()) {
            return;
        }
        RandomJobStep.How how = report.how();
        report(picked(leases, report.pick()), how == null
                ? new AttemptOutcome.Leased(Duration.ofSeconds(report.seconds()))
                : how.outcome(trial, report.seconds()));
    }

    private void report(GroupRun.Held job, AttemptOutcome outcome) {
        List<SettleResult> expected = model.jobs().settle(List.of(new Settlement(null, job.model(), outcome)),
                trial.now());
        assertThat(trial.jobs().settle(List.of(new Settlement(null, job.subject(), outcome)), trial.now()))
                .as("answer to the worker of a leased job").isEqualTo(expected)
                .doesNotContain(SettleResult.LEASE_LOST);
        if (!(outcome instanceof AttemptOutcome.Leased)) {
            leaseEnded(job);
        }
    }

    private void leaseEnded(GroupRun.Held job) {
        leases.remove(job);
        released(job.number());
        over.add(new Settlement(null, job.subject(), new AttemptOutcome.Done(null)));
    }

    private void settleAgain(RandomJobStep.SettleAgain again) {
        List<Settlement> tempting = over.stream().filter(past -> runs.stream().anyMatch(run -> run.repeats(past)))
                .toList();
        if (!over.isEmpty()) {
            Settlement past = picked(tempting.isEmpty() ? over : tempting, again.pick());
            refused(new Settlement(past.node(), past.attempt(), again.how().outcome(trial, 0)));
        }
    }

    private void settleOthers(RandomJobStep.SettleOthers others) {
        if (!runs.isEmpty()) {
            GroupRun run = picked(runs, others.pick());
            members.stream().filter(member -> !member.equals(run.member())).forEach(other -> refused(
                    new Settlement(other.id, run.jobs().getFirst().subject(), others.how().outcome(trial, 0))));
        }
        if (!leases.isEmpty()) {
            GroupRun.Held job = picked(leases, others.pick());
            members.forEach(other -> refused(new Settlement(other.id, job.subject(), others.how().outcome(trial, 0))));
        }
    }

    private void refused(Settlement settlement) {
        assertThat(trial.jobs().settle(List.of(settlement), trial.now())).as("answer to %s", settlement)
                .containsExactly(SettleResult.LEASE_LOST);
    }

    private GroupRun.Member join() {
        GroupRun.Member member = new GroupRun.Member(new NodeId("member-" + ++named));
        beat(member);
        return member;
    }

    private void beat(GroupRun.Member member) {
        Heartbeat subject = trial.jobs().beat(member.id);
        Heartbeat expected = model.jobs().beat(member.id);
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
        assertThat(twins.numbers(subject.stream().flatMap(report -> report.cancelled().stream()).toList()))
                .as("jobs cancelled").isEqualTo(twins.numbers(expected.cancelled()));
        assertThat(twins.numbers(subject.stream().flatMap(report -> report.timedOut().stream()).toList()))
                .as("leases ended").isEqualTo(twins.numbers(expected.timedOut()));
        taken(expected);
    }

    private UpkeepReport modelUpkeep(Map<QueueName, OnDead> onDead) {
        return model.jobs().upkeep(
                new UpkeepRequest(JobTrial.NODE_DEAD, 3, JobTrial.declared(onDead), KEEP, 1_000_000), trial.now());
    }

    private void taken(UpkeepReport report) {
        Instant deadBefore = trial.now().minus(JobTrial.NODE_DEAD);
        members.stream().filter(member -> member.lastBeat.isBefore(deadBefore)).forEach(member -> member.dead = true);
        List<Integer> timedOut = twins.numbers(report.timedOut());
        leases.stream().filter(job -> timedOut.contains(job.number())).toList().forEach(this::leaseEnded);
        Set<Integer> lost = new HashSet<>();
        Stream.of(report.givenBack(), report.poisoned(), report.cancelled())
                .forEach(ids -> lost.addAll(twins.numbers(ids)));
        lost.forEach(this::released);
        for (GroupRun run : List.copyOf(runs)) {
            if (lost.contains(run.jobs().getFirst().number())) {
                run.givenBack(GroupRun.Held::subject).forEach(over::add);
                runs.remove(run);
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
        int expected = model.jobs().redriveAll(queue, limit, trial.now());
        assertThat(trial.jobs().redriveAll(queue, limit, trial.now())).as("redriven").isEqualTo(expected);
        dead.forEach(id -> ledger.ended(twins.number(id), false));
    }

    private void cancel(int number) {
        CancelResult expected = model.jobs().cancel(twins.ofModel(number), trial.now());
        assertThat(trial.cancel(twins.ofSubject(number))).as("cancelling job %s", number).isEqualTo(expected);
        if (expected == CancelResult.CANCELLED) {
            ledger.ended(number, true);
        }
    }

    private void cancelAndGiveBack(int pick) {
        if (!runs.isEmpty()) {
            GroupRun run = picked(runs, pick);
            cancel(picked(List.copyOf(run.jobs()), pick / 7).number());
            settle(run, new AttemptOutcome.GiveBack());
        }
    }

    private void runNow(int number) {
        assertThat(trial.jobs().runNow(twins.ofSubject(number), trial.now())).as("running job %s now", number)
                .isEqualTo(model.jobs().runNow(twins.ofModel(number), trial.now()));
    }

    private Optional<Integer> pickedJob(int pick) {
        return twins.size() == 0 ? Optional.empty() : Optional.of(pick % twins.size());
    }

    /** A round of both stores; returns whether callbacks were pushed. */
    private boolean finishBatches() {
        List<Optional<String>> groups = batches.finish(trial.now());
        groups.forEach(group -> ledger.accepted(group.orElse(null)));
        return !groups.isEmpty();
    }

    /** A job that an attempt runs now; {@code node} is null for a leased one. */
    private record Running(@Nullable GroupRun run, GroupRun.Held job) {
        @Nullable
        NodeId node() {
            return run == null ? null : run.member().id;
        }
    }

    private Stream<Running> running() {
        return Stream.concat(runs.stream().map(run -> new Running(run, run.jobs().getFirst())),
                leases.stream().map(job -> new Running(null, job)));
    }

    private void keep(RandomJobStep.KeepStep step) {
        Payload value = step.value() == 0 ? null : value(step.value());
        if (step.pick() % 5 == 0 && !over.isEmpty()) {
            Settlement past = picked(over, step.pick() / 5);
            assertThat(trial.jobs().keep(new StepReport(past.node(), past.attempt(), step.name(), value), trial.now()))
                    .as("a step of %s", past).isEqualTo(StepResult.LEASE_LOST);
            return;
        }
        List<Running> running = running().toList();
        if (!running.isEmpty()) {
            Running attempt = picked(running, step.pick());
            GroupRun.Held job = attempt.job();
            kept.add(job.number());
            StepReport ofSubject = new StepReport(attempt.node(), job.subject(), step.name(), value);
            StepReport ofModel = new StepReport(attempt.node(), job.model(), step.name(), value);
            assertThat(trial.jobs().keep(ofSubject, trial.now())).as("step %s of job %s", step.name(), job.number())
                    .isEqualTo(model.jobs().keep(ofModel, trial.now()));
        }
    }

    /** A value of a step or an event; some are so large that a job has no room for five. */
    private static Payload value(int pick) {
        return pick == 3
                ? new Payload("application/octet-stream", new byte[60_000])
                : Payload.json("{\"value\":" + pick + "}");
    }

    private void await(RandomJobStep.Await await) {
        Instant until = trial.in(Duration.ofSeconds(await.seconds()));
        if (await.pick() % 5 == 0 && !over.isEmpty()) {
            Settlement past = picked(over, await.pick() / 5);
            await.names().forEach(name -> assertThat(
                    trial.jobs().await(new EventWait(past.node(), past.attempt(), name, until), trial.now()))
                    .as("a question of %s", past).isEqualTo(AwaitAnswer.Refused.LEASE_LOST));
            return;
        }
        List<Running> running = running().toList();
        if (running.isEmpty()) {
            return;
        }
        Running attempt = picked(running, await.pick());
        kept.add(attempt.job().number());
        Instant end = Instant.MAX;
        for (String name : await.names()) {
            AwaitAnswer ofModel = model.jobs()
                    .await(new EventWait(attempt.node(), attempt.job().model(), name, until), trial.now());
            AwaitAnswer ofSubject = trial.jobs()
                    .await(new EventWait(attempt.node(), attempt.job().subject(), name, until), trial.now());
            assertThat(seen(ofSubject)).as("event %s of job %s", name, attempt.job().number()).isEqualTo(seen(ofModel));
            if (!(ofModel instanceof AwaitAnswer.Known(JobEvent event))) {
                return;
            }
            JobEvent.Awaited awaited = event.awaited();
            end = awaited == null || awaited.until().isAfter(end) ? end : awaited.until();
        }
        if (await.ends()) {
            AttemptOutcome outcome = new AttemptOutcome.Awaiting(await.names(), end.equals(Instant.MAX) ? null : end);
            if (attempt.run() == null) {
                report(attempt.job(), outcome);
            } else {
                settle(attempt.run(), outcome);
            }
        }
    }

    private static Object seen(AwaitAnswer answer) {
        return answer instanceof AwaitAnswer.Known(JobEvent event) ? JobTwins.ComparedEvent.of(event, false) : answer;
    }

    private void send(RandomJobStep.SendEvent event) {
        pickedJob(event.pick()).ifPresent(number -> {
            kept.add(number);
            Payload value = value(event.value());
            assertThat(trial.jobs().event(new NewEvent(twins.ofSubject(number), event.name(), "a run", value),
                    trial.now())).as("event %s for job %s", event.name(), number)
                    .isEqualTo(model.jobs().event(new NewEvent(twins.ofModel(number), event.name(), "a run", value),
                            trial.now()));
        });
    }

    private void release(GroupRun.Member member, int kept) {
        List<GroupRun> own = runs.stream().filter(run -> run.member() == member).toList();
        List<GroupRun> keep = own.subList(0, Math.min(kept, own.size()));
        List<GroupRun.Held> except = keep.stream().flatMap(run -> run.jobs().stream()).toList();
        int expected = model.jobs().release(member.id,
                except.stream().map(job -> job.model().id()).collect(Collectors.toSet()), trial.now());
        assertThat(trial.jobs().release(member.id,
                except.stream().map(job -> job.subject().id()).collect(Collectors.toSet()), trial.now()))
                .as("jobs released").isEqualTo(expected);
        own.stream().filter(run -> expected > 0 && !keep.contains(run)).forEach(this::lost);
    }

    private void leave(GroupRun.Member member) {
        int expected = model.jobs().leave(member.id, trial.now());
        assertThat(trial.jobs().leave(member.id, trial.now())).as("jobs of %s, which leaves", member.id)
                .isEqualTo(expected);
        runs.stream().filter(run -> expected > 0 && run.member() == member).toList().forEach(this::lost);
        member.dead = true;
    }

    /** A node holds a run no more. */
    private void lost(GroupRun run) {
        run.givenBack(GroupRun.Held::subject).forEach(over::add);
        run.jobs().forEach(job -> released(job.number()));
        runs.remove(run);
    }

    private void crash() {
        trial.crash();
        model = model.crash();
        trial.pass(RECOVERY);
        trial.upkeep(Map.of(), KEEP, ALL);
        taken(modelUpkeep(Map.of()));
        members.replaceAll(gone -> join());
        compareViews();
        compareKept();
    }

    /** In the copy every job that ran waits again, and its attempt counts neither as a failure nor as a crash. */
    private void copy() {
        trial.copy();
        model.jobs().settle(Stream.concat(runs.stream().flatMap(run -> run.givenBack(GroupRun.Held::model)),
                leases.stream().map(job -> new Settlement(null, job.model(), new AttemptOutcome.GiveBack())))
                .toList(), trial.now());
        model = model.crash();
        List.copyOf(runs).forEach(this::lost);
        List.copyOf(leases).forEach(this::leaseEnded);
        members.replaceAll(gone -> join());
        compareViews();
        compareKept();
    }

    private void compareViews() {
        trial.eventually(() -> twins.compare(trial.views(), model.jobViews(), trial.now()));
    }

    private void compareKept() {
        twins.compareKept(kept, trial.views(), model.jobViews(), trial.now());
    }

    /** Completes every accepted job that is neither dead nor behind a halted head. */
    private void finish() {
        pause(JobDraft.MAIL, false);
        pause(JobDraft.ORDERS, false);
        batches.closeAll(trial.now());
        boolean called = true;
        for (int round = 0; round < ALL && (called || !runs.isEmpty()); round++) {
            while (!runs.isEmpty()) {
                settle(runs.getFirst(), new AttemptOutcome.Done(null));
            }
            while (!leases.isEmpty()) {
                report(leases.getFirst(), new AttemptOutcome.Done(null));
            }
            trial.pass(Duration.ofMinutes(3).plusMillis(7));
            GroupRun.Member member = members.getFirst();
            beat(member);
            claim(member, JobDraft.MAIL, ALL, List.of());
            claim(member, JobDraft.ORDERS, ALL, List.of());
            called = finishBatches();
        }
        compareViews();
    }

    private static <T> T picked(List<T> choice, int pick) {
        return Objects.requireNonNull(choice.get(pick % choice.size()));
    }
}
