package dev.orderly.http.api;

import dev.orderly.http.user.job.EventsJson;
import dev.orderly.http.user.job.StepsJson;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.http.webhook.WorkerError;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Throttled;
import dev.orderly.job.engine.EventUrls;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.Redaction;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.StepReport;
import dev.orderly.text.StoredText;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reports of workers about their attempts, authorised by attempt tokens. A repeated report of the same kind is answered
 * as the first, so that a worker may repeat a report whose answer was lost.
 */
final class AttemptReports {
    private final JobClient client;
    private final AttemptTokens tokens;
    private final Redaction redaction;

    AttemptReports(JobClient client, AttemptTokens tokens, Redaction redaction) {
        this.redaction = redaction;
        this.client = client;
        this.tokens = tokens;
    }

    /** @throws ProblemException if the token is missing, or not of an attempt of this job */
    AttemptId attempt(String job, @Nullable String token) {
        if (token == null || token.isEmpty()) {
            throw new ProblemException(ProblemType.ATTEMPT_TOKEN, "The report has no " + AttemptTokens.HEADER
                    + ": send the token that came with the job");
        }
        return parsed(job).flatMap(id -> tokens.verify(id, token))
                .orElseThrow(() -> new ProblemException(ProblemType.ATTEMPT_TOKEN, "The " + AttemptTokens.HEADER
                        + " is not of an attempt of this job: send the token that came with the job, unchanged"));
    }

