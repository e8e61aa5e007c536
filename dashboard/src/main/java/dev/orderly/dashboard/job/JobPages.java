package dev.orderly.dashboard.job;

import dev.orderly.Orderly;
import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardResponse;
import dev.orderly.dashboard.exchange.Refused;
import dev.orderly.dashboard.exchange.Route;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.CancelResult;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefused;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.job.present.JobTimeline;
import dev.orderly.job.present.PushAgain;
import dev.orderly.user.UserScope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The page of a job and its actions. A page costs a few reads of bounded size. */
public final class JobPages {
    private final PageContext context;
    private final Orderly orderly;
    private final JobClient jobs;
    private final JobPresentation presentation;

    public JobPages(PageContext context, Orderly orderly, JobPresentation presentation) {
        this.context = context;
        this.orderly = orderly;
        this.jobs = orderly.jobs();
        this.presentation = presentation;
    }

    public List<Route> routes() {
        String path = "/jobs/{id}";
        return List.of(new Route("GET", path, Role.VIEWER, this::show),
                new Route("GET", path + "/payload", Role.VIEWER, this::payload),
                new Route("POST", path + "/reveal", Role.OPERATOR, this::reveal),
                new Route("POST", path + "/cancel", Role.OPERATOR, this::cancel),
                new Route("POST", path + "/redrive", Role.OPERATOR, this::redrive),
                new Route("POST", path + "/run-now", Role.OPERATOR, this::runNow),
                new Route("POST", path + "/push-again", Role.OPERATOR, this::pushAgain));
    }

    private DashboardResponse show(DashboardRequest request) {
        JobView job = find(request);
        JobView shown = presentation.redaction().masked(job).orElse(job);
        List<JobAttempt> attempts = jobs.attempts(job);
        return context.page(request, new JobPage(shown, presentation.redaction().masked(job).isPresent(),
                orderly.why(job.id()), attempts.reversed(),
                TimelinePicture.of(JobTimeline.of(job, attempts), context.time().now()), text(shown.payload()),
                text(shown.result()), jobs.position(job).orElse(null), presentation.traceOf(job).orElse(null)));
    }

    private static @Nullable PayloadText text(@Nullable Payload payload) {
        return payload == null ? null : PayloadText.of(payload);
    }

    /** The whole payload with masked values, as a file of text or bytes that no browser runs. */
    private DashboardResponse payload(DashboardRequest request) {
        JobView job = find(request);
        JobView shown = presentation.redaction().masked(job).orElse(job);
        Payload payload = "result".equals(request.query("part")) ? shown.result() : shown.payload();
        if (payload == null) {
            throw Refused.unknown("This content of job " + job.id(), "it is not kept, or there was none");
        }
        boolean text = PayloadText.of(payload).readable();
        return DashboardResponse.of(200, text ? "text/plain; charset=utf-8" : "application/octet-stream",
                payload.bytes()).withHeader("X-Content-Type-Options", "nosniff")
                .withHeader("Content-Security-Policy", "default-src 'none'; sandbox")
                .withHeader("Content-Disposition",
                        "attachment; filename=\"" + job.id() + (text ? ".txt" : ".bin") + "\"")
                .withHeader("Cache-Control", "no-store");
    }

    private DashboardResponse reveal(DashboardRequest request) {
        JobView job = find(request);
        return context.change(request, "reveal", object(job), "queue " + job.queue(), () -> context
                .fragment(request, new RevealedPage(job, text(job.payload()), text(job.result()))), _ -> "revealed");
    }

    private DashboardResponse cancel(DashboardRequest request) {
        JobView job = seen(request);
        CancelResult result = context.change(request, "cancel", object(job), state(job), () -> jobs.cancel(job.id()),
                made -> made.name().toLowerCase(java.util.Locale.ROOT));
        return switch (result) {
            case CANCELLED -> context.done(Notice.done("The job is cancelled").withDetail("It will not run"));
            case SIGNALLED -> context.done(Notice.done("The cancellation is signalled")
                    .withDetail("Its handler has begun; unless it completes the job, the job ends as cancelled"));
            case REQUESTED -> context.done(Notice.done("The cancellation is requested").withDetail("Another node or a"
                    + " worker holds the job and is told; unless it completes the job, the job ends as cancelled"));
            case ENDED, UNKNOWN -> throw Refused.stale("The job has ended already");
        };
    }

    private DashboardResponse redrive(DashboardRequest request) {
        JobView job = seen(request);
        int redriven = context.change(request, "redrive", object(job), state(job),
                () -> jobs.redrive(job.queue(), List.of(job.id()), 1), count -> "redriven " + count);
        if (redriven == 0) {
            throw Refused.stale("The job is no dead letter any more");
        }
        return context.done(Notice.done("The job waits again").withDetail("At its old position, its failures reset"));
    }

    private DashboardResponse runNow(DashboardRequest request) {
        JobView job = seen(request);
        RunNowResult result = context.change(request, "runNow", object(job), state(job) + ", due at " + job.dueAt(),
                () -> jobs.runNow(job.id()), made -> made == RunNowResult.DUE ? "due now" : "not delayed");
        if (result != RunNowResult.DUE) {
            throw Refused.stale("The job is not delayed any more");
        }
        return context
                .done(Notice.done("The job is due now").withDetail("Order, priorities and pauses count as before"));
    }

    private DashboardResponse pushAgain(DashboardRequest request) {
        JobView job = seen(request);
        if (job.state() != JobState.DEAD || job.payload() == null) {
            throw Refused.stale("Only a dead letter can be pushed again, since no other job keeps its payload");
        }
        List<String> edited = request.form().getOrDefault("payload", List.of());
        try {
            PushRequest push = edited.isEmpty()
                    ? PushAgain.unchanged(job)
                    : changed(job, job.payload(), edited.getFirst());
            PushResult result = context.change(request, "pushAgain", object(job), state(job),
                    () -> UserScope.call(Optional.ofNullable(push.user()), () -> jobs.push(push)), // not the operator's
                    made -> "pushed job " + made.id());
            String title = result instanceof PushResult.Duplicate
                    ? "It was pushed a moment ago"
                    : "Pushed as a new job";
            return context.done(Notice.done(title).withLink("Open the new job", "/jobs/" + result.id()));
        } catch (PushRefused e) {
            throw new Refused(422, "The queue refuses it", String.valueOf(e.getMessage()));
        }
    }

    /** A form sends line breaks as CR LF; the payload keeps those that it had. */
    private PushRequest changed(JobView job, Payload before, String sent) {
        String text = before.asText().contains("\r\n") ? sent : sent.replace("\r\n", "\n");
        if (text.equals(before.asText())) {
            return PushAgain.unchanged(job);
        }
        return PushAgain.changed(job, new Payload(before.contentType(), text.getBytes(StandardCharsets.UTF_8)), null,
                presentation.redaction());
    }

    private JobView seen(DashboardRequest request) {
        JobView job = find(request);
        context.checkSeen(request, object(job), job.state().text());
        return job;
    }

    private static String object(JobView job) {
        return "job " + job.id();
    }

    private static String state(JobView job) {
        return "queue " + job.queue() + ", state " + job.state().text();
    }

    private JobView find(DashboardRequest request) {
        String id = request.param("id");
        try {
            return jobs.find(JobId.parse(id)).orElseThrow(() -> unknown(id));
        } catch (IllegalArgumentException _) {
            throw unknown(id.length() <= 40 ? id : id.substring(0, 40) + "...");
        }
    }

    private static Refused unknown(String id) {
        return Refused.unknown("Job " + id, "check the id, and how long ended jobs are kept (keep.done, keep.dead)");
    }
}
