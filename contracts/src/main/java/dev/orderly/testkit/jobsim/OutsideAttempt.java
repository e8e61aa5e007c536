package dev.orderly.testkit.jobsim;

import dev.orderly.job.JobEvent;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobStep;
import dev.orderly.job.Payload;
import dev.orderly.job.Push;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An attempt of a worker elsewhere, which asks whichever node works: it awaits, does its step, and reports. */
final class OutsideAttempt {
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int TRIES = 4;

    private final OutsideWorkers workers;
    private final JobReferee referee;
    private final Turns turns;
    private final Work work;
    private final AttemptId attempt;
    private final Duration lease;
    private final char plan;

    OutsideAttempt(OutsideWorkers workers, JobReferee referee, Turns turns, ClaimedJob job, Duration lease) {
        this.workers = workers;
        this.referee = referee;
        this.turns = turns;
        this.work = Work.parse(job.payload().asText().replace("\"", ""));
        this.attempt = job.attempt();
        this.lease = lease;
        this.plan = referee.isHealed() ? 'o' : work.plan(attempt.number());
    }

    /** @param asked when the request for the job was sent */
    void run(long asked) {
        referee.leased(work, attempt, asked, lease);
        TrackedJob job = referee.jobs.get(attempt.id());
        if ((!work.awaits() || mayGoOn(job)) && works() && (!work.hasStep() || hasStep(job))) {
            if (work.hasChild(attempt.number())) {
                pushChild(job);
            }
            if (plan != 'i') { // otherwise the worker is gone
                report(plan);
            }
        }
    }

    /** Works as long as the plan says; whether the worker still has the job, as far as it knows. */
    private boolean works() {
        long left = referee.isHealed() ? Math.min(work.millis(), 20) : work.millis();
        while (left > 0) {
            long part = Math.min(left, lease.toMillis() / 2);
            workers.sleep(Duration.ofMillis(part));
            left -= part;
            if (left > 0 && work.number() % 2 == 0 && !prolong()) {
                return false;
            }
        }
        return true;
    }

    private boolean prolong() {
        long sent = turns.now();
        SettleResult result = workers.ask(client(client -> client.report(attempt, new AttemptOutcome.Leased(lease))));
        if (result == SettleResult.ACCEPTED) {
            referee.reports.prolonged(attempt, sent + lease.toNanos());
        } else if (result != null) {
            referee.reports.refused(attempt, result, true);
        }
        return result == null || result == SettleResult.ACCEPTED;
    }

    private static <T> Function<SimulatedNode, T> client(Function<JobClient, T> request) {
        return node -> request.apply(node.orderly().engines().jobs());
    }

    // ---- events

    /** Whether the event has come or its wait is over. Otherwise the attempt ends as one that waits, or is given up. */
    private boolean mayGoOn(TrackedJob job) {
        List<JobEvent> told = workers.ask(client(client -> client.eventsFor(attempt)));
        if (told == null) {
            return false;
        }
        for (JobEvent event : told) {
            if (isOver(job, event)) {
                return true;
            }
        }
        referee.events.asking(job.id);
        AwaitAnswer answer = workers.ask(client(client -> client.reportAwait(attempt, EventReferee.NAME,
                client.now().plus(EventReferee.WAIT))));
        if (!(answer instanceof AwaitAnswer.Known(JobEvent event))) {
            return false;
        }
        if (event.arrival() == null && isOver(job, event)) {
            return true;
        }
        report(Work.AWAITS, client -> client.report(attempt, new AttemptOutcome.Awaiting(Set.of(EventReferee.NAME),
                event.arrival() != null ? null : Objects.requireNonNull(event.awaited()).until())));
        SimulatedNode sender = workers.anyWorking();
        if (referee.isHealed() && sender != null) {
            sender.sendSoon(job.id, attempt.number());
        }
        return false;
    }

    private boolean isOver(TrackedJob job, JobEvent event) {
        if (event.arrival() != null) {
            referee.events.told(null, job, Integer.parseInt(event.arrival().value().asText()));
            return true;
        }
        if (event.awaited() != null && event.awaited().over()) {
            referee.events.timedOut(null, job);
            return true;
        }
        return false;
    }

    // ---- steps

    /** Whether the step is kept, by this attempt or an earlier one, and the worker knows that. */
    private boolean hasStep(TrackedJob job) {
        List<JobStep> steps = attempt.number() == 1
                ? List.of()
                : workers.ask(client(client -> client.steps(attempt.id())));
        if (steps == null) {
            return false;
        }
        if (!steps.isEmpty()) {
            referee.steps.has(job, attempt.number(),
                    Integer.parseInt(Objects.requireNonNull(steps.getFirst().value()).asText()));
            return true;
        }
        referee.steps.doing(null, job, attempt.number());
        for (int tries = 0; tries < TRIES; tries++) {
            StepResult result = workers.ask(client(client -> client.reportStep(attempt, StepReferee.NAME,
                    Payload.json(String.valueOf(attempt.number())))));
            if (result == StepResult.KEPT) {
                referee.steps.has(job, attempt.number(), attempt.number());
            } else if (result == StepResult.TAKEN || result == StepResult.FULL) {
                referee.timeline.broken("has a step that no attempt before was told of: " + result, job);
            }
            if (result != null && result != StepResult.BLOCKED) {
                return result == StepResult.KEPT;
            }
            workers.sleep(AGAIN);
        }
        return false;
    }

    // ---- batches

    private void pushChild(TrackedJob job) {
        SimulatedNode node = workers.anyWorking();
        Work child = work.child(attempt.number());
        if (node != null) {
            node.pushChild(job, child, () -> workers.<Push.Answer>ask(node, each -> each.push(job, child)));
        }
    }

    // ---- reports

    private void report(char how) {
        report(how, client -> switch (how) {
            case 'f' -> client.reportFailure(attempt, new JobFailure("planned", ""), null, false);
            case 'd' -> client.reportFailure(attempt, new JobFailure("planned", ""), null, true);
            case 'l' -> client.reportFailure(attempt, new JobFailure("planned", ""), Duration.ofSeconds(2), false);
            case 's' -> client.report(attempt, new AttemptOutcome.Snooze(client.now().plusSeconds(1)));
            default -> client.report(attempt, new AttemptOutcome.Done(null));
        });
    }

    private void report(char how, Function<JobClient, SettleResult> request) {
        referee.state("report " + how);
        referee.reports.reporting(attempt, how);
        boolean sure = true;
        for (int tries = 0; tries < TRIES; tries++) {
            @Nullable
            SettleResult result = workers.ask(client(request));
            if (result == SettleResult.ACCEPTED) {
                referee.reports.accepted(attempt, how);
                return;
            }
            if (result != null) {
                referee.reports.refused(attempt, result, sure);
                return;
            }
            sure = false;
            workers.sleep(AGAIN);
        }
    }
}