    private static Optional<JobId> parsed(String job) {
        try {
            return Optional.of(JobId.parse(job));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    ReportJson done(AttemptId attempt, @Nullable Payload result) {
        return answer(attempt, client.report(attempt, new AttemptOutcome.Done(result)), Set.of(JobState.DONE));
    }

    /**
     * Fails an attempt.
     *
     * @param words the error, of what masks the values of its job
     * @param dead whether the job becomes a dead letter at once
     */
    ReportJson failed(AttemptId attempt, Function<UnaryOperator<String>, WorkerError> words,
            @Nullable Duration retryIn, boolean dead) {
        WorkerError error = words.apply(masked(attempt));
        String message = error.message().isEmpty() ? "The worker reported a failure" : error.message();
        JobFailure failure = new JobFailure(message, error.text());
        return answer(attempt, client.reportFailure(attempt, failure, retryIn, dead),
                Set.of(JobState.DELAYED, JobState.WAITING, JobState.DEAD));
    }

    /** What masks the values of a job in the words of its worker. Reads the job, if anything is masked. */
    private UnaryOperator<String> masked(AttemptId attempt) {
        return redaction.equals(Redaction.NONE)
                ? UnaryOperator.identity()
                : client.find(attempt.id()).map(job -> redaction.maskedIn(job.params(), job.payload()))
                        .orElse(UnaryOperator.identity());
    }

    ReportJson snooze(AttemptId attempt, Duration delay) {
        return answer(attempt, client.report(attempt, new AttemptOutcome.Snooze(client.now().plus(delay))),
                Set.of(JobState.DELAYED, JobState.WAITING));
    }

    /** @param all whether the limit of the queue rests, in place of the key of the job */
    ReportJson throttled(AttemptId attempt, Duration rest, boolean all) {
        return answer(attempt, client.reportThrottled(attempt, all ? Throttled.all(rest) : new Throttled(rest)),
                Set.of(JobState.DELAYED, JobState.WAITING, JobState.DEAD));
    }

    ReportJson release(AttemptId attempt) {
        return answer(attempt, client.report(attempt, new AttemptOutcome.GiveBack()),
                Set.of(JobState.WAITING, JobState.DELAYED));
    }

    ReportJson heartbeat(AttemptId attempt, Duration lease) {
        SettleResult result = client.report(attempt, new AttemptOutcome.Leased(lease));
        if (result == SettleResult.CANCELLED) {
            return new ReportJson(attempt.id(), ReportJson.Result.CANCELLED, null);
        }
        answer(attempt, result, Set.of());
        return new ReportJson(attempt.id(), ReportJson.Result.ACCEPTED, client.now().plus(lease));
    }

    ReportJson progress(AttemptId attempt, JobProgress progress) {
        String text = progress.text().isEmpty() ? "" : masked(attempt).apply(progress.text());
        return answer(attempt, client.reportProgress(attempt, new JobProgress(progress.done(), progress.total(),
                StoredText.repaired(text, JobProgress.TEXT_MAX))), Set.of());
    }

    /** Keeps a step of an attempt. */
    ReportJson keep(AttemptId attempt, String name, @Nullable Payload value) {
        StepResult result;
        try {
            result = client.reportStep(attempt, name, value);
        } catch (IllegalArgumentException e) { // of the name; the size is checked before
            throw new ProblemException(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
        return switch (result) {
            case KEPT -> accepted(attempt);
            case LEASE_LOST -> answer(attempt, SettleResult.LEASE_LOST, Set.of());
            case BLOCKED -> answer(attempt, SettleResult.BLOCKED, Set.of());
            case TAKEN -> throw new ProblemException(ProblemType.BOUNDS, "Job " + attempt.id() + " has step "
                    + name + " with another value: the first counts, read it, or give each step a name of its own");
            case FULL -> throw new ProblemException(ProblemType.BOUNDS, "Step " + name + " of job "
                    + attempt.id() + " is not kept: " + StepReport.FULL);
        };
    }

    /** The steps of the job of an attempt that is not over. */
    List<JobStep> steps(AttemptId attempt) {
        checkRuns(attempt);
        return client.steps(attempt.id());
    }

    /** The events of the job of an attempt that is not over. */
    List<JobEvent> events(AttemptId attempt) {
        checkRuns(attempt);
        return client.eventsFor(attempt);
    }

    private void checkRuns(AttemptId attempt) {
        JobView job = client.find(attempt.id()).orElse(null);
        if (job == null || job.attempt() != attempt.number() || job.state() != JobState.RUNNING) {
            throw over(attempt, job);
        }
    }

    /** Ends an attempt, so that its job waits for an event. */
    ReportJson await(AttemptId attempt, String name, Duration timeout) {
        return switch (asked(attempt, name, timeout)) {
            case AwaitAnswer.Known(JobEvent event) -> {
                JobEvent.Awaited awaited = event.awaited();
                Instant at = event.arrival() != null || awaited == null ? null : awaited.until();
                yield answer(attempt, client.report(attempt, new AttemptOutcome.Awaiting(Set.of(name), at)),
                        Set.of(JobState.DELAYED, JobState.WAITING));
            }
            case AwaitAnswer.Refused refused when refused == AwaitAnswer.Refused.LEASE_LOST ->
                answer(attempt, SettleResult.LEASE_LOST, Set.of(JobState.DELAYED, JobState.WAITING));
            case AwaitAnswer.Refused refused -> throw refusal(attempt, name, refused);
        };
    }

    /** The link of an event that the job awaits from now on; the attempt goes on. */
    EventLinkJson link(AttemptId attempt, String name, Duration timeout) {
        return switch (asked(attempt, name, timeout)) {
            case AwaitAnswer.Known(JobEvent event) -> {
                JobEvent.Awaited awaited = event.awaited();
                URI url = event.arrival() != null || awaited == null
                        ? null
                        : client.eventUrl(attempt.id(), name, awaited.until())
                                .orElseThrow(() -> new ProblemException(ProblemType.BOUNDS, "Job " + attempt.id()
                                        + " has no link for event " + name + EventUrls.NO_SERVER));
                yield new EventLinkJson(attempt.id(), EventsJson.event(event), url);
            }
            case AwaitAnswer.Refused refused -> throw refusal(attempt, name, refused);
        };
    }

    /** The event as a wait of the attempt finds it; the end of the wait is fixed. */
    private AwaitAnswer asked(AttemptId attempt, String name, Duration timeout) {
        AwaitAnswer answer;
        try {
            answer = client.reportAwait(attempt, name, client.now().plus(timeout));
        } catch (IllegalArgumentException e) { // of the name
            throw new ProblemException(ProblemType.BOUNDS, String.valueOf(e.getMessage()));
        }
        if (answer instanceof AwaitAnswer.Known(JobEvent event) && event.arrival() == null && event.awaited() != null
                && event.awaited().over()) {
            throw new ProblemException(ProblemType.BOUNDS, "Job " + attempt.id() + " awaits no event " + name
                    + ": its wait was over at " + event.awaited().until()
                    + "; go on without it, or await another name");
        }
        return answer;
    }

    private ProblemException refusal(AttemptId attempt, String name, AwaitAnswer.Refused refused) {
        return switch (refused) {
            case LEASE_LOST -> over(attempt, client.find(attempt.id()).orElse(null));
            case BLOCKED -> blocked();
            case FULL -> new ProblemException(ProblemType.BOUNDS, "Event " + name + " of job " + attempt.id()
                    + " is not awaited: " + NewEvent.FULL);
        };
    }

    /** The events of a job for the eyes of people. */
    EventsJson maskedEvents(String job) {
        JobId id = kept(job);
        return EventsJson.of(id, client.events(id).stream().map(redaction::masked).toList());
    }

    private JobId kept(String job) {
        return parsed(job).filter(known -> client.find(known).isPresent())
                .orElseThrow(() -> new ProblemException(ProblemType.UNKNOWN_JOB, "Job " + job
                        + " is not kept: look for it with its queue"));
    }

    /** The steps of a job for the eyes of people. */
    StepsJson maskedSteps(String job) {
        JobId id = kept(job);
        return StepsJson.of(id, client.steps(id).stream().map(redaction::masked).toList());
    }

    /** @param alike states that the same report, sent before, leaves behind */
    private ReportJson answer(AttemptId attempt, SettleResult result, Set<JobState> alike) {
        if (result == SettleResult.ACCEPTED) {
            return accepted(attempt);
        }
        if (result == SettleResult.BLOCKED) {
            throw blocked();
        }
        JobView job = client.find(attempt.id()).orElse(null);
        if (job != null && job.attempt() == attempt.number() && alike.contains(job.state())) {
            return accepted(attempt);
        }
        throw over(attempt, job);
    }

    private static ProblemException blocked() {
        return new ProblemException(ProblemType.UNAVAILABLE,
                "An open transaction of an application holds the job: report again in a moment");
    }

    private static ProblemException over(AttemptId attempt, @Nullable JobView job) {
        return new ProblemException(ProblemType.ATTEMPT_OVER, "Attempt " + attempt.number() + " of job " + attempt.id()
                + " is over" + (job == null
                        ? ""
                        : "; the job is " + job.state().text() + " with attempt "
                                + job.attempt())
                + ": stop its work, another attempt may run");
    }

    private static ReportJson accepted(AttemptId attempt) {
        return new ReportJson(attempt.id(), ReportJson.Result.ACCEPTED, null);
    }
}
