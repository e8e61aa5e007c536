package dev.orderly.dashboard.job;

import dev.orderly.access.Role;
import dev.orderly.dashboard.exchange.DashboardRequest;
import dev.orderly.dashboard.exchange.DashboardRoute;
import dev.orderly.dashboard.exchange.RefusedFormException;
import dev.orderly.dashboard.page.Notice;
import dev.orderly.dashboard.page.PageContext;
import dev.orderly.job.BatchLink;
import dev.orderly.job.BatchView;
import dev.orderly.job.EventResult;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.present.JobPresentation;
import dev.orderly.job.present.JobTimeline;
import dev.orderly.job.present.PushAgain;
import dev.orderly.operate.JobControl;
import dev.orderly.operate.OperationSpec;
import dev.orderly.operate.Targets;
import dev.orderly.text.StoredText;
import dev.orderly.web.message.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The page of a job and its actions. A page costs a few reads of bounded size. */
public final class JobRoutes {
    private static final int NOTE_MAX = 150;

    private final PageContext context;
    private final Targets targets;
    private final JobClient jobs;
    private final JobPresentation presentation;

    public JobRoutes(PageContext context, Targets targets, JobPresentation presentation) {
        this.context = context;
        this.targets = targets;
        this.jobs = targets.orderly().engines().jobs();
        this.presentation = presentation;
    }

    public List<DashboardRoute> routes() {
        String path = "/jobs/{id}";
        return List.of(new DashboardRoute("GET", path, Role.VIEWER, this::show),
                new DashboardRoute("GET", path + "/payload", Role.VIEWER, this::payload),
                new DashboardRoute(OperationSpec.REVEAL, path + "/reveal", this::reveal),
                new DashboardRoute(OperationSpec.CANCEL, path + "/cancel", this::cancel),
                new DashboardRoute(OperationSpec.REDRIVE_JOB, path + "/redrive", this::redrive),
                new DashboardRoute(OperationSpec.SEND_EVENT, path + "/event", this::event),
                new DashboardRoute(OperationSpec.RUN_NOW, path + "/run-now", this::runNow),
                new DashboardRoute(OperationSpec.PUSH_AGAIN, path + "/push-again", this::pushAgain));
    }

    private Response show(DashboardRequest request) {
        JobView job = find(request);
        JobView shown = presentation.redaction().masked(job).orElse(job);
        List<JobAttempt> attempts = jobs.attempts(job);
        return context.page(request, new JobPage(shown, presentation.redaction().masked(job).isPresent(),
                targets.orderly().why(job.id()), attempts.reversed(),
                jobs.steps(job.id()).stream().map(presentation.redaction()::masked).toList(),
                jobs.events(job.id()).stream().map(presentation.redaction()::masked).toList(),
                TimelinePicture.of(JobTimeline.of(job, attempts), context.time().now()), text(shown.payload()),
                text(shown.result()), jobs.position(job).orElse(null), presentation.traceOf(job).orElse(null),
                batch(job)));
    }

    private @Nullable BatchView batch(JobView job) {
        BatchLink link = job.terms().batch();
        return link == null ? null : jobs.batches().find(link.number()).orElse(null);
    }

    private static @Nullable PayloadText text(@Nullable Payload payload) {
        return payload == null ? null : PayloadText.of(payload);
    }

    /** The whole payload with masked values, as a file of text or bytes that no browser runs. */
    private Response payload(DashboardRequest request) {
        JobView job = find(request);
        JobView shown = presentation.redaction().masked(job).orElse(job);
        Payload payload = "result".equals(request.query("part")) ? shown.result() : shown.payload();
        if (payload == null) {
            throw RefusedFormException.unknown("This content of job " + job.id(), "it is not kept, or there was none");
        }
        boolean text = PayloadText.of(payload).readable();
        return Response.of(200, text ? "text/plain; charset=utf-8" : "application/octet-stream",
                payload.bytes()).withHeader("X-Content-Type-Options", "nosniff")
                .withHeader("Content-Security-Policy", "default-src 'none'; sandbox")
                .withHeader("Content-Disposition",
                        "attachment; filename=\"" + job.id() + (text ? ".txt" : ".bin") + "\"")
                .withHeader("Cache-Control", "no-store");
    }

    private Response reveal(DashboardRequest request) {
        JobView job = context.run(request, JobControl.reveal(request.param("id")));
        return context.fragment(request, new RevealedPage(job, text(job.payload()), text(job.result())));
    }

    private Response cancel(DashboardRequest request) {
        return switch (context.run(request, JobControl.cancel(request.param("id")))) {
            case SIGNALLED -> context.done(Notice.done("The cancellation is signalled")
                    .withDetail("Its handler has begun; unless it completes the job, the job ends as cancelled"));
            case REQUESTED -> context.done(Notice.done("The cancellation is requested").withDetail("Another node or a"
                    + " worker holds the job and is told; unless it completes the job, the job ends as cancelled"));
            case CANCELLED -> context.done(Notice.done("The job is cancelled").withDetail("It will not run"));
            case ENDED, UNKNOWN -> throw new IllegalStateException("The operation refuses a job that has ended");
        };
    }

    private Response redrive(DashboardRequest request) {
        context.run(request, JobControl.redrive(request.param("id")));
        return context.done(Notice.done("The job waits again").withDetail("At its old position, its failures reset"));
    }

    private Response event(DashboardRequest request) {
        String value = one(request, "value");
        try {
            JsonMapper.shared().readTree(value);
        } catch (JacksonException e) {
            throw new RefusedFormException(422, "The value is no JSON", String.valueOf(e.getOriginalMessage()));
        }
        EventResult result = context.run(request, JobControl.event(request.param("id"), one(request, "event"),
                Payload.json(value), StoredText.repaired(one(request, "note"), NOTE_MAX)));
        return context.done(result == EventResult.REPEATED
                ? Notice.done("An event of this name has come before").withDetail("It counts; nothing was changed")
                : Notice.done("The event is kept").withDetail("The job goes on with it"));
    }

    private static String one(DashboardRequest request, String field) {
        List<String> values = request.form().getOrDefault(field, List.of());
        return values.isEmpty() ? "" : values.getFirst().strip();
    }

    private Response runNow(DashboardRequest request) {
        context.run(request, JobControl.runNow(request.param("id")));
        return context
                .done(Notice.done("The job is due now").withDetail("Order, priorities and pauses count as before"));
    }

    private Response pushAgain(DashboardRequest request) {
        List<String> edited = request.form().getOrDefault("payload", List.of());
        try {
            PushResult result = context.run(request, JobControl.pushAgain(request.param("id"), job -> edited.isEmpty()
                    ? PushAgain.unchanged(job)
                    : changed(job, Objects.requireNonNull(job.payload()), edited.getFirst()))).result();
            String title = result instanceof PushResult.Duplicate
                    ? "It was pushed a moment ago"
                    : "Pushed as a new job";
            return context.done(Notice.done(title).withLink("Open the new job", "/jobs/" + result.id()));
        } catch (PushRefusedException e) {
            throw new RefusedFormException(422, "The queue refuses it", String.valueOf(e.getMessage()));
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

    private JobView find(DashboardRequest request) {
        return targets.job(request.param("id"));
    }
}
